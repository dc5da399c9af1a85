// Package worst searches for placements with a small largest load over all permutations of the processors.
package worst

import (
	"context"
	"math/rand/v2"
	"slices"

	"leeway/core"
	"leeway/core/family"
	"leeway/objective"
	"leeway/objective/worst"
)

// A Result is the best placement found.
type Result struct {
	Nodes       []int // ascending
	Evaluations int64
}

// Search returns a placement of a problem with the least worst case that it finds by swaps of a processor and a free
// node, from regular and random placements, until the context ends or a given number of placements have been looked
// at, if that is above 0. It depends on the seed and, unless the context ends it, on nothing else. The error is that
// of worst.New.
//
// A swap is made if the worst case is not larger. After n (N-n) swaps in a row that do not make it smaller the search
// starts anew.
func Search(ctx context.Context, p objective.Problem, seed uint64, most int64,
	found func(load, den int64)) (Result, error) {
	e, err := worst.New(p.Routing)
	if err != nil {
		return Result{}, err
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	free := p.Candidates()
	kept := p.Size - p.Fixed.Count()
	best, least := Result{}, int64(-1)
	starts := regular(p)
	for {
		var nodes []int
		if len(starts) > 0 {
			nodes, starts = starts[0], starts[1:]
		} else {
			nodes = p.Fixed.Nodes()
			for _, i := range rng.Perm(len(free))[:kept] {
				nodes = append(nodes, free[i])
			}
		}
		load := e.Load(nodes, 0)
		for idle := 0; ; idle++ {
			if best.Evaluations++; least < 0 || load < least {
				least, best.Nodes = load, slices.Sorted(slices.Values(nodes))
				found(load, e.Den())
			}
			if ctx.Err() != nil || most > 0 && best.Evaluations >= most || kept == 0 || kept == len(free) {
				return best, nil
			}
			if idle > kept*(len(free)-kept) {
				break
			}
			i, to := rng.IntN(len(nodes)), free[rng.IntN(len(free))]
			if p.MustHave(nodes[i]) || slices.Contains(nodes, to) {
				best.Evaluations-- // nothing was looked at
				continue
			}
			from := nodes[i]
			nodes[i] = to
			switch next := e.Load(nodes, load+1); {
			case next > load:
				nodes[i] = from
			case next < load:
				load, idle = next, -1
			}
		}
	}
}

// regular returns placements of the families that the problem admits.
func regular(p objective.Problem) (list [][]int) {
	for _, text := range []string{"linear", "full", "diamond", "x"} {
		if s, err := family.Parse(p.Torus(), text); err == nil && s.Size() == p.Size && p.Admits(s) {
			list = append(list, s.Nodes())
		}
	}
	if side, same := p.Torus().Common(); same && p.Size%(p.Torus().N()/side) == 0 {
		for _, kind := range []string{"multilinear", "spaced"} {
			s, err := family.Parse(p.Torus(), kind+":t="+core.JoinInts([]int{p.Size / (p.Torus().N() / side)}, ""))
			if err == nil && s.Size() == p.Size && p.Admits(s) {
				list = append(list, s.Nodes())
			}
		}
	}
	return list
}
