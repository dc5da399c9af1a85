package orderly

import (
	"context"
	"slices"

	"leeway/core"
	"leeway/search/census"
)

// prefixesWanted is how many prefixes a plan has, if there are as many lists.
const prefixesWanted = 400

// A plan is the tree of one question, cut at the visited lists of the smallest
// size that has enough, or else of the largest size that has any.
type plan struct {
	*model
	split    int
	prefixes [][]int
	above    []int64 // by size below split: the lists visited
}

// plan lists at least the wanted number of prefixes for a limit in units, if there
// are as many lists of a size. The error is the context's.
func (t *tables) plan(ctx context.Context, limit int64, wanted int, whole bool) (*plan, error) {
	g := newModel(t, max(limit, 0), whole)
	p := &plan{model: g, split: 1, above: []int64{0}}
	w := newWalker(g)
	if limit >= 0 && w.root() != nil {
		p.prefixes = [][]int{{0}}
	}
	for p.split < g.size && len(p.prefixes) > 0 && len(p.prefixes) < wanted {
		var longer [][]int
		w.visit = func(at *level) bool {
			longer = append(longer, slices.Clone(at.nodes))
			return true
		}
		for _, prefix := range p.prefixes {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			w.extend(w.at(prefix), p.split+1)
		}
		if len(longer) == 0 {
			break
		}
		p.above = append(p.above, int64(len(p.prefixes)))
		p.prefixes = longer
		p.split++
	}
	return p, nil
}

// Split returns the length of the prefixes.
func (p *plan) Split() int { return p.split }

// Prefixes returns the prefixes in lexicographic order.
func (p *plan) Prefixes() [][]int { return p.prefixes }

// Walker returns a walker that ends with the first placement.
func (p *plan) Walker() census.Walker { return &finder{newWalker(p.model), p.prefixes} }

type finder struct {
	*walker
	prefixes [][]int
}

// Walk visits the lists that start with prefix i, up to the first placement.
func (f *finder) Walk(i int, poll func(nodes int64) bool) census.Tally {
	var found core.Placement
	t := f.tour(f.prefixes[i], poll, func(at *level) bool {
		found = core.MustPlacement(f.torus, at.nodes)
		return false
	})
	t.Found = found
	return t
}

// tour visits the lists that start with a prefix, counts and sums them, and hands
// placements to place, which ends it by returning false.
func (w *walker) tour(prefix []int, poll func(nodes int64) bool, place func(*level) bool) census.Tally {
	var c census.Counter
	c.Start(poll)
	clear(w.counts)
	w.visit = func(at *level) bool {
		size := len(at.nodes)
		w.counts[size]++
		more := c.Visit(at.hash)
		return (size < w.size || place(at)) && more
	}
	if at := w.at(prefix); w.visit(at) {
		w.extend(at, w.size)
	}
	return c.End()
}
