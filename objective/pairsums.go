package objective

import "leeway/core/routing"

// pairSums adds and removes the joint flows of pairs.
type pairSums struct {
	flows *flowTable
	den   int64
	load  []int64
	nodes []int
	place []int // where a node stands in nodes, -1 if it has no processor
	log   moveLog
}

func newPairSums(r routing.Routing, den int64) *pairSums {
	t := r.Torus()
	e := &pairSums{flows: newFlowTable(r, den), den: den, load: make([]int64, t.M()), place: make([]int, t.N())}
	e.Reset(nil)
	return e
}

func (e *pairSums) Den() int64  { return e.den }
func (e *pairSums) Exact() bool { return true }

func (e *pairSums) Reset(nodes []int) {
	clear(e.load)
	e.nodes, e.log = e.nodes[:0], e.log[:0]
	for v := range e.place {
		e.place[v] = -1
	}
	for _, v := range nodes {
		e.add(v)
	}
}

func (e *pairSums) Add(v int)        { e.log.make(e, none, v) }
func (e *pairSums) Remove(v int)     { e.log.make(e, v, none) }
func (e *pairSums) Swap(out, in int) { e.log.make(e, out, in) }
func (e *pairSums) Undo()            { e.log.undo(e) }

func (e *pairSums) change(out, in int) {
	if out != none {
		e.remove(out)
	}
	if in != none {
		e.add(in)
	}
}

func (e *pairSums) add(v int) {
	for _, q := range e.nodes {
		e.flows.each(v, q, func(l int, w int64) { e.load[l] += w })
	}
	e.place[v] = len(e.nodes)
	e.nodes = append(e.nodes, v)
}

func (e *pairSums) remove(v int) {
	last := e.nodes[len(e.nodes)-1]
	e.nodes[e.place[v]] = last
	e.place[last] = e.place[v]
	e.nodes = e.nodes[:len(e.nodes)-1]
	e.place[v] = -1
	for _, q := range e.nodes {
		e.flows.each(v, q, func(l int, w int64) { e.load[l] -= w })
	}
}

func (e *pairSums) Peak() (int64, int) { return peak(e.load) }

func (e *pairSums) TrySwap(out, in int) (int64, int) { return trySwap(e, out, in) }
