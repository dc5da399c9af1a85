package kernel

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"slices"
)

// A Result says what was accepted.
type Result struct {
	Steps  int64   // definitions and steps read
	Bytes  int64   // of the stream
	Placed [][]int // the placements of the steps "place": no other answers the question, up to symmetry
}

// A Spender is told of steps that are to be taken, each one to some nanoseconds, or a byte of memory; its error ends
// the check.
type Spender func(steps int64) error

// Check reads a stream and returns nil as its error if it refutes the question: no placement answers it, or with
// listing none but those placed and their images under the elements of the stream. Errors are *UnsupportedError for
// questions that the kernel does not take, *WrongError for streams that are no proof, those of spend and of reading.
// Cost: a step takes at most the square of the number of nodes, and what its numbers imply.
func Check(q Question, stream io.Reader, listing bool, spend Spender) (Result, error) {
	c := &checker{question: q, listing: listing, source: &source{bytes: bufio.NewReader(stream)}, spend: spend}
	var err error
	if c.loads, err = newLoads(q, c.spend); err == nil {
		if err = c.source.begin(); err == nil {
			if err = c.begin(); err == nil {
				err = c.run()
			}
		}
	}
	if w := (*WrongError)(nil); errors.As(err, &w) {
		w.Step, w.Rule = int(c.result.Steps), names[c.code]
	}
	c.result.Bytes = c.source.read
	return c.result, err
}

// A checker is the state of a check.
type checker struct {
	question Question
	listing  bool
	source   *source
	spend    Spender
	loads    *loads
	code     int // of the definition or step at hand, 0 before the first
	result   Result

	sets           []set
	byNodes        map[string]int // the number of a set by its nodes
	branch         *branch
	given          []int8  // by node: 1 fixed, -1 forbidden, else 0
	rootLo, rootHi []int64 // the bounds before the first step
	started        bool    // a step was read: no more sets, sums and keys
	keys           []int
	elements       []*element
	weightings     []*weighting
	views          []*view
	lemmas         [][]premise
	open           []*frame
	lemmasOpen     int
}

// A premise is a bound on the count of a set: at least or at most a number.
type premise struct {
	set     int
	atLeast bool
	number  int64
}

// A frame is a proof that has begun: the two sides of a split, or the proof of a lemma.
type frame struct {
	changes int  // of the branch at the beginning
	crossed bool // was the branch then
	second  *premise
	lemma   []premise
	outer   *branch // of a lemma: the branch to go on with
}

// Numbers of sets that every question has: all nodes, then each node.
const allNodes = 0

func nodeSet(v int) int { return 1 + v }

// begin makes the sets and bounds of the question.
func (c *checker) begin() error {
	q, n := c.question, c.loads.nodes
	c.byNodes = map[string]int{}
	c.branch = &branch{}
	all := set{}
	for v := range n {
		all.nodes, all.times = append(all.nodes, v), append(all.times, 1)
	}
	if err := c.addSet(all); err != nil {
		return err
	}
	for v := range n {
		if err := c.addSet(set{[]int{v}, []int64{1}}); err != nil {
			return err
		}
	}
	c.branch.addSum(c.nodesOf(allNodes))
	c.branch.tighten(allNodes, int64(q.Size), int64(q.Size))
	c.given = make([]int8, n)
	for _, v := range q.Fixed {
		c.given[v] = 1
		c.branch.tighten(nodeSet(v), 1, 1)
	}
	for _, v := range q.Forbidden {
		c.given[v] = -1
		c.branch.tighten(nodeSet(v), 0, 0)
	}
	if q.Radius > 0 {
		for _, ball := range c.loads.balls(q.Radius) {
			slices.Sort(ball)
			if err := c.require(plain(ball), 1, int64(len(ball))); err != nil {
				return err
			}
		}
	}
	if q.Clients != nil {
		for i, s := range c.linkSets() {
			if err := c.require(s, 0, c.loads.limits[i]); err != nil {
				return err
			}
		}
	}
	identity := make([]int, n)
	for v := range identity {
		identity[v] = v
	}
	c.elements = []*element{newElement(identity)}
	return nil
}

// plain returns the set of some nodes, each once.
func plain(nodes []int) set {
	s := set{nodes: nodes}
	for range nodes {
		s.times = append(s.times, 1)
	}
	return s
}

// linkSets returns, for every link, how much each processor with its clients puts on it.
func (c *checker) linkSets() []set {
	list := make([]set, len(c.loads.ends))
	for v, shares := range c.loads.single {
		for _, s := range shares {
			list[s.link].nodes = append(list[s.link].nodes, v)
			list[s.link].times = append(list[s.link].times, s.amount)
		}
	}
	return list
}

// addSet numbers a set, whose count is 0 to that of all its nodes.
func (c *checker) addSet(s set) error {
	var most int64
	for _, t := range s.times {
		most += t
	}
	c.byNodes[s.key()] = len(c.sets)
	c.sets = append(c.sets, s)
	b := c.branch
	b.lo, b.hi, b.within = append(b.lo, 0), append(b.hi, most), append(b.within, nil)
	if most > mostLimit {
		return wrong("a set of more than 2^40")
	}
	return c.spend(64 + 48*int64(len(s.nodes)))
}

// require numbers a set and bounds its count.
func (c *checker) require(s set, lo, hi int64) error {
	err := c.addSet(s)
	number := len(c.sets) - 1
	c.branch.addSum(c.nodesOf(number))
	c.branch.tighten(number, lo, hi)
	return err
}

// nodesOf returns the sum that a set is: its nodes.
func (c *checker) nodesOf(number int) sum {
	s := sum{whole: number}
	for i, v := range c.sets[number].nodes {
		s.parts = append(s.parts, part{nodeSet(v), c.sets[number].times[i]})
	}
	return s
}

// key is a text that tells sets apart.
func (s set) key() string {
	var b []byte
	for i, v := range s.nodes {
		b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(v)), uint64(s.times[i]))
	}
	return string(b)
}

// run reads definitions and steps until the proof is complete.
func (c *checker) run() error {
	for done := false; !done; {
		var err error
		if done, err = c.next(); err != nil {
			return err
		}
	}
	end, err := c.source.atEnd()
	if err == nil && !end {
		err = wrong("bytes follow the end of the proof, from byte %d", c.source.read)
	}
	return err
}

// next reads one definition or step, and reports whether the proof is complete after it.
func (c *checker) next() (done bool, err error) {
	c.result.Steps++
	c.code = 0
	code, err := c.source.number(mostNumber)
	if err != nil {
		return false, err
	}
	if code < opSet || code > opCrossed {
		return false, wrong("there is no step %d", code)
	}
	c.code = int(code)
	if err := c.spend(1); err != nil {
		return false, err
	}
	if c.code <= opView {
		return false, c.define(c.code)
	}
	if !c.started {
		c.started = true
		if err := c.branch.propagate(c.spend); err != nil {
			return false, err
		}
		c.rootLo, c.rootHi = slices.Clone(c.branch.lo), slices.Clone(c.branch.hi)
		c.branch.trail = nil
	}
	closed, err := c.step(c.code)
	if err != nil || !closed {
		return false, err
	}
	return c.goOn()
}

// step follows one step, and reports whether it closes the branch.
func (c *checker) step(code int) (closed bool, err error) {
	switch code {
	case opSplit, opSplitLow:
		return false, c.split(code == opSplitLow)
	case opLemma:
		return false, c.beginLemma()
	case opFilter:
		return false, c.filter()
	}
	problem := ""
	switch code {
	case opWeigh:
		problem, err = c.weigh()
	case opTurn:
		problem, err = c.turn()
	case opUse:
		problem, err = c.use()
	case opPlace:
		problem, err = c.place()
	case opCrossed:
		problem = "the bounds do not cross"
	}
	if err == nil && problem != "" && !c.branch.crossed {
		err = wrong("%s", problem)
	}
	return err == nil, err
}

// goOn turns to what is open after a branch is closed, and reports whether nothing is.
func (c *checker) goOn() (done bool, err error) {
	for len(c.open) > 0 {
		f := c.open[len(c.open)-1]
		if f.lemma != nil {
			c.lemmas = append(c.lemmas, f.lemma)
			c.branch = f.outer
			c.lemmasOpen--
			c.open = c.open[:len(c.open)-1]
			return false, nil
		}
		c.branch.undo(f.changes)
		c.branch.crossed = f.crossed
		if f.second != nil {
			p := *f.second
			f.second = nil
			return false, c.assume(p)
		}
		c.open = c.open[:len(c.open)-1]
	}
	return true, nil
}

// assume takes a premise into the branch, with what follows.
func (c *checker) assume(p premise) error {
	if p.atLeast {
		c.branch.tighten(p.set, p.number, c.branch.hi[p.set])
	} else {
		c.branch.tighten(p.set, c.branch.lo[p.set], p.number)
	}
	return c.branch.propagate(c.spend)
}

func (c *checker) split(lowFirst bool) error {
	s, err := c.source.below(len(c.sets))
	if err != nil {
		return err
	}
	t, err := c.source.number(mostNumber)
	if err != nil {
		return err
	}
	first, second := premise{s, true, t}, premise{s, false, t - 1}
	if lowFirst {
		first, second = second, first
	}
	if err := c.spend(64); err != nil {
		return err
	}
	c.open = append(c.open, &frame{changes: len(c.branch.trail), crossed: c.branch.crossed, second: &second})
	return c.assume(first)
}

// weigh returns why weighted links need not carry too much in the branch, "" if they have to.
func (c *checker) weigh() (string, error) {
	w, err := c.source.below(len(c.weightings))
	if err != nil {
		return "", err
	}
	g, err := c.source.below(len(c.elements))
	if err != nil {
		return "", err
	}
	v, err := c.source.below(len(c.views))
	if err != nil || c.branch.crossed {
		return "", err
	}
	bound, err := c.lowerBound(c.weightings[w], c.elements[g].inverse, c.views[v])
	if err != nil || bound > 2*c.weightings[w].limit {
		return "", err
	}
	return "twice the load is only known to be at least " + itoa(bound) + ", twice the limit is " +
		itoa(2*c.weightings[w].limit), nil
}

// turn returns why an element need not take each placement of the branch to a greater one, "" if it does.
func (c *checker) turn() (string, error) {
	g, err := c.source.below(len(c.elements))
	if err != nil {
		return "", err
	}
	if c.lemmasOpen > 0 {
		return "", wrong("within a lemma no placement stands for its orbit")
	}
	compare := func(s int) (decided bool, problem string, err error) {
		lo, _, err := c.imageBounds(s, c.elements[g].inverse)
		switch {
		case err != nil || lo > c.branch.hi[s]:
			return true, "", err
		case lo < c.branch.hi[s]:
			return true, "the image may have fewer in set " + itoa(int64(s)), nil
		}
		return false, "", nil
	}
	for _, key := range c.keys {
		if decided, problem, err := compare(key); decided {
			return problem, err
		}
	}
	for v := range c.loads.nodes {
		if decided, problem, err := compare(nodeSet(v)); decided {
			return problem, err
		}
	}
	return "the image may be the placement itself", nil
}

// imageBounds returns between which numbers the count of a moved set is in the branch.
func (c *checker) imageBounds(number int, image []int) (lo, hi int64, err error) {
	s := c.sets[number]
	if err := c.spend(int64(len(s.nodes)) + 1); err != nil {
		return 0, 0, err
	}
	times := map[int]int64{}
	moved := set{}
	for i, v := range s.nodes {
		times[image[v]] = s.times[i]
		moved.nodes = append(moved.nodes, image[v])
	}
	slices.Sort(moved.nodes)
	for _, v := range moved.nodes {
		moved.times = append(moved.times, times[v])
		lo += times[v] * c.branch.lo[nodeSet(v)]
		hi += times[v] * c.branch.hi[nodeSet(v)]
	}
	if known, ok := c.byNodes[moved.key()]; ok {
		lo, hi = max(lo, c.branch.lo[known]), min(hi, c.branch.hi[known])
	}
	return lo, hi, nil
}

// mostDeep is how many lemmas may be begun within each other.
const mostDeep = 16

func (c *checker) beginLemma() error {
	list := []premise{} // not nil: it tells a lemma from a split
	err := c.source.list(func() error {
		s, err := c.source.below(len(c.sets))
		if err != nil {
			return err
		}
		side, err := c.source.number(1)
		if err != nil {
			return err
		}
		t, err := c.source.number(mostNumber)
		list = append(list, premise{s, side == 1, t})
		return firstOf(err, c.spend(32))
	})
	if err != nil {
		return err
	}
	if c.lemmasOpen++; c.lemmasOpen > mostDeep {
		return wrong("more than %d lemmas within each other", mostDeep)
	}
	outer := c.branch
	c.branch = &branch{lo: slices.Clone(c.rootLo), hi: slices.Clone(c.rootHi), crossed: false, sums: outer.sums,
		within: outer.within, queued: make([]bool, len(outer.sums))}
	if err := c.spend(64); err != nil {
		return err
	}
	if err := c.spend(int64(len(c.rootLo) + len(outer.sums))); err != nil {
		return err
	}
	for s := range c.rootLo {
		c.branch.crossed = c.branch.crossed || c.rootLo[s] > c.rootHi[s]
	}
	c.open = append(c.open, &frame{lemma: list, outer: outer})
	for _, p := range list {
		if err := c.assume(p); err != nil {
			return err
		}
	}
	return nil
}

// use returns which premise of a moved lemma the branch need not have, "" if it has all.
func (c *checker) use() (string, error) {
	number, err := c.source.below(len(c.lemmas))
	if err != nil {
		return "", err
	}
	g, err := c.source.below(len(c.elements))
	if err != nil {
		return "", err
	}
	for i, p := range c.lemmas[number] {
		lo, hi, err := c.imageBounds(p.set, c.elements[g].image)
		if err != nil {
			return "", err
		}
		if p.atLeast && lo < p.number || !p.atLeast && hi > p.number {
			return "the branch does not have premise " + itoa(int64(i)) + " of the lemma", nil
		}
	}
	return "", nil
}

// place returns why the branch is not one placement that may be listed, "" if it is.
func (c *checker) place() (string, error) {
	if !c.listing || c.lemmasOpen > 0 {
		return "", wrong("placements are listed only where all answers are asked for, and not within a lemma")
	}
	if c.branch.crossed {
		return "", nil
	}
	known, isFree := c.nodesNow()
	if slices.Contains(isFree, true) {
		return "not all nodes are known", nil
	}
	c.result.Placed = append(c.result.Placed, known)
	return "", c.spend(int64(len(known)) * 8)
}

// filter takes out the free nodes at which a processor would overload a link together with the known ones alone.
func (c *checker) filter() error {
	if c.branch.crossed {
		return nil
	}
	list, err := c.overloading()
	for _, v := range list {
		c.branch.tighten(nodeSet(v), 0, 0)
	}
	return firstOf(err, c.branch.propagate(c.spend))
}
