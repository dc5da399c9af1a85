package congestion

import (
	"leeway/core"
	"leeway/core/symmetry"
)

// maxPointWork bounds the points that are tried as symmetries times the processors that each is tried on. Past it
// fewer points are tried: a smaller group is always sound.
const maxPointWork = 1 << 22

// A pairClass is one ordered pair of processors for all that symmetry takes it
// to.
type pairClass struct {
	from, to int
	count    int64 // ordered pairs in the class
}

// classes are the links and the ordered pairs of processors up to the symmetry
// of a placement, with the reversal of all paths.
type classes struct {
	torus     *core.Torus
	linkClass []int32 // by link
	linkCount []int64 // by class: its links
	pairs     []pairClass
	finder    *finder
}

// newClasses returns the classes of a placement of at least one processor. Cost O((n^2 + M) generators).
func newClasses(p core.Placement) *classes {
	t := p.Torus()
	translations, turns := symmetry.Stabiliser(p, symmetry.Points(t, maxPointWork/p.Size()))
	var generators [][]int // images of all nodes
	for _, e := range append(translations, turns...) {
		generators = append(generators, e.Images(t))
	}
	c := &classes{torus: t, finder: newFinder(t)}
	c.classifyLinks(generators)
	c.classifyPairs(p.Nodes(), generators)
	return c
}

func (c *classes) classifyLinks(generators [][]int) {
	t := c.torus
	u := core.NewUnion(t.M())
	for l := range t.M() {
		from, to := t.LinkEnds(core.Link(l))
		u.Join(l, int(t.Reverse(core.Link(l))))
		for _, g := range generators {
			u.Join(l, int(linkBetween(t, g[from], g[to])))
		}
	}
	c.linkClass = make([]int32, t.M())
	for l := range t.M() {
		root := u.Find(l)
		if root == l {
			c.linkClass[l] = int32(len(c.linkCount))
			c.linkCount = append(c.linkCount, 0)
		}
		c.linkClass[l] = c.linkClass[root]
		c.linkCount[c.linkClass[l]]++
	}
}

// linkBetween returns the link from one node to a neighbour. Symmetry is built
// on its existence: a map of nodes that takes every link to a link is an
// automorphism of the graph, which is all that the classes need. It panics when
// there is none.
func linkBetween(t *core.Torus, from, to int) core.Link {
	for i := range t.Degree() {
		l := core.Link(i*t.N() + from)
		if _, end := t.LinkEnds(l); end == to {
			return l
		}
	}
	panic("congestion: a map of nodes is no automorphism of the torus")
}

func (c *classes) classifyPairs(nodes []int, generators [][]int) {
	n := len(nodes)
	index := make([]int32, c.torus.N())
	for i, v := range nodes {
		index[v] = int32(i)
	}
	u := core.NewUnion(n * n)
	for i, p := range nodes {
		for j, q := range nodes {
			u.Join(i*n+j, j*n+i)
			for _, g := range generators {
				u.Join(i*n+j, int(index[g[p]])*n+int(index[g[q]]))
			}
		}
	}
	counts := make([]int64, n*n)
	for i := range counts {
		counts[u.Find(i)]++
	}
	for i, p := range nodes {
		for j, q := range nodes {
			if count := counts[i*n+j]; count > 0 && i != j {
				c.pairs = append(c.pairs, pairClass{from: p, to: q, count: count})
			}
		}
	}
}
