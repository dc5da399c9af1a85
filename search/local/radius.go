package local

import (
	"math/big"

	"leeway/objective"
	"leeway/search"
)

// farPrice is how many messages above the limit on a link a node costs that is too far from all processors.
const farPrice = 4

// nearby is a model for problems with a radius: every node that is too far from all processors costs as much as some
// load above the limit, and counts in the largest load as more than all that there can be.
type nearby struct {
	model
	ball  [][]int // by node: the nodes within the radius
	count []int32 // by node: its processors within the radius
	far   int64   // nodes without
	price int64
	over  int64 // above all loads
}

// within returns the model that keeps to the radius of a problem, m where it has none. A message above the limit costs
// so much in m, which has no load above top.
func within(p objective.Problem, m model, message, top int64) model {
	if p.Radius == 0 {
		return m
	}
	den, _ := m.unit()
	if over := objective.Numerator(search.Above(p), big.NewInt(den)); over.IsInt64() {
		top = min(top, over.Int64())
	}
	return &nearby{model: m, ball: p.Within(), count: make([]int32, p.Torus().N()), price: farPrice * message, over: top}
}

func (w *nearby) reset(nodes []int) {
	w.model.reset(nodes)
	clear(w.count)
	w.far = int64(len(w.count))
	for _, v := range nodes {
		w.far += w.move(v, 1)
	}
}

// move adds a processor, or with sign -1 takes one away, and returns how many more nodes are far.
func (w *nearby) move(v int, sign int32) (more int64) {
	for _, u := range w.ball[v] {
		before := w.count[u]
		if w.count[u] += sign; before == 0 {
			more--
		} else if w.count[u] == 0 {
			more++
		}
	}
	return more
}

func (w *nearby) swap(out, in int) {
	w.model.swap(out, in)
	w.far += w.move(out, -1) + w.move(in, 1)
}

func (w *nearby) aim(limit int64) { w.model.aim(min(limit, w.over)) }

func (w *nearby) cost() int64 { return w.model.cost() + w.far*w.price }

func (w *nearby) after(out, in int, enough int64) int64 {
	far := w.far + w.move(out, -1) + w.move(in, 1)
	w.move(in, -1)
	w.move(out, 1)
	if far *= w.price; far > enough {
		return far
	}
	return far + w.model.after(out, in, enough-far)
}

func (w *nearby) without(out int) int64 {
	far := w.far + w.move(out, -1)
	w.move(out, 1)
	return w.model.without(out) + far*w.price
}

func (w *nearby) most() int64 { return w.model.most() + w.far*w.over }
