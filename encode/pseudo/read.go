package pseudo

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"slices"

	"leeway/core"
	"leeway/encode/steps"
)

// Codes of definitions and steps, as docs/steps.md lists them.
const (
	opSet = iota + 1
	opSum
	opKeys
	opElement
	opProduct
	opWeighting
	opView
	opSplit
	opSplitLow
	opWeigh
	opTurn
	opLemma
	opUse
	opPlace
	opFilter
	opCrossed
	opDistance
	opSlice
)

// Limits of numbers, of lists, and of how deep proofs are read.
const (
	mostNumber = 1<<32 - 1
	mostListed = 1 << 20
	mostDeep   = 1 << 20
)

// A set is a multiset of nodes, ascending.
type set struct {
	nodes []int
	times []int64
}

// most returns the count of a set when all nodes have processors.
func (s set) most() (total int64) {
	for _, t := range s.times {
		total += t
	}
	return total
}

// moved returns the image of a set under a map of the nodes.
func (s set) moved(image []int) set {
	times := make([]int64, len(image))
	for i, v := range s.nodes {
		times[image[v]] = s.times[i]
	}
	var m set
	for v, t := range times {
		if t > 0 {
			m.nodes, m.times = append(m.nodes, v), append(m.times, t)
		}
	}
	return m
}

// key is a text that tells sets apart.
func (s set) key() string {
	var b []byte
	for i, v := range s.nodes {
		b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(v)), uint64(s.times[i]))
	}
	return string(b)
}

// A part is a set that counts times in a sum.
type part struct {
	set   int
	times int64
}

// A sum says that a whole is the sum of its parts.
type sum struct {
	whole int
	parts []part
}

// A moving maps nodes and links.
type moving struct{ node, link []int }

// compose returns the map that is f after g.
func (f moving) compose(g moving) moving {
	through := func(f, g []int) []int {
		h := make([]int, len(g))
		for i, x := range g {
			h[i] = f[x]
		}
		return h
	}
	return moving{through(f.node, g.node), through(f.link, g.link)}
}

// back returns the nodes by their images.
func (f moving) back() []int {
	back := make([]int, len(f.node))
	for v, w := range f.node {
		back[w] = v
	}
	return back
}

// A premise is a bound on the count of a set: at least, or at most, a number.
type premise struct {
	set     int
	atLeast bool
	number  int64
}

// A lemma is its premises with the proof that nothing has them.
type lemma struct {
	premises []premise
	proof    *step
}

// A step of a proof: what closes a branch, a filter with what follows in first, or a split with the proofs of its first
// and second side.
type step struct {
	at            int // counted from 1, definitions too
	code          int
	args          [3]int
	first, second *step
}

// A stream is a proof that was read whole.
type stream struct {
	sets       []set
	byNodes    map[string]int
	sums       []sum
	keys       []int
	elements   []moving
	weightings [][]share // links with their weights
	views      [][2][]int
	lemmas     []lemma
	proof      *step
	turns      bool // there is a step turn
}

// A reader reads a stream. The first error stays; after it all numbers are 0.
type reader struct {
	*formula
	from    *bufio.Reader
	at      int // number of the definition or step
	begun   bool
	deep    int
	stopped error
	stream
}

// read reads the stream of a proof about a formula. It makes sure that numbers name things that are there; whether the
// steps are a proof only a checker says. Errors name the step.
func (f *formula) read(from io.Reader) (*stream, error) {
	r := &reader{formula: f, from: bufio.NewReader(from)}
	r.byNodes = map[string]int{}
	header := make([]byte, len(steps.Header))
	if _, err := io.ReadFull(r.from, header); err != nil || string(header) != steps.Header {
		return nil, fmt.Errorf("steps: the stream does not begin with %q", steps.Header)
	}
	r.elements = []moving{{core.Range(f.n), core.Range(len(f.ends))}}
	r.addSet(set{core.Range(f.n), slices.Repeat([]int64{1}, f.n)})
	for v := range f.n {
		r.addSet(set{[]int{v}, []int64{1}})
	}
	for _, near := range f.balls() {
		r.addSet(set{near, slices.Repeat([]int64{1}, len(near))})
	}
	if f.problem.Traffic.Clients() {
		list := make([]set, len(f.ends))
		for v, shares := range f.single {
			for _, s := range shares {
				list[s.link].nodes = append(list[s.link].nodes, v)
				list[s.link].times = append(list[s.link].times, s.amount)
			}
		}
		for _, s := range list {
			r.addSet(s)
		}
	}
	r.proof = r.prove()
	if _, err := r.from.ReadByte(); err == nil {
		r.fail("bytes follow the end of the proof")
	}
	return &r.stream, r.stopped
}

func (r *reader) fail(format string, args ...any) {
	if r.stopped == nil {
		r.stopped = fmt.Errorf("steps: number %d: %w", r.at, fmt.Errorf(format, args...))
	}
}

// number reads a number.
func (r *reader) number() int64 {
	value, err := uint64(0), r.stopped
	if err == nil {
		if value, err = binary.ReadUvarint(r.from); err != nil || value > mostNumber {
			r.fail("the stream ends early, or has a number above 2^32-1")
		}
	}
	if r.stopped != nil {
		return 0
	}
	return int64(value)
}

// index reads the number of one of count things.
func (r *reader) index(count int) int {
	value := r.number()
	if value >= int64(count) {
		r.fail("number %d of %d things", value, count)
		return 0
	}
	return int(value)
}

func (r *reader) list(entry func()) {
	count := r.number()
	if count > mostListed {
		r.fail("a list of %d", count)
	}
	for ; count > 0 && r.stopped == nil; count-- {
		entry()
	}
}

func (r *reader) addSet(s set) {
	r.byNodes[s.key()] = len(r.sets)
	r.sets = append(r.sets, s)
	own := sum{whole: len(r.sets) - 1}
	for i, v := range s.nodes {
		own.parts = append(own.parts, part{1 + v, s.times[i]})
	}
	if len(r.sets) == 1 || len(r.sets) > 1+r.n {
		r.sums = append(r.sums, own)
	}
}

// prove reads the proof of a branch, with the definitions in it. It returns nil after an error.
func (r *reader) prove() *step {
	if r.deep++; r.deep > mostDeep {
		r.fail("branches of more than %d steps", mostDeep)
	}
	defer func() { r.deep-- }()
	for r.stopped == nil {
		r.at++
		s := &step{at: r.at, code: int(r.number())}
		if r.stopped != nil {
			break
		}
		r.begun = r.begun || s.code > opView
		switch s.code {
		case opSplit, opSplitLow:
			s.args = [3]int{r.index(len(r.sets)), int(r.number())}
			s.first = r.prove()
			s.second = r.prove()
		case opWeigh:
			s.args = [3]int{r.index(len(r.weightings)), r.index(len(r.elements)), r.index(len(r.views))}
		case opTurn:
			s.args[0], r.turns = r.index(len(r.elements)), true
		case opLemma:
			l := lemma{}
			r.list(func() {
				l.premises = append(l.premises, premise{r.index(len(r.sets)), r.number() == 1, r.number()})
			})
			l.proof = r.prove()
			r.lemmas = append(r.lemmas, l)
			continue
		case opUse:
			s.args = [3]int{r.index(len(r.lemmas)), r.index(len(r.elements))}
		case opFilter:
			s.first = r.prove()
		case opCrossed, opDistance:
		case opPlace:
			r.fail("step place: VeriPB is told that nothing answers, but the step lists what does")
		case opSlice:
			r.fail("step slice: the branch is refuted elsewhere; a proof is translated from one stream")
		default:
			r.define(s.code)
			continue
		}
		return s
	}
	return nil
}

// define reads a definition.
func (r *reader) define(code int) {
	switch {
	case code == opSet && !r.begun:
		var s set
		r.list(func() {
			v, last := r.index(r.n), len(s.nodes)-1
			switch {
			case last >= 0 && s.nodes[last] == v:
				s.times[last]++
			case last >= 0 && s.nodes[last] > v:
				r.fail("node %d after node %d", v, s.nodes[last])
			default:
				s.nodes, s.times = append(s.nodes, v), append(s.times, 1)
			}
		})
		r.addSet(s)
	case code == opSum && !r.begun:
		s := sum{whole: r.index(len(r.sets))}
		r.list(func() {
			p := part{r.index(len(r.sets)), r.number()}
			if p.times == 0 {
				r.fail("a part that counts 0 times")
			}
			s.parts = append(s.parts, p)
		})
		r.sums = append(r.sums, s)
	case code == opKeys && !r.begun:
		r.list(func() { r.keys = append(r.keys, r.index(len(r.sets))) })
	case code == opElement:
		r.element()
	case code == opProduct:
		f, g := r.index(len(r.elements)), r.index(len(r.elements))
		r.elements = append(r.elements, r.elements[f].compose(r.elements[g]))
	case code == opWeighting:
		var list []share
		r.list(func() { list = append(list, share{r.index(len(r.ends)), r.number()}) })
		r.weightings = append(r.weightings, list)
	case code == opView:
		var view [2][]int
		for i := range view {
			r.list(func() { view[i] = append(view[i], r.index(len(r.sets))) })
		}
		r.views = append(r.views, view)
	default:
		r.fail("there is no step %d here", code)
	}
}

// element reads an element and maps the links: of several from one node to another the first to the first, and so on,
// and to the reverse link along dimensions that it turns.
func (r *reader) element() {
	turned, m := r.number(), moving{link: core.Range(len(r.ends))}
	for range r.n {
		m.node = append(m.node, r.index(r.n))
	}
	order := slices.Sorted(slices.Values(m.node))
	for v, w := range order {
		if v != w && r.stopped == nil {
			r.fail("an element is no permutation")
		}
	}
	if r.stopped != nil {
		return
	}
	between, rank := r.torus.LinksBetween(), map[[2]int]int{}
	for l := range r.torus.EachLink() {
		e := r.ends[l]
		list := between[[2]int{m.node[e[0]], m.node[e[1]]}]
		if rank[e] >= len(list) {
			r.fail("an element takes link %d to none", l)
			return
		}
		to := list[rank[e]]
		rank[e]++
		if _, port := r.torus.LinkFrom(to); turned>>port.Dim&1 == 1 {
			to = r.torus.Reverse(to)
		}
		m.link[l] = int(to)
	}
	r.elements = append(r.elements, m)
}
