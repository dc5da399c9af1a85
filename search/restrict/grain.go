package restrict

import (
	"context"

	"leeway/core"
	"leeway/core/symmetry"
)

// A grain says which choices are tied together: those that a motion takes to
// each other, and with byDisplacement those of the pairs of one displacement.
type grain struct {
	by      By
	name    string
	motions []motion
}

// grains returns the grains to search, the coarsest first. The group is as for
// turnings.
func grains(ctx context.Context, p core.Placement, by By, group *symmetry.Group) ([]grain, error) {
	shifts := translations(p)
	turns, err := turnings(ctx, p, group)
	if err != nil && ctx.Err() == nil { // without turnings there are more classes, and all else is the same
		return nil, err
	}
	turned := append(shifts[:len(shifts):len(shifts)], reversal(p.Torus()))
	full := append(turned[:len(turned):len(turned)], turns...)
	var list []grain
	for _, kind := range []By{ByDisplacement, ByPair} {
		if by != ByAny && by != kind {
			continue
		}
		list = append(list, grain{kind, "full symmetry", full}, grain{kind, "translations and reversal", turned}, grain{kind, "translations", shifts})
		if kind == ByPair {
			list = append(list, grain{kind, "single pairs", nil})
		}
	}
	return list, nil
}

// tie returns the classes of pairs and of elements under a grain. It stops where the
// context ends.
func (s *space) tie(ctx context.Context, g grain) (pairs, elements core.Union) {
	pairs, elements = core.NewUnion(len(s.pairs)), core.NewUnion(s.elements)
	join := func(i, j int, where func(path int) int32) {
		pairs.Join(i, j)
		for k := range s.pairs[i].list.paths {
			elements.Join(s.pairs[i].first+k, s.pairs[j].first+int(where(k)))
		}
	}
	if g.by == ByDisplacement {
		first := map[int]int{}
		for i, p := range s.pairs {
			if _, ok := first[p.displacement]; !ok {
				first[p.displacement] = i
			}
			join(first[p.displacement], i, func(k int) int32 { return int32(k) })
		}
	}
	for _, m := range g.motions {
		if ctx.Err() != nil {
			break
		}
		images := map[int][]int32{} // by displacement: places of the images of its paths
		for i, p := range s.pairs {
			from, to := m.ends(p.from, p.to)
			j := s.index[[2]int{from, to}]
			where, ok := images[p.displacement]
			if !ok {
				for _, path := range p.list.paths {
					where = append(where, s.pairs[j].list.index[key(m.path(s.torus, path))])
				}
				images[p.displacement] = where
			}
			join(i, j, func(k int) int32 { return where[k] })
		}
	}
	return pairs, elements
}

// tieLinks returns the classes of links under motions.
func tieLinks(t *core.Torus, motions []motion) core.Union {
	u := core.NewUnion(t.M())
	for _, m := range motions {
		for l := range t.M() {
			u.Join(l, int(m.link(t, core.Link(l))))
		}
	}
	return u
}
