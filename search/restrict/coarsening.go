package restrict

import (
	"context"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/core/symmetry"
	"leeway/core/symmetry/elements"
	"leeway/core/union"
	"leeway/objective"
)

// A coarsening says which choices are tied together: those that an automorphism takes to
// each other, and with alike those of the pairs of one difference.
type coarsening struct {
	by            By // what the table is to be
	alike         bool
	name          string
	automorphisms []automorphism
}

// coarsenings returns the coarsenings to search, the coarsest first: for a table by displacement, then for one by pair.
// With open dimensions, where no table is by displacement, pairs of one difference are tied for one by pair first.
// Where a request is not as long as a reply, paths are not turned around. The group is as for stabiliser.
func coarsenings(
	ctx context.Context, p core.Placement, traffic objective.Traffic, by By, group *symmetry.Group,
) ([]coarsening, error) {
	t := p.Torus()
	if traffic.Matrix != nil { // nothing is known of what preserves it
		list := []coarsening{{by: ByPair, alike: true, name: "displacements"}, {by: ByPair, name: "single pairs"}}
		if t.Closed() {
			list[0].by = ByDisplacement
		}
		switch by {
		case ByDisplacement:
			list = list[:1]
		case ByPair:
			list = list[1:]
		}
		return list, nil
	}
	shifts, turns, err := stabiliser(ctx, p, group)
	if err != nil && ctx.Err() == nil { // after the context has ended there are more classes, and all else is the same
		return nil, err
	}
	turned := shifts
	if traffic.Request == traffic.Reply {
		turned = slices.Concat(shifts, automorphismsOf(t, []elements.Element{elements.Translation(t, 0)}, true))
	}
	full := slices.Concat(turned, turns)
	var list []coarsening
	add := func(kind By, alike bool) {
		list = append(list, coarsening{kind, alike, "full symmetry", full})
		if len(turned) > len(shifts) {
			list = append(list, coarsening{kind, alike, "translations and reversal", turned})
		}
		list = append(list, coarsening{kind, alike, "translations", shifts})
	}
	if by != ByPair || !t.Closed() {
		kind := ByDisplacement
		if !t.Closed() {
			kind = ByPair
		}
		add(kind, true)
	}
	if by != ByDisplacement && byPairTooLarge(t, traffic) == "" {
		add(ByPair, false)
		list = append(list, coarsening{by: ByPair, name: "single pairs"})
	}
	return list, nil
}

// tie returns the classes of pairs and of elements under a coarsening. It stops where the context ends.
func (s *candidates) tie(ctx context.Context, g coarsening) (pairs, elements union.Classes) {
	pairs, elements = union.New(len(s.pairs)), union.New(s.elements)
	join := func(i, j int, where func(path int) int) {
		pairs.Join(i, j)
		for k := range s.pairs[i].paths {
			elements.Join(s.pairs[i].first+k, s.pairs[j].first+where(k))
		}
	}
	if g.alike {
		first := map[int]int{}
		for i, p := range s.pairs {
			if _, ok := first[p.difference]; !ok {
				first[p.difference] = i
			}
			join(first[p.difference], i, func(k int) int { return k })
		}
	}
	for _, m := range g.automorphisms {
		if ctx.Err() != nil {
			break
		}
		images := make([][]int, len(s.lists)) // by difference: places of the images of its paths
		for i, p := range s.pairs {
			from, to := m.ends(p.from, p.to)
			j := int(s.index[from][to])
			where := images[p.difference]
			if where == nil {
				for _, path := range p.paths {
					where = append(where, place(s.pairs[j].paths, m.Path(s.torus, path, m.turned)))
				}
				images[p.difference] = where
			}
			join(i, j, func(k int) int { return where[k] })
		}
	}
	return pairs, elements
}

// tieLinks returns the classes of links under automorphisms.
func tieLinks(t *core.Torus, automorphisms []automorphism) union.Classes {
	u := union.New(t.M())
	for _, m := range automorphisms {
		for l := range t.EachLink() {
			u.Join(int(l), int(m.link(t, l)))
		}
	}
	return u
}

// maxPointWork bounds the points times processors squared that are tried as symmetries of a placement; past it only
// translations are. A smaller group is always sound.
const maxPointWork = 1 << 26

// An automorphism is one of the network that keeps the placement; if turned, followed by turning all paths around.
type automorphism struct {
	symmetry.Point
	image  []int // of every node
	turned bool
}

// ends returns the image of a pair.
func (m automorphism) ends(from, to int) (int, int) {
	if m.turned {
		from, to = to, from
	}
	return m.image[from], m.image[to]
}

// link returns the image of a link.
func (m automorphism) link(t *core.Torus, l core.Link) core.Link {
	from, port := t.LinkFrom(l)
	dir := port.Dir
	if m.turned {
		_, from = t.LinkEnds(l)
	}
	if m.Flip[port.Dim] != m.turned {
		dir = -dir
	}
	return t.Link(m.image[from], m.Perm[port.Dim], dir)
}

// automorphismsOf returns elements as automorphisms, each followed by turning paths around or not.
func automorphismsOf(t *core.Torus, elements []elements.Element, turned bool) (list []automorphism) {
	for _, e := range elements {
		list = append(list, automorphism{e.Point, e.Images(t), turned})
	}
	return list
}

// stabiliser returns generators of the translations that keep a placement of at least one processor, and automorphisms
// that together with them generate all automorphisms that keep it. The group is that of all paths, nil if it is to be
// made; the error may be that of the context. Cost: the points of the torus times n^2.
func stabiliser(ctx context.Context, p core.Placement, group *symmetry.Group) (translations, turns []automorphism,
	err error) {
	t := p.Torus()
	if group == nil {
		group, err = symmetry.GroupOfContext(ctx, routing.NewUDR(t, routing.TieBoth))
	}
	var points []symmetry.Point
	if err == nil && group.Points() <= maxPointWork/(p.Size()*p.Size()) {
		points = group.List()
	}
	shifts, others := elements.Stabiliser(p, points)
	return automorphismsOf(t, shifts, false), automorphismsOf(t, others, false), err
}
