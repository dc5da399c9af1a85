package kernel

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"leeway/core"
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
// questions that the kernel does not take, *WrongError for streams that prove nothing, those of spend and of reading.
// Cost: a step takes at most the square of the number of nodes, and what its numbers imply.
func Check(q Question, stream io.Reader, listing bool, spend Spender) (Result, error) {
	p, err := Prepare(q, spend)
	if err != nil {
		return Result{}, err
	}
	return newChecker(p, listing, stream, spend).check()
}

// A Prepared is a question that the kernel takes, with what its messages put on links, for any number of streams about
// it, also side by side.
type Prepared struct {
	question Question
	loads    *loads
	verified sync.Map // of the elements that streams had: what it took to verify them, by what they were written as
}

// Prepare returns a question as Check takes it. Errors are *UnsupportedError and those of spend.
func Prepare(q Question, spend Spender) (*Prepared, error) {
	r := reader{spend: spend}
	p := &Prepared{question: q, loads: newLoads(q, &r)}
	return p, r.err
}

func (c *checker) check() (Result, error) {
	c.header()
	for c.err == nil && !c.done {
		c.next()
	}
	c.end()
	if w := (*WrongError)(nil); errors.As(c.err, &w) {
		w.Step, w.Rule = int(c.result.Steps), rules[c.code].name
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
	*Prepared
	listing bool
	slicing bool // whether the stream may leave slices to others
	slice   Slice
	left    []Slice
	code    int // of the definition or step at hand, 0 before the first
	result  Result

	sets       [][]term       // nodes in ascending order, each as often as it counts
	byNodes    map[string]int // the number of a set by its nodes
	keys       []int
	elements   []*element
	weightings []*weighting
	views      []*view
	lemmas     [][]Bound

	branch *branch
	root   *branch   // before the first step; nil until that: sets, sums and keys may come
	spare  []*branch // like root: those of lemmas that are proved
	open   []frame
	deep   int // lemmas that have begun
	done   bool

	// What steps overwrite: nodes, numbers by node and by link, costs.
	known               []int
	free                []bool
	lo, hi              []int64
	links               []int   // of seenFrom
	seen                [][]int // by node: what seenFrom returned
	inner, heads, sends []int64
	inside, costs       []int64
}

// A frame is what follows the proof at hand: for a split the proof of its second side, for a lemma the rest of the
// branch that it was begun in.
type frame struct {
	changes int  // of the branch before the split
	crossed bool // was the branch then
	second  Bound

	lemma []Bound
	outer *branch // nil for a split
}

// Numbers of sets that every question has: all nodes, then each node.
const allNodes = 0

func nodeSet(v int) int { return 1 + v }

// newChecker makes the sets and bounds of the question.
func newChecker(p *Prepared, listing bool, stream io.Reader, spend Spender) *checker {
	c := &checker{reader: reader{bytes: bufio.NewReader(stream), spend: spend}, Prepared: p, listing: listing,
		byNodes: map[string]int{}, branch: &branch{}}
	q, n := p.question, p.loads.nodes
	c.free, c.links, c.seen = make([]bool, n), make([]int, len(c.loads.limits)), make([][]int, n)
	c.lo, c.hi = make([]int64, n), make([]int64, n)
	c.addElement(core.Range(n))
	var all []term
	for v := range n {
		all = append(all, term{v, 1})
	}
	c.addSet(all)
	for v := range n {
		c.addSet(all[v : v+1])
	}
	c.addSumOfNodes(allNodes)
	c.branch.tighten(allNodes, int64(q.Size), int64(q.Size))
	for _, v := range q.Fixed {
		c.branch.tighten(nodeSet(v), 1, 1)
	}
	for _, v := range q.Forbidden {
		c.branch.tighten(nodeSet(v), 0, 0)
	}
	for u := 0; q.Radius > 0 && u < n; u++ {
		far := func(t term) bool { return c.loads.distance[u*n+t.of] > q.Radius }
		ball := slices.DeleteFunc(slices.Clone(all), far)
		c.branch.tighten(c.addSet(ball), 1, int64(len(ball)))
	}
	if q.Clients != nil {
		puts := make([][]term, len(c.loads.limits)) // by link: the nodes that put something there alone
		for v := range n {
			links := c.seenFrom(v)
			for _, t := range c.loads.exchanged(v, v) {
				puts[links[t.of]] = append(puts[links[t.of]], term{v, t.times})
			}
		}
		for link := 0; link < len(puts) && c.err == nil; link++ {
			c.branch.tighten(c.addSet(puts[link]), 0, c.loads.limits[link])
		}
	}
	return c
}

// addSet numbers a set, with bounds from 0 to the count of all its nodes, of which it is the sum.
func (c *checker) addSet(nodes []term) int {
	var most int64
	for _, t := range nodes {
		most += t.times
	}
	if most > mostLimit {
		c.wrong("a set of more than 2^40")
	}
	number, b := len(c.sets), c.branch
	c.byNodes[key(nodes)] = number
	c.sets = append(c.sets, nodes)
	b.addSet(most)
	c.pay(64 + 48*int64(len(nodes)))
	if number > c.loads.nodes && c.err == nil {
		c.addSumOfNodes(number)
	}
	return number
}

func (c *checker) addSumOfNodes(number int) {
	var parts []term
	for _, t := range c.sets[number] {
		parts = append(parts, term{nodeSet(t.of), t.times})
	}
	c.branch.addSum(number, parts)
}

// key is a text that tells sets apart.
func key(nodes []term) string {
	var b []byte
	for _, t := range nodes {
		b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(t.of)), uint64(t.times))
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
	c.pay(1)
	switch c.code = int(code); {
	case c.code <= opKeys && c.root != nil:
		c.wrong("sets, sums and keys come before all steps")
		return
	case c.code > opView && c.root == nil:
		c.begin()
	}
	rule := rules[c.code]
	if rule.read != nil {
		rule.read(c)
	} else if problem := rule.close(c); problem != "" && !c.branch.crossed {
		c.wrong("%s", problem)
	} else if c.err == nil {
		c.goOn()
	}
}

// begin comes to the first branch: no sets, sums and keys follow.
func (c *checker) begin() {
	c.branch.propagate(&c.reader)
	c.branch.trail = nil
	if c.root = c.branch.clone(); c.slicing && c.err == nil {
		c.enter()
	}
}

// goOn turns to what is open after a branch is closed.
func (c *checker) goOn() {
	if c.done = len(c.open) == 0; c.done {
		return
	}
	f := c.open[len(c.open)-1]
	c.open = c.open[:len(c.open)-1]
	if f.outer != nil {
		c.lemmas = append(c.lemmas, f.lemma)
		c.branch.undo(0)
		c.branch.crossed = c.root.crossed
		c.spare = append(c.spare, c.branch)
		c.branch = f.outer
		c.deep--
		return
	}
	c.branch.undo(f.changes)
	c.branch.crossed = f.crossed
	c.assume(f.second)
}

// atLeast returns the bound of a side of a split, or of a premise: a count is at least a number, or at most that.
func atLeast(is bool, set int, count int64) Bound {
	if is {
		return Bound{set, count, mostLimit} // no count is above that
	}
	return Bound{set, 0, count}
}

// assume takes a bound into the branch, with what follows.
func (c *checker) assume(b Bound) {
	c.branch.tighten(b.Set, b.Lo, b.Hi)
	c.branch.propagate(&c.reader)
}

func (c *checker) split() {
	s, t := c.index(len(c.sets)), c.number(mostNumber)
	first, second := atLeast(true, s, t), atLeast(false, s, t-1)
	if c.code == opSplitLow {
		first, second = second, first
	}
	c.pay(64)
	c.open = append(c.open, frame{changes: len(c.branch.trail), crossed: c.branch.crossed, second: second})
	c.assume(first)
}

// mostDeep is how many lemmas may be begun within each other.
const mostDeep = 16

func (c *checker) beginLemma() {
	var premises []Bound
	c.list(func() {
		s, side, t := c.index(len(c.sets)), c.number(1), c.number(mostNumber)
		premises = append(premises, atLeast(side == 1, s, t))
		c.pay(32)
	})
	if c.deep++; c.deep > mostDeep {
		c.wrong("more than %d lemmas within each other", mostDeep)
	}
	c.open = append(c.open, frame{lemma: premises, outer: c.branch})
	if c.pay(64); len(c.spare) == 0 {
		c.pay(int64(len(c.sets) + len(c.branch.rows)))
		c.spare = append(c.spare, c.root.clone())
	}
	c.branch, c.spare = c.spare[len(c.spare)-1], c.spare[:len(c.spare)-1]
	for _, p := range premises {
		c.branch.tighten(p.Set, p.Lo, p.Hi)
	}
	c.branch.propagate(&c.reader)
}

// use returns which premise of a moved lemma the branch need not have.
func (c *checker) use() string {
	lemma, g := c.index(len(c.lemmas)), c.index(len(c.elements))
	if c.err != nil {
		return ""
	}
	for i, p := range c.lemmas[lemma] {
		if b := c.boundsOf(&c.elements[g].to, p.Set); b.Lo < p.Lo || b.Hi > p.Hi {
			return fmt.Sprintf("the branch does not have premise %d of the lemma", i)
		}
	}
	return ""
}

// turn returns why an element need not take each placement of the branch to a greater one.
func (c *checker) turn() string {
	g := c.index(len(c.elements))
	if c.deep > 0 {
		c.wrong("within a lemma no placement stands for its orbit")
		return ""
	}
	for i := range len(c.keys) + c.loads.nodes {
		s := nodeSet(i - len(c.keys))
		if i < len(c.keys) {
			s = c.keys[i]
		}
		switch lo, most := c.boundsOf(&c.elements[g].back, s).Lo, c.branch.hi(s); {
		case lo > most:
			return ""
		case lo < most:
			return fmt.Sprintf("the image may have fewer in set %d", s)
		}
	}
	return "the image may be the placement itself"
}

// nodesNow returns the nodes that have a processor in every placement of the branch, and which nodes are free: some
// placements may have one there, others not. Both are overwritten by the next call.
func (c *checker) nodesNow() (known []int, free []bool) {
	known, free = c.known[:0], c.free
	for v := range free {
		lo, hi := c.branch.lo(nodeSet(v)), c.branch.hi(nodeSet(v))
		if free[v] = lo == 0 && hi > 0; lo > 0 {
			known = append(known, v)
		}
	}
	c.known = known
	return known, free
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
	n, distance, total := c.loads.nodes, c.loads.distance, int64(0)
	for d, left := 0, core.Range(n); d < n && len(left) > 0; d++ {
		c.pay(int64(n * (len(left) + 1)))
		left = slices.DeleteFunc(left, func(v int) bool {
			return slices.ContainsFunc(known, func(u int) bool { return distance[u*n+v] <= d })
		})
		fewer := make([]int64, n) // by free node: how many fewer are left with a processor there, negative
		for x := range fewer {
			for _, v := range left {
				if free[x] && distance[x*n+v] <= d {
					fewer[x]--
				}
			}
		}
		total += max(0, int64(len(left))+leastSum(fewer, int64(c.question.Size-len(known))))
	}
	if total <= int64(c.question.Distance) {
		return fmt.Sprintf("the nodes are only known to be %d links from their processors", total)
	}
	return ""
}

// filter takes out the free nodes at which a processor would overload a link together with the known ones alone. Where
// these alone overload one, the bounds cross.
func (c *checker) filter() {
	if c.loads.chosen {
		c.wrong("what processors put on links is not certain where paths depend on them or are free")
	}
	if c.err != nil || c.branch.crossed {
		return
	}
	known, free := c.nodesNow()
	limits := c.loads.limits
	c.pay(2 * int64(len(limits)*(len(known)+len(free)+1)))
	room, rest := slices.Clone(limits), make([]int64, len(limits)) // what links have left besides the known processors
	over := slices.Min(room) < 0
	// put takes from the room what u puts on links with others, and alone if it is among them.
	put := func(u int, others []int, room []int64) {
		links := c.seenFrom(u)
		for i := 0; i < len(others) && !over; i++ {
			list := c.loads.exchanged(u, others[i])
			for _, t := range list {
				left := &room[links[t.of]]
				*left -= t.times
				over = over || *left < 0
			}
			c.pay(int64(len(list)) + 1)
		}
	}
	for i, u := range known {
		put(u, known[:i+1], room)
	}
	c.branch.crossed = over
	for v := 0; v < len(free) && !c.branch.crossed && c.err == nil; v++ {
		if !free[v] {
			continue
		}
		over = false
		copy(rest, room)
		if put(v, append(known, v), rest); over {
			c.branch.tighten(nodeSet(v), 0, 0)
		}
	}
	c.branch.propagate(&c.reader)
}
