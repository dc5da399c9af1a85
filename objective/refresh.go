package objective

import (
	"leeway/core"
	"leeway/core/routing"
)

// refresh is an Incremental that evaluates anew after every change, by the
// engine of its routing. On large tori that is cheaper than adding and removing
// the flows of all pairs of one processor.
type refresh struct {
	engine engine
	dims   int
	den    int64
	in     core.Set
	nodes  []int
	stale  bool
	log    moveLog
}

func newRefresh(r routing.Routing, den int64) *refresh {
	t := r.Torus()
	return &refresh{engine: NewEvaluator(r).engine, dims: t.D(), den: den, in: core.NewSet(t.N()), stale: true}
}

func (e *refresh) Den() int64  { return e.den }
func (e *refresh) Exact() bool { return true }

func (e *refresh) Reset(nodes []int) {
	clear(e.in)
	e.log, e.stale = e.log[:0], true
	for _, v := range nodes {
		e.in.Add(v)
	}
}

func (e *refresh) Add(v int)        { e.log.make(e, none, v) }
func (e *refresh) Remove(v int)     { e.log.make(e, v, none) }
func (e *refresh) Swap(out, in int) { e.log.make(e, out, in) }
func (e *refresh) Undo()            { e.log.undo(e) }

func (e *refresh) change(out, in int) {
	if out != none {
		e.in.Remove(out)
	}
	if in != none {
		e.in.Add(in)
	}
	e.stale = true
}

func (e *refresh) TrySwap(out, in int) (int64, int) { return trySwap(e, out, in) }

func (e *refresh) Peak() (int64, int) {
	if e.stale {
		e.nodes = e.in.AppendNodes(e.nodes[:0])
		_ = e.engine.fill(e.nodes, nil) // no watch, no error
		for s := range e.dims {
			_ = e.engine.dimension(s, nil)
		}
		e.stale = false
	}
	return peak(e.engine.loads())
}
