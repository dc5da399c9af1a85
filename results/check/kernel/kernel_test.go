package kernel

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/core/symmetry"
	"leeway/core/symmetry/elements"
	"leeway/objective"
	"leeway/search/searchtest"
)

// free and upTo spend without a limit and up to one.
func free(int64) error { return nil }

var errSpent = errors.New("spent")

func upTo(limit int64) Spender {
	return func(steps int64) error {
		if limit -= steps; limit < 0 {
			return errSpent
		}
		return nil
	}
}

// A writer makes a stream for a question as it goes, by a plain search: it splits until a rule closes the branch. It
// asks the kernel itself whether a rule does, so its streams are accepted by construction; what they claim is
// compared with brute force.
type writer struct {
	t      *testing.T
	r      *rand.Rand
	c      *checker
	out    bytes.Buffer
	steps  int
	closes bool // whether the last step closed the proof
}

func newWriter(t *testing.T, r *rand.Rand, q Question, listing bool) *writer {
	t.Helper()
	w := &writer{t: t, r: r, c: newChecker(coretest.Must(Prepare(q, free)), listing, nil, free)}
	if w.c.err != nil {
		t.Fatal(w.c.err)
	}
	w.out.WriteString(Header)
	return w
}

// put writes a definition or step and has the kernel follow it.
func (w *writer) put(numbers ...int) {
	w.t.Helper()
	if err := w.try(numbers...); err != nil {
		w.t.Fatalf("step %v: %v", numbers, err)
	}
}

// try writes a definition or step if the kernel follows it.
func (w *writer) try(numbers ...int) error {
	var b []byte
	for _, v := range numbers {
		b = binary.AppendUvarint(b, uint64(v))
	}
	w.c.reader = reader{bytes: bufio.NewReader(bytes.NewReader(b)), spend: free}
	w.c.next()
	if w.c.err == nil {
		w.out.Write(b)
		w.closes = w.c.done
		w.steps++
	}
	return w.c.err
}

// header declares slabs, views, weightings and elements.
func (w *writer) header(keys bool) (views, weightings, moves int) {
	t := w.c.question.Routing.Torus()
	first := len(w.c.sets)
	slabs := [][]int{}
	for j := range t.D() {
		var list []int
		for x := range t.Side(j) {
			set := []int{}
			for v := range t.N() {
				if t.Coord(v, j) == x {
					set = append(set, v)
				}
			}
			list = append(list, len(w.c.sets))
			w.put(append([]int{opSet, len(set)}, set...)...)
		}
		slabs = append(slabs, list)
		s := []int{opSum, allNodes, len(list)}
		for _, number := range list {
			s = append(s, number, 1)
		}
		w.put(s...)
	}
	if keys {
		w.put(opKeys, 2, first, first+1)
	}
	w.put(opView, 0, 0)
	w.put(opView, 1, allNodes, 1, allNodes)
	for _, list := range slabs {
		w.put(append(append(append([]int{opView, len(list)}, list...), len(list)), list...)...)
		w.put(append([]int{opView, 1, list[0], len(list)}, list...)...)
	}
	for i := range t.M() {
		if t.HasLink(core.Link(i)) {
			w.put(opWeighting, 1, i, 1)
		}
	}
	for j := range t.D() {
		along := []int{}
		for i := range t.M() {
			if _, port := t.LinkFrom(core.Link(i)); t.HasLink(core.Link(i)) && port.Dim == j {
				along = append(along, i, 1+w.r.IntN(2))
			}
		}
		w.put(append([]int{opWeighting, len(along) / 2}, along...)...)
	}
	for _, point := range symmetry.Points(t, 1<<10) {
		image := elements.Element{Point: point}.Images(t)
		for turned := range 1 << t.D() {
			w.try(append([]int{opElement, turned}, image...)...)
		}
	}
	for range 4 {
		shift := elements.Translation(t, t.ClosedPart(w.r.IntN(t.N())))
		w.try(append([]int{opElement, 0}, shift.Images(t)...)...)
		w.put(opProduct, w.r.IntN(len(w.c.elements)), w.r.IntN(len(w.c.elements)))
	}
	return len(w.c.views), len(w.c.weightings), len(w.c.elements)
}

// prove closes the branch at hand; it gives up after a number of steps or where a placement answers the question.
func (w *writer) prove(turns bool, most int) bool {
	depth := len(w.c.open)
	for !w.closes && len(w.c.open) >= depth {
		if w.steps > most {
			return false
		}
		if w.c.branch.crossed {
			w.put(opCrossed)
			continue
		}
		if w.r.IntN(3) == 0 && !w.c.loads.chosen {
			coretest.Try(w.try(opFilter))
			continue
		}
		if w.closed(turns) {
			continue
		}
		if !w.split() {
			return false
		}
	}
	return true
}

func (w *writer) closed(turns bool) bool {
	if w.c.question.Distance > 0 && w.try(opDistance) == nil {
		return true
	}
	for range 3 {
		if turns && w.try(opTurn, w.r.IntN(len(w.c.elements))) == nil {
			return true
		}
	}
	if len(w.c.lemmas) > 0 && w.try(opUse, w.r.IntN(len(w.c.lemmas)), w.r.IntN(len(w.c.elements))) == nil {
		return true
	}
	all := !slices.ContainsFunc(core.Range(w.c.loads.nodes), func(v int) bool {
		return w.c.branch.lo(nodeSet(v)) < w.c.branch.hi(nodeSet(v))
	})
	for i, weighting := range w.r.Perm(len(w.c.weightings)) { // at a placement, each link by itself
		if i < 6 && w.try(opWeigh, weighting, w.r.IntN(len(w.c.elements)), w.r.IntN(len(w.c.views))) == nil ||
			all && w.try(opWeigh, weighting, 0, 0) == nil {
			return true
		}
	}
	return w.c.listing && w.c.deep == 0 && w.try(opPlace) == nil
}

func (w *writer) split() bool {
	b := w.c.branch
	var loose []int
	for s := range w.c.sets {
		if b.lo(s) < b.hi(s) {
			loose = append(loose, s)
		}
	}
	if len(loose) == 0 {
		return false
	}
	s := loose[w.r.IntN(len(loose))]
	if w.r.IntN(8) > 0 { // the first ones are all nodes and each
		s = loose[0]
	}
	t := b.lo(s) + 1 + w.r.Int64N(b.hi(s)-b.lo(s))
	w.put(opSplit+w.r.IntN(2), s, int(t))
	return true
}

// lemmas tries to prove some premises about few sets.
func (w *writer) lemmas(count int) {
	for range count {
		keep, steps := w.out.Len(), w.steps
		s := 1 + w.r.IntN(len(w.c.sets)-1)
		atLeast := w.r.IntN(2)
		saved := *w.c
		branch := *w.c.branch
		number := int(w.c.branch.lo(s)) + w.r.IntN(max(1, int(w.c.branch.hi(s)-w.c.branch.lo(s))+1))
		w.put(opLemma, 1, s, atLeast, number)
		if !w.prove(false, w.steps+40) {
			*w.c = saved
			*w.c.branch = branch
			w.c.branch.queued = make([]bool, len(branch.queued))
			w.c.spare = nil
			w.out.Truncate(keep)
			w.steps = steps
		}
		w.closes = false
	}
}

// known says that there is a processor at a node, or that there is none.
func known(v int, has bool) Bound {
	return atLeast(has, nodeSet(v), map[bool]int64{true: 1}[has])
}

// draw returns a random question on a small network, but for its limit, as a problem and for the kernel.
func draw(r *rand.Rand) (objective.Problem, Question) {
	for {
		t := coretest.AnyNetwork(r, 12)
		drawn := func() (routing.Routing, error) {
			names := []string{"odr", "udr", "minimal", "avoid"}
			if r.IntN(8) == 0 {
				names = []string{"val", "romm", "rlb", "west-first", "north-last", "negative-first"}
			}
			return routing.Parse(t, names[r.IntN(len(names))]+[]string{":tie=plus", ":tie=both"}[r.IntN(2)])
		}
		rt, err := drawn()
		if err != nil { // turn models are for two dimensions
			continue
		}
		q := Question{Routing: rt, Size: 1 + r.IntN(t.N()), AtMost: r.IntN(2) == 0}
		p, err := objective.NewProblem(rt, q.Size)
		if r.IntN(3) == 0 && err == nil {
			perm := r.Perm(t.N())
			q.Fixed, q.Forbidden = perm[:r.IntN(2)], perm[1:1+r.IntN(min(3, t.N()))]
			p, err = p.WithNodes(q.Fixed, q.Forbidden)
		}
		if r.IntN(3) == 0 && err == nil {
			q.Radius, q.Distance = r.IntN(3), r.IntN(2)*r.IntN(3*t.N())
			p, err = p.WithNear(objective.Near{Radius: q.Radius, Distance: q.Distance})
		}
		if r.IntN(3) == 0 && err == nil && !rt.DependsOnPlacement() {
			traffic := objective.Traffic{Request: r.IntN(3), Reply: 1 + r.IntN(3)}
			q.Clients = &Clients{int64(traffic.Request), int64(traffic.Reply), rt}
			if other, err := drawn(); err == nil && traffic.Request > 0 && !other.DependsOnPlacement() {
				traffic.Replies, q.Clients.ReplyRouting = other, other
			}
			p, err = p.WithTraffic(traffic)
		}
		if err == nil {
			return p, q
		}
	}
}

// bruteForce returns, by listing all placements and all their paths, the loads E_max of those that the conditions
// admit, with the placements.
func bruteForce(p objective.Problem) (values []*big.Rat, placements [][]int) {
	for s, value := range searchtest.Placements(p) {
		values, placements = append(values, value), append(placements, s.Nodes())
	}
	return values, placements
}

// limitFor chooses a limit near the smallest value, and reports whether some placement answers the question then.
func limitFor(r *rand.Rand, q *Question, values []*big.Rat) (answered bool) {
	if len(values) == 0 {
		q.Limit = big.NewRat(100, 1)
		return false
	}
	least := slices.MinFunc(values, (*big.Rat).Cmp)
	if q.Limit = least; r.IntN(2) == 0 {
		q.Limit = values[r.IntN(len(values))]
	}
	if r.IntN(4) == 0 {
		q.Limit = new(big.Rat).Sub(least, big.NewRat(1, 7))
	}
	return least.Cmp(q.Limit) < 0 || q.AtMost && least.Cmp(q.Limit) == 0
}

// TestTrueStatementsAreProved has a plain search refute every question without an answer, and no other.
func TestTrueStatementsAreProved(t *testing.T) {
	coretest.Alone(t)
	for i := range coretest.Cases(1500, 150) {
		r := coretest.Rng(1, i)
		p, q := draw(r)
		values, _ := bruteForce(p)
		answered := limitFor(r, &q, values)
		w := newWriter(t, r, q, false)
		w.header(true)
		if len(values) > 0 && r.IntN(2) == 0 {
			w.lemmas(3)
		}
		proved := w.prove(true, 20000)
		if proved == answered {
			t.Fatalf("case %d: %s below %s (at most: %v): proved %v, answered %v", i, p, q.Limit, q.AtMost, proved, answered)
		}
		if !proved {
			continue
		}
		result, err := Check(q, bytes.NewReader(w.out.Bytes()), false, free)
		if err != nil || result.Bytes != int64(w.out.Len()) {
			t.Fatalf("case %d: %s below %s: %v", i, p, q.Limit, err)
		}
	}
}

// TestFalseStatementsAreNotProved gives true streams, altered or not, to questions that have an answer.
func TestFalseStatementsAreNotProved(t *testing.T) {
	coretest.Alone(t)
	altered := 0
	for i := range coretest.Cases(1500, 150) {
		r := coretest.Rng(2, i)
		p, q := draw(r)
		values, _ := bruteForce(p)
		if len(values) == 0 {
			continue
		}
		least := slices.MinFunc(values, (*big.Rat).Cmp)
		q.Limit, q.AtMost = least, false
		w := newWriter(t, r, q, false)
		w.header(true)
		if r.IntN(2) == 0 {
			w.lemmas(2)
		}
		if !w.prove(true, 20000) {
			t.Fatalf("case %d: %s below %s: not proved", i, p, least)
		}
		q.AtMost = true
		stream := w.out.Bytes()
		if _, err := Check(q, bytes.NewReader(stream), false, free); err == nil {
			t.Fatalf("case %d: %s at most %s: accepted", i, p, least)
		}
		for range coretest.Cases(20, 5) {
			bad := alter(r, stream)
			altered++
			if _, err := Check(q, bytes.NewReader(bad), false, upTo(1<<26)); err == nil {
				t.Fatalf("case %d: %s at most %s: accepted an altered stream", i, p, least)
			}
		}
	}
	t.Logf("%d altered streams", altered)
}

// alter changes some bytes of a stream behind the header: values, lengths, order.
func alter(r *rand.Rand, stream []byte) []byte {
	bad := slices.Clone(stream)
	for range 1 + r.IntN(3) {
		from := len(Header) + r.IntN(len(bad)-len(Header))
		switch r.IntN(5) {
		case 0:
			bad[from] = byte(r.IntN(256))
		case 1:
			bad[from] = byte(r.IntN(opDistance + 1))
		case 2:
			bad = slices.Delete(bad, from, min(len(bad), from+1+r.IntN(4)))
		case 3:
			bad = slices.Insert(bad, from, byte(r.IntN(20)))
		case 4:
			bad = append(bad[:from:from], stream[len(Header)+r.IntN(len(stream)-len(Header)):]...)
		}
		if len(bad) <= len(Header) {
			return bad
		}
	}
	return bad
}

// TestAllAnswersArePlaced lists the optima: every one, or with symmetry one that an element takes to it, is placed.
func TestAllAnswersArePlaced(t *testing.T) {
	coretest.Alone(t)
	for i := range coretest.Cases(500, 60) {
		r := coretest.Rng(3, i)
		p, q := draw(r)
		values, placements := bruteForce(p)
		if len(values) == 0 {
			continue
		}
		q.Limit, q.AtMost = slices.MinFunc(values, (*big.Rat).Cmp), true
		turns := r.IntN(2) == 0
		w := newWriter(t, r, q, true)
		w.header(turns)
		if !w.prove(turns, 20000) {
			t.Fatalf("case %d: %s: not proved", i, p)
		}
		result := coretest.Must(Check(q, bytes.NewReader(w.out.Bytes()), true, free))
		placed := map[string]bool{}
		for _, s := range result.Placed {
			placed[fmt.Sprint(s)] = true
		}
		for k, s := range placements {
			if values[k].Cmp(q.Limit) > 0 {
				if placed[fmt.Sprint(s)] {
					t.Fatalf("case %d: %s: %v is placed, E_max %s", i, p, s, values[k])
				}
				continue
			}
			if found := slices.ContainsFunc(orbit(w.c.elements, s, turns), func(o []int) bool {
				return placed[fmt.Sprint(o)]
			}); !found {
				t.Fatalf("case %d: %s: the optimum %v is not placed", i, p, s)
			}
		}
	}
}

// orbit returns a set of nodes, and with turns all that products of elements take it to.
func orbit(elements []*element, nodes []int, turns bool) [][]int {
	list := [][]int{nodes}
	seen := map[string]bool{fmt.Sprint(nodes): true}
	for i := 0; i < len(list) && turns; i++ {
		for _, e := range elements {
			var moved []int
			for _, v := range list[i] {
				moved = append(moved, e.to.node[v])
			}
			if slices.Sort(moved); !seen[fmt.Sprint(moved)] {
				seen[fmt.Sprint(moved)] = true
				list = append(list, moved)
			}
		}
	}
	return list
}

// TestLoadsAreThoseOfTheDefinition compares the limits of links at a placement with the naive evaluator.
func TestLoadsAreThoseOfTheDefinition(t *testing.T) {
	coretest.Alone(t)
	for i := range coretest.Cases(2000, 300) {
		r := coretest.Rng(4, i)
		p, q := draw(r)
		values, placements := bruteForce(p)
		if len(values) == 0 || q.Routing.DependsOnPlacement() {
			continue
		}
		k := r.IntN(len(values))
		for _, step := range []int64{0, 1} { // exactly the value is enough, less is not
			q.Limit, q.AtMost = values[k], step == 0
			l := newLoads(q, &reader{spend: free})
			load := make([]int64, len(l.limits))
			for a, u := range placements[k] {
				links := l.seenFrom(u, make([]int, len(load)))
				for _, v := range placements[k][:a+1] {
					for _, s := range l.exchanged(u, v) {
						load[links[s.of]] += s.times
					}
				}
			}
			over := false
			for link := range load {
				over = over || load[link] > l.limits[link]
			}
			if over != (step == 1) {
				t.Fatalf("case %d: %s: %v with %s, at most %v: over is %v", i, p, placements[k], values[k], q.AtMost, over)
			}
		}
	}
}

// TestBoundsAreBelowAllLoads compares twice the weighted load of every placement of random branches, from the paths of
// all messages, with their lower bounds by random views and elements. Where all nodes are known the two are equal.
func TestBoundsAreBelowAllLoads(t *testing.T) {
	coretest.Alone(t)
	equal := 0
	for i := range coretest.Cases(2000, 300) {
		r := coretest.Rng(7, i)
		p, q := draw(r)
		_, placements := bruteForce(p)
		if len(placements) == 0 || q.Clients != nil {
			continue
		}
		q.Limit = big.NewRat(1000, 1)
		w := newWriter(t, r, q, false)
		w.header(false)
		w.put(opSplit, allNodes, 0)
		c := w.c
		for v := range c.loads.nodes {
			if r.IntN(3) > 0 {
				has := slices.Contains(placements[0], v)
				c.assume(known(v, has))
			}
		}
		for range 5 {
			x, g := c.weightings[r.IntN(len(c.weightings))], c.elements[r.IntN(len(c.elements))]
			bound := c.lowerBound(x, g, c.views[r.IntN(len(c.views))])
			least, within := int64(-1), 0
			for _, nodes := range placements {
				var moved []int
				out := false
				for v := range c.loads.nodes {
					s, has := nodeSet(v), int64(0)
					if slices.Contains(nodes, v) {
						moved, has = append(moved, g.back.node[v]), 1
					}
					out = out || has < c.branch.lo(s) || has > c.branch.hi(s)
				}
				if out {
					continue
				}
				within++
				if load := weighted(q.Routing, moved, x.weights, c.loads.units); least < 0 || load < least {
					least = load
				}
			}
			if bound > 2*least {
				t.Fatalf("case %d: %s: the bound is %d, the least load %d", i, p, bound, least)
			}
			if all := !slices.ContainsFunc(core.Range(c.loads.nodes), func(v int) bool {
				return c.branch.lo(nodeSet(v)) < c.branch.hi(nodeSet(v))
			}); all {
				if equal++; bound != 2*least || within != 1 {
					t.Fatalf("case %d: %s: the bound is %d, the load %d", i, p, bound, least)
				}
			}
		}
	}
	if equal == 0 {
		t.Error("no branch was one placement")
	}
}

// TestFreeBounds compares the lower bounds of random branches under free routings with the least weighted load of a
// placement over all choices. Where all nodes are known the two are equal.
func TestFreeBounds(t *testing.T) {
	coretest.Alone(t)
	for i := range coretest.Cases(1500, 250) {
		r := coretest.Rng(9, i)
		network := coretest.AnyNetwork(r, 9)
		free := routing.Free{MinPaths: 1 + r.IntN(3)}
		if r.IntN(3) == 0 {
			free = routing.Free{Single: true, MinPaths: 1}
		}
		q := Question{Routing: routing.NewUDR(network, routing.TieBoth), Free: &free, Size: 1 + r.IntN(network.N()),
			Limit: big.NewRat(1000, 1)}
		w := newWriter(t, r, q, false)
		w.header(false)
		w.put(opSplit, allNodes, 0)
		c := w.c
		nodes := r.Perm(network.N())[:q.Size] // a placement of the branch
		for v := range network.N() {
			if r.IntN(3) > 0 {
				has := slices.Contains(nodes, v)
				c.assume(known(v, has))
			}
		}
		all := !slices.ContainsFunc(core.Range(network.N()), func(v int) bool {
			return c.branch.lo(nodeSet(v)) < c.branch.hi(nodeSet(v))
		})
		for range 5 {
			x, g := c.weightings[r.IntN(len(c.weightings))], c.elements[r.IntN(len(c.elements))]
			bound := c.lowerBound(x, g, c.views[r.IntN(len(c.views))])
			least := new(big.Rat) // of the weighted loads under all choices: each message has the best for itself
			for _, u := range nodes {
				for _, v := range nodes {
					if u != v {
						least.Add(least, cheapest(q, g.back.node[u], g.back.node[v], x.weights))
					}
				}
			}
			least.Mul(least, big.NewRat(2*c.loads.units, 1))
			if compared := big.NewRat(bound, 1).Cmp(least); compared > 0 || all && compared < 0 {
				t.Fatalf("case %d: %s, %s, %v: the bound is %d, the least %s", i, network, free, nodes, bound, least)
			}
		}
	}
}

// cheapest returns the least average weight of the paths that a message may keep, by all sets of paths.
func cheapest(q Question, from, to int, weights []int64) (least *big.Rat) {
	var costs []int64
	for path := range q.Routing.Paths(from, to, nil) {
		cost := int64(0)
		for _, link := range path {
			cost += weights[link]
		}
		costs = append(costs, cost)
	}
	for set := 1; set < 1<<len(costs); set++ {
		total, count := int64(0), int64(0)
		for i, cost := range costs {
			if set>>i&1 == 1 {
				total += cost
				count++
			}
		}
		if average := big.NewRat(total, count); q.Free.Allows(int(count), len(costs)) &&
			(least == nil || average.Cmp(least) < 0) {
			least = average
		}
	}
	return least
}

// TestDistance compares the step with the least distance of all placements of random branches: it closes none that has
// one within the distance, and every branch that is one placement farther away.
func TestDistance(t *testing.T) {
	coretest.Alone(t)
	closed := map[bool]int{}
	for i := range coretest.Cases(4000, 1000) {
		r := coretest.Rng(8, i)
		network := coretest.AnyNetwork(r, 12)
		n := network.N()
		q := Question{Routing: coretest.Must(routing.Parse(network, "odr")), Size: 1 + r.IntN(n), Limit: big.NewRat(1000, 1)}
		q.Distance = 1 + r.IntN(2*n)
		c := newChecker(coretest.Must(Prepare(q, free)), false, nil, free)
		c.branch.propagate(&c.reader)
		open := r.IntN(n + 1)
		some := r.Perm(n)[:q.Size] // a placement of the branch
		for _, v := range r.Perm(n)[open:] {
			has := slices.Contains(some, v)
			c.assume(known(v, has))
		}
		least := int64(-1)
		for mask := range 1 << n {
			var nodes []int
			in := true
			for v := range n {
				has := int64(mask >> v & 1)
				if s := nodeSet(v); has < c.branch.lo(s) || has > c.branch.hi(s) {
					in = false
				}
				if has == 1 {
					nodes = append(nodes, v)
				}
			}
			if in && len(nodes) == q.Size {
				if _, total, _ := core.MustPlacement(network, nodes).Spacing(); least < 0 || int64(total) < least {
					least = int64(total)
				}
			}
		}
		processors, unknown := c.nodesNow()
		one := !slices.Contains(unknown, true)
		far := c.far() == ""
		if far && least <= int64(q.Distance) || one && len(processors) == q.Size && far != (least > int64(q.Distance)) {
			t.Fatalf("case %d: %s, %d processors, %v: closed %v, the least distance is %d, at most %d", i, network, q.Size,
				processors, far, least, q.Distance)
		}
		closed[far]++
	}
	if closed[true] == 0 || closed[false] == 0 {
		t.Error(closed)
	}
	t.Log(closed)
}

// weighted returns the weighted load of a placement, in units.
func weighted(rt routing.Routing, nodes []int, weights []int64, units int64) (total int64) {
	processors := core.MustPlacement(rt.Torus(), nodes).Set()
	for _, u := range nodes {
		for _, v := range nodes {
			var sum, paths int64
			if u != v {
				for path, weight := range rt.Paths(u, v, processors) {
					paths += weight
					for _, link := range path {
						sum += weight * weights[link]
					}
				}
				total += sum * units / paths
			}
		}
	}
	return total
}

// TestWorkIsPaid has short steps that look at long definitions: each look is paid for.
func TestWorkIsPaid(t *testing.T) {
	network := coretest.Must(core.ParseTorus("3x3"))
	q := Question{Routing: coretest.Must(routing.Parse(network, "udr")), Size: 3, Limit: new(big.Rat)}
	const long, times = 1 << 12, 100
	empty := 1 + network.N() // the first set that is defined
	for _, c := range []struct{ begin, entry, end, step []int }{
		{[]int{opKeys, long}, []int{allNodes}, nil, []int{opSplit, allNodes, 4, opTurn, 0}},
		{[]int{opSet, 0, opWeighting, 1, 0, 1, opView, 0, long}, []int{empty}, nil, []int{opLemma, 0, opWeigh, 0, 0, 0}},
		{[]int{opWeighting, 1, 0, 1, opView, 0, 0, opLemma, long}, []int{allNodes, 1, 0}, []int{opWeigh, 0, 0, 0},
			[]int{opSplit, allNodes, 4, opUse, 0, 0}},
	} {
		numbers := slices.Concat(c.begin, slices.Repeat(c.entry, long), c.end, slices.Repeat(c.step, times))
		stream := []byte(Header)
		for _, v := range numbers {
			stream = binary.AppendUvarint(stream, uint64(v))
		}
		spent := int64(0)
		result, err := Check(q, bytes.NewReader(stream), false, func(steps int64) error { spent += steps; return nil })
		if result.Bytes != int64(len(stream)) || spent < long*times {
			t.Errorf("%v: paid %d for %d looks: %v", c.step, spent, long*times, err)
		}
	}
}

// TestLargeWeights: what all pairs might put on weighted links is limited, so that no sum is too large to count with.
func TestLargeWeights(t *testing.T) {
	rt := coretest.Must(routing.Parse(coretest.Must(core.ParseTorus("4x4")), "odr"))
	q := Question{Routing: rt, Clients: &Clients{Request: 1 << 28, ReplyRouting: rt}, Size: 2, Limit: big.NewRat(1, 1)}
	for weight, taken := range map[int]bool{1 << 18: true, 1 << 20: false} { // 16^2 nodes, 2^28 messages, 32 links
		if err := newWriter(t, nil, q, false).try(opWeighting, 1, 0, weight); (err == nil) != taken {
			t.Errorf("weight %d: %v", weight, err)
		}
	}
}

// TestLargeNetworks closes the first branch of networks on which shares are translated when they are asked for.
func TestLargeNetworks(t *testing.T) {
	coretest.Alone(t)
	for _, network := range []string{"32x32", "9x9x9", "40x16:twist=3"} {
		torus := coretest.Must(core.ParseNetwork(network))
		for _, name := range []string{"odr", "udr:tie=both"} {
			q := Question{Routing: coretest.Must(routing.Parse(torus, name)), Size: torus.N(), Limit: new(big.Rat)}
			w := newWriter(t, nil, q, false)
			links := []int{opWeighting, torus.M()}
			for l := range torus.M() {
				links = append(links, l, 1)
			}
			w.put(links...)
			w.put(opView, 0, 0)
			w.put(opView, 1, allNodes, 1, allNodes)
			w.put(opLemma, 0)
			want := int64(0) // the sum of all distances from node 0, doubled, as often as there are nodes
			for v := range torus.N() {
				want += 2 * int64(torus.LeeDistance(0, v)) * int64(torus.N()) * w.c.loads.units
			}
			for _, view := range w.c.views {
				if got := w.c.lowerBound(w.c.weightings[0], w.c.elements[0], view); got != want {
					t.Errorf("%s, %s: all processors put %d on links, not %d", network, name, got, want)
				}
			}
		}
	}
}

// FuzzCheck looks for streams that make the kernel fail otherwise than by an error.
func FuzzCheck(f *testing.F) {
	t := coretest.Must(core.ParseTorus("3x3"))
	q := Question{Routing: coretest.Must(routing.Parse(t, "udr")), Size: 3, Limit: big.NewRat(1, 1)}
	for i := range 4 {
		w := newWriter(&testing.T{}, coretest.Rng(5, i), q, false)
		w.header(true)
		w.prove(true, 1000)
		f.Add(w.out.Bytes())
	}
	q.AtMost = true // this has an answer
	values, _ := bruteForce(coretest.Must(objective.NewProblem(q.Routing, q.Size)))
	q.Limit = slices.MinFunc(values, (*big.Rat).Cmp)
	f.Fuzz(func(t *testing.T, stream []byte) {
		_, err := Check(q, bytes.NewReader(stream), false, upTo(1<<24))
		if w := (*WrongError)(nil); err == nil || !errors.As(err, &w) && !errors.Is(err, errSpent) {
			t.Fatalf("%v", err)
		}
	})
}
