package kernel

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
)

// A Result says what was accepted.
type Result struct {
	Steps  int64   // definitions and steps read
	Bytes  int64   // of the stream
	Placed [][]int // the placements of the steps "place": no other answers the question, up to symmetry
	// Elements are the images of the nodes under the symmetries of the stream, of one that places.
	Elements [][]int
}

// A Spender is told of steps that are to be taken, each one to some nanoseconds, or a byte of memory; its error ends
// the check.
type Spender func(steps int64) error

// Check reads a stream and returns nil as its error if it refutes the question: no placement answers it, or with
// listing none but those placed and their images under the elements of the stream. Errors are *UnsupportedError for
// questions that the kernel does not take, *WrongError for streams that are no proof, those of spend and of reading.
// Cost: a step takes at most the square of the number of nodes, and what its numbers imply.
func Check(q Question, stream io.Reader, listing bool, spend Spender) (Result, error) {
	c := newChecker(q, listing, reader{bytes: bufio.NewReader(stream), spend: spend})
	return c.check()
}

func (c *checker) check() (Result, error) {
	c.header()
	for c.err == nil && !c.done {
		c.next()
	}
	c.end()
	if w := (*WrongError)(nil); errors.As(c.err, &w) {
		w.Step, w.Rule = int(c.result.Steps), names[c.code]
	}
	c.result.Bytes = c.read
	for _, e := range c.elements {
		if c.listing {
			c.result.Elements = append(c.result.Elements, e.to.node)
		}
	}
	return c.result, c.err
}

// A checker is the state of a check.
type checker struct {
	reader
	question Question
	listing  bool
	slicing  *slicing // nil where the stream is the whole proof
	loads    *loads
	code     int // of the definition or step at hand, 0 before the first
	result   Result

	sets       []set
	byNodes    map[string]int // the number of a set by its nodes
	given      []int8         // by node: 1 fixed, -1 forbidden, else 0
	keys       []int
	elements   []*element
	weightings []*weighting
	views      []*view
	lemmas     [][]premise

	branch *branch
	root   *branch // before the first step; nil until that: sets, sums and keys may come
	open   []*frame
	deep   int // lemmas that have begun
	done   bool

	none []int64 // 0 for every node

	// What steps overwrite: nodes, numbers by node, costs, loads.
	known                          []int
	free                           []bool
	between, missing, costs, heads []int64
	shares                         []share
	// By link the weights of a weighting, and the links that have some.
	weights []int64
	laid    []int
	// Kept from filter to filter: the nodes whose loads are in it, and by link the room left; by node and link what a
	// processor would bring.
	loaded      []bool
	room, bring []int64
}

// A premise is a bound on the count of a set: at least or at most a number.
type premise struct {
	set     int
	atLeast bool
	number  int64
}

// A frame is a proof that has begun: the two sides of a split, or the proof of a lemma.
type frame struct {
	changes int      // of the branch at the beginning
	crossed bool     // was the branch then
	second  *premise // of a split, until its second side
	lemma   []premise
	outer   *branch // of a lemma: the branch to go on with
}

// Numbers of sets that every question has: all nodes, then each node.
const allNodes = 0

func nodeSet(v int) int { return 1 + v }

// newChecker makes the sets and bounds of the question.
func newChecker(q Question, listing bool, r reader) *checker {
	c := &checker{reader: r, question: q, listing: listing, byNodes: map[string]int{}, branch: &branch{}}
	if c.loads = newLoads(q, &c.reader); c.err != nil {
		return c
	}
	n := c.loads.nodes
	nodes := make([]int, n)
	for v := range nodes {
		nodes[v] = v
	}
	c.elements = []*element{newElement(nodes)}
	c.given, c.free, c.between = make([]int8, n), make([]bool, n), make([]int64, n)
	c.none, c.weights = make([]int64, n), make([]int64, len(c.loads.ends))
	c.addNodes(plain(nodes))
	for v := range n {
		c.addNodes(plain([]int{v}))
	}
	c.branch.addSum(c.nodesOf(allNodes))
	c.branch.tighten(allNodes, int64(q.Size), int64(q.Size))
	for _, v := range q.Fixed {
		c.given[v] = 1
		c.branch.tighten(nodeSet(v), 1, 1)
	}
	for _, v := range q.Forbidden {
		c.given[v] = -1
		c.branch.tighten(nodeSet(v), 0, 0)
	}
	if q.Radius > 0 {
		for _, distance := range c.loads.distance {
			ball := slices.DeleteFunc(slices.Clone(nodes), func(v int) bool { return distance[v] > q.Radius })
			c.branch.tighten(c.addSet(plain(ball)), 1, int64(len(ball)))
		}
	}
	if q.Clients != nil {
		for i, s := range c.linkSets() {
			if c.err == nil {
				c.branch.tighten(c.addSet(s), 0, c.loads.limits[i])
			}
		}
	}
	return c
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

// addNodes gives a set its number, with bounds from 0 to the count of all its nodes.
func (c *checker) addNodes(s set) int {
	var most int64
	for _, t := range s.times {
		most += t
	}
	if most > mostLimit {
		c.wrong("a set of more than 2^40")
	}
	number := len(c.sets)
	c.byNodes[s.key()] = number
	c.sets = append(c.sets, s)
	b := c.branch
	b.lo, b.hi, b.within = append(b.lo, 0), append(b.hi, most), append(b.within, nil)
	c.pay(64 + 48*int64(len(s.nodes)))
	return number
}

// addSet numbers a set, as the sum of its nodes.
func (c *checker) addSet(s set) int {
	number := c.addNodes(s)
	if c.err == nil {
		c.branch.addSum(c.nodesOf(number))
	}
	return number
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

// next reads one definition or step.
func (c *checker) next() {
	c.result.Steps++
	c.code = 0
	code := c.number(mostNumber)
	if code < opSet || code > opSlice {
		c.wrong("there is no step %d", code)
		return
	}
	c.code = int(code)
	if c.pay(1); c.code <= opView {
		c.define(c.code)
		return
	}
	if c.root == nil {
		c.propagate()
		c.branch.trail = nil
		c.root = c.branch.clone()
		c.enter()
	}
	switch c.code {
	case opSplit, opSplitLow:
		c.split(c.code == opSplitLow)
	case opLemma:
		c.beginLemma()
	case opFilter:
		c.filter()
	default:
		if problem := c.close(c.code); problem != "" && !c.branch.crossed {
			c.wrong("%s", problem)
		} else if c.err == nil {
			c.goOn()
		}
	}
}

// close reads a step that is to close the branch, and returns why it does not, "" if it does.
func (c *checker) close(code int) string {
	switch code {
	case opWeigh:
		return c.weigh()
	case opTurn:
		return c.turn()
	case opUse:
		return c.use()
	case opPlace:
		return c.place()
	case opDistance:
		return c.far()
	case opSlice:
		c.leave()
		return ""
	}
	return "the bounds do not cross"
}

// goOn turns to what is open after a branch is closed.
func (c *checker) goOn() {
	for len(c.open) > 0 {
		f := c.open[len(c.open)-1]
		if p := f.second; p != nil {
			f.second = nil
			c.branch.undo(f.changes)
			c.branch.crossed = f.crossed
			c.assume(*p)
			return
		}
		c.open = c.open[:len(c.open)-1]
		if f.outer != nil {
			c.lemmas = append(c.lemmas, f.lemma)
			c.branch = f.outer
			c.deep--
			return
		}
	}
	c.done = true
}

// assume takes a premise into the branch, with what follows.
func (c *checker) assume(p premise) {
	if p.atLeast {
		c.branch.tighten(p.set, p.number, c.branch.hi[p.set])
	} else {
		c.branch.tighten(p.set, c.branch.lo[p.set], p.number)
	}
	c.propagate()
}

func (c *checker) propagate() {
	if c.err == nil {
		c.err = c.branch.propagate(c.spend)
	}
}

func (c *checker) split(lowFirst bool) {
	s, t := c.below(len(c.sets)), c.number(mostNumber)
	first, second := premise{s, true, t}, premise{s, false, t - 1}
	if lowFirst {
		first, second = second, first
	}
	c.pay(64)
	c.open = append(c.open, &frame{changes: len(c.branch.trail), crossed: c.branch.crossed, second: &second})
	c.assume(first)
}

// weigh returns why weighted links need not carry too much in the branch.
func (c *checker) weigh() string {
	w, g, v := c.below(len(c.weightings)), c.below(len(c.elements)), c.below(len(c.views))
	if c.err != nil || c.branch.crossed {
		return ""
	}
	limit := 2 * c.weightings[w].limit
	if bound := c.lowerBound(c.weightings[w], c.elements[g], c.views[v]); bound <= limit {
		return fmt.Sprintf("twice the load is only known to be at least %d, twice the limit is %d", bound, limit)
	}
	return ""
}

// turn returns why an element need not take each placement of the branch to a greater one.
func (c *checker) turn() string {
	g := c.below(len(c.elements))
	if c.deep > 0 {
		c.wrong("within a lemma no placement stands for its orbit")
		return ""
	}
	for i := range len(c.keys) + c.loads.nodes {
		s := nodeSet(i - len(c.keys))
		if i < len(c.keys) {
			s = c.keys[i]
		}
		switch lo, most := c.boundsOf(c.elements[g].back, s).lo, c.branch.hi[s]; {
		case lo > most:
			return ""
		case lo < most:
			return fmt.Sprintf("the image may have fewer in set %d", s)
		}
	}
	return "the image may be the placement itself"
}

// mostDeep is how many lemmas may be begun within each other.
const mostDeep = 16

func (c *checker) beginLemma() {
	var list []premise
	c.list(func() {
		list = append(list, premise{c.below(len(c.sets)), c.number(1) == 1, c.number(mostNumber)})
		c.pay(32)
	})
	if c.deep++; c.deep > mostDeep {
		c.wrong("more than %d lemmas within each other", mostDeep)
	}
	c.pay(64 + int64(len(c.sets)+len(c.branch.sums)))
	c.open = append(c.open, &frame{lemma: list, outer: c.branch})
	c.branch = c.root.clone()
	for _, p := range list {
		c.assume(p)
	}
}

// use returns which premise of a moved lemma the branch need not have.
func (c *checker) use() string {
	lemma, g := c.below(len(c.lemmas)), c.below(len(c.elements))
	if c.err != nil {
		return ""
	}
	for i, p := range c.lemmas[lemma] {
		if of := c.boundsOf(c.elements[g].to, p.set); p.atLeast && of.lo < p.number || !p.atLeast && of.hi > p.number {
			return fmt.Sprintf("the branch does not have premise %d of the lemma", i)
		}
	}
	return ""
}

// place returns why the branch is not one placement that may be listed.
func (c *checker) place() string {
	if !c.listing || c.deep > 0 || c.question.Free != nil {
		c.wrong("placements are listed only where all answers of a given routing are asked for, and not within a lemma")
	}
	known, free := c.nodesNow()
	switch {
	case c.branch.crossed:
	case slices.Contains(free, true):
		return "not all nodes are known"
	case c.question.Distance > 0 && c.far() == "":
		return "the nodes are farther from it than they may be"
	default:
		c.result.Placed = append(c.result.Placed, slices.Clone(known))
		c.pay(int64(len(known)) * 8)
	}
	return ""
}

// far returns why nodes need not be farther from their nearest processors than they may be together. That is the sum
// over d of the nodes farther than d: those that are so from all known processors, but for what others are within d of.
func (c *checker) far() string {
	if c.question.Distance == 0 {
		return "the question has no distance"
	}
	known, free := c.nodesNow()
	total, from, left := int64(0), c.loads.distance, c.sets[allNodes].nodes
	for d := 0; d < c.loads.nodes && len(left) > 0; d++ {
		c.pay(int64(len(left) * c.loads.nodes))
		left = slices.DeleteFunc(slices.Clone(left), func(v int) bool {
			return slices.ContainsFunc(known, func(u int) bool { return from[u][v] <= d })
		})
		var fewer []int64 // by free node: how many fewer are left with a processor there
		for x := range from {
			if !free[x] {
				continue
			}
			count := int64(0)
			for _, v := range left {
				if from[x][v] <= d {
					count--
				}
			}
			fewer = append(fewer, count)
		}
		total += max(0, int64(len(left))+leastSum(fewer, int64(c.question.Size-len(known))))
	}
	if total <= int64(c.question.Distance) {
		return fmt.Sprintf("the nodes are only known to be %d links from their processors", total)
	}
	return ""
}

// filter takes out the free nodes at which a processor would overload a link together with the known ones alone.
func (c *checker) filter() {
	if c.loads.chosen {
		c.wrong("what processors put on links is not certain where paths depend on them or are free")
		return
	}
	if !c.branch.crossed {
		for _, v := range c.overloading() {
			c.branch.tighten(nodeSet(v), 0, 0)
		}
		c.propagate()
	}
}
