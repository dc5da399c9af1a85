package restrict

import (
	"context"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/core/symmetry"
)

// maxPointWork bounds the points times processors squared that are tried as
// symmetries of a placement; past it only translations are. A smaller group is
// always sound.
const maxPointWork = 1 << 26

// A motion is an automorphism of the torus that keeps the placement; if turned,
// followed by turning all paths around.
type motion struct {
	image  []int // of every node
	perm   []int // dimension j becomes perm[j], in the direction turn[j]
	turn   []core.Dir
	turned bool
}

// newMotion reads off images where dimensions go.
func newMotion(t *core.Torus, image []int) motion {
	m := motion{image: image, perm: make([]int, t.D()), turn: make([]core.Dir, t.D())}
	for j := range t.D() {
		step := t.Displacement(image[0], image[t.Shift(0, j, 1)])
		for i := range t.D() {
			if c := t.Coord(step, i); c != 0 {
				m.perm[j], m.turn[j] = i, core.Plus
				if c != 1 {
					m.turn[j] = core.Minus
				}
			}
		}
	}
	return m
}

// reversal returns the motion that only turns paths around.
func reversal(t *core.Torus) motion {
	m := newMotion(t, symmetry.Translation(t, 0).Images(t))
	m.turned = true
	return m
}

// path returns the image of a path.
func (m motion) path(t *core.Torus, p routing.TablePath) routing.TablePath {
	out := routing.TablePath{Order: make([]int, len(p.Order)), Dirs: make([]core.Dir, len(p.Order))}
	for i, j := range p.Order {
		dir := p.Dirs[i] * m.turn[j]
		if m.turned {
			dir = -dir
		}
		if t.Side(j) == 2 {
			dir = core.Plus
		}
		out.Order[i], out.Dirs[i] = m.perm[j], dir
	}
	if m.turned {
		slices.Reverse(out.Order)
		slices.Reverse(out.Dirs)
	}
	return out
}

// ends returns the image of a pair.
func (m motion) ends(from, to int) (int, int) {
	if m.turned {
		from, to = to, from
	}
	return m.image[from], m.image[to]
}

// link returns the image of a link.
func (m motion) link(t *core.Torus, l core.Link) core.Link {
	from, port := t.LinkFrom(l)
	dir := port.Dir * m.turn[port.Dim]
	if m.turned {
		_, from = t.LinkEnds(l)
		dir = -dir
	}
	return t.Link(m.image[from], m.perm[port.Dim], dir)
}

// translations returns generators of the translations that keep a placement of
// at least one processor. Cost O(n^2).
func translations(p core.Placement) []motion {
	list, _ := symmetry.Stabiliser(p, nil)
	return motionsOf(p.Torus(), list)
}

func motionsOf(t *core.Torus, elements []symmetry.Element) (list []motion) {
	for _, e := range elements {
		list = append(list, newMotion(t, e.Images(t)))
	}
	return list
}

// turnings returns motions that together with the translations generate all
// automorphisms that keep a placement of at least one processor. The group is that
// of all paths, nil if it is to be made; the error may be that of the context. Cost: the points of the torus times n^2.
func turnings(ctx context.Context, p core.Placement, group *symmetry.Group) ([]motion, error) {
	t := p.Torus()
	if group == nil {
		var err error
		if group, err = symmetry.OfContext(ctx, routing.NewUDR(t, routing.TieBoth)); err != nil {
			return nil, err
		}
	}
	if group.Points() > maxPointWork/(p.Size()*p.Size()) {
		return nil, nil
	}
	_, turns := symmetry.Stabiliser(p, group.List())
	return motionsOf(t, turns), nil
}
