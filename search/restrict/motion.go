package restrict

import (
	"fmt"
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
	m := newMotion(t, translated(t, 0))
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
	t, nodes, set := p.Torus(), p.Nodes(), p.Set()
	reached := core.NewUnion(t.N()) // by the translations so far
	var list []motion
	for _, target := range nodes {
		shift := t.Displacement(nodes[0], target)
		if reached.Find(shift) == reached.Find(0) || !fits(t, nodes, shift, set) {
			continue
		}
		image := translated(t, shift)
		for v, to := range image {
			reached.Join(v, to)
		}
		list = append(list, newMotion(t, image))
	}
	return list
}

// translated returns the image of every node under the translation by shift.
func translated(t *core.Torus, shift int) []int {
	image, back := make([]int, t.N()), t.Displacement(shift, 0)
	for v := range image {
		image[v] = t.Displacement(back, v)
	}
	return image
}

// fits reports whether the translation by shift takes all nodes into the set.
func fits(t *core.Torus, nodes []int, shift int, set core.Set) bool {
	back := t.Displacement(shift, 0)
	return !slices.ContainsFunc(nodes, func(v int) bool { return !set.Has(t.Displacement(back, v)) })
}

// turnings returns motions that together with the translations generate all
// automorphisms that keep a placement of at least one processor. The group is that
// of all paths, nil if it is to be made. Cost: the points of the torus times n^2.
func turnings(p core.Placement, group *symmetry.Group) ([]motion, error) {
	t, nodes, set := p.Torus(), p.Nodes(), p.Set()
	if group == nil {
		var err error
		if group, err = symmetry.Of(routing.NewUDR(t, routing.TieBoth)); err != nil {
			return nil, err
		}
	}
	if group.Points() > maxPointWork/(len(nodes)*len(nodes)) {
		return nil, nil
	}
	var list []motion
	known := newClosure(t)
	for i := range group.Points() {
		image := group.Images(i, 0)
		m := newMotion(t, image)
		if known.has(m) {
			continue
		}
		moved := make([]int, len(nodes))
		for k, v := range nodes {
			moved[k] = image[v]
		}
		for _, target := range nodes {
			if shift := t.Displacement(moved[0], target); fits(t, moved, shift, set) {
				m.image = group.Images(i, shift)
				list = append(list, m)
				known.add(m)
				break
			}
		}
	}
	return list, nil
}

// A closure holds what some motions generate, up to translations.
type closure struct {
	generators, elements []motion
	seen                 map[string]bool
}

// newClosure returns the closure of nothing: the identity.
func newClosure(t *core.Torus) *closure {
	c := &closure{seen: map[string]bool{}}
	c.take(newMotion(t, translated(t, 0)))
	return c
}

func (c *closure) take(m motion) {
	if !c.has(m) {
		c.seen[m.name()] = true
		c.elements = append(c.elements, m)
	}
}

func (c *closure) has(m motion) bool { return c.seen[m.name()] }

// add takes m as a generator.
func (c *closure) add(m motion) {
	c.generators = append(c.generators, m)
	for i := 0; i < len(c.elements); i++ { // elements grows while we walk it
		for _, g := range c.generators {
			c.take(g.after(c.elements[i]))
		}
	}
}

// name tells motions apart by where dimensions go.
func (m motion) name() string { return fmt.Sprint(m.perm, m.turn) }

// after returns where dimensions go under first h, then g.
func (g motion) after(h motion) motion {
	m := motion{perm: make([]int, len(h.perm)), turn: make([]core.Dir, len(h.perm))}
	for j, i := range h.perm {
		m.perm[j], m.turn[j] = g.perm[i], g.turn[i]*h.turn[j]
	}
	return m
}
