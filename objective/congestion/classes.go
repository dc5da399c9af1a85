package congestion

import (
	"context"

	"leeway/core"
	"leeway/core/symmetry"
	"leeway/core/symmetry/elements"
	"leeway/core/union"
	"leeway/objective"
)

// maxPointWork bounds the points that are tried as symmetries times the processors that each is tried on. Past it
// fewer points are tried: a smaller group is always sound.
const maxPointWork = 1 << 22

// A pairClass is one ordered pair of processors for all that symmetry takes it
// to.
type pairClass struct {
	from, to int
	count    int64 // messages of the class: all to all its ordered pairs
}

// classes are the links and the ordered pairs of processors up to the symmetry
// of a placement, with the reversal of all paths.
type classes struct {
	torus     *core.Torus
	linkClass []int32 // by link; -1 where there is none
	linkCount []int64 // by class: the bandwidths of its links added up, their number on a torus
	pairs     []pairClass
	finder    *finder
	watch     *core.Watch
}

// newClasses returns the classes of a placement of at least one processor under a traffic. The error is that of the
// context. Cost O((n^2 + M) generators), where n is that of all nodes under client traffic.
func newClasses(ctx context.Context, p core.Placement, traffic objective.Traffic) (*classes, error) {
	t := p.Torus()
	var generators []elements.Element // of what a matrix says no element is known
	if traffic.Matrix == nil {
		translations, turns := elements.Stabiliser(p, symmetry.Points(t, maxPointWork/p.Size()))
		generators = append(translations, turns...)
	}
	var images [][]int // of all nodes
	for _, e := range generators {
		images = append(images, e.Images(t))
	}
	c := &classes{torus: t, finder: newFinder(t), watch: core.NewWatch(ctx)}
	turned := traffic.Matrix == nil && traffic.Request == traffic.Reply
	messages, nodes := traffic.Amounts(p)
	c.classifyLinks(generators, turned)
	c.finder.alike = t.HasDimensions()
	for l, class := range c.linkClass {
		c.finder.alike = c.finder.alike && class >= 0 && class == c.linkClass[l/t.N()*t.N()]
	}
	return c, c.classifyPairs(nodes, messages, images, turned)
}

// classifyLinks finds the classes of links; turned says whether the reverse of all paths is a symmetry.
func (c *classes) classifyLinks(generators []elements.Element, turned bool) {
	t := c.torus
	u := union.New(t.M())
	for l := range t.EachLink() {
		if turned {
			u.Join(int(l), int(t.Reverse(l)))
		}
		for _, g := range generators {
			u.Join(int(l), int(g.Link(t, l)))
		}
	}
	c.linkClass = make([]int32, t.M())
	for l := range t.M() {
		if !t.HasLink(core.Link(l)) {
			c.linkClass[l] = -1
			continue
		}
		root := u.Find(l)
		if root == l {
			c.linkClass[l] = int32(len(c.linkCount))
			c.linkCount = append(c.linkCount, 0)
		}
		c.linkClass[l] = c.linkClass[root]
		c.linkCount[c.linkClass[l]] += int64(t.LinkBandwidth(core.Link(l)))
	}
}

// classifyPairs finds the classes of the ordered pairs of nodes that send each other messages. The error is that of the
// watch.
func (c *classes) classifyPairs(nodes []int, messages func(from, to int) int64, images [][]int, turned bool) error {
	n := len(nodes)
	index := make([]int32, c.torus.N())
	for i, v := range nodes {
		index[v] = int32(i)
	}
	u := union.New(n * n)
	for i, p := range nodes {
		if err := c.watch.Err(n * (1 + len(images))); err != nil {
			return err
		}
		for j, q := range nodes {
			if turned {
				u.Join(i*n+j, j*n+i)
			}
			for _, g := range images {
				u.Join(i*n+j, int(index[g[p]])*n+int(index[g[q]]))
			}
		}
	}
	counts := make([]int64, n*n)
	for i, p := range nodes {
		if err := c.watch.Err(n); err != nil {
			return err
		}
		for j, q := range nodes {
			if i != j {
				counts[u.Find(i*n+j)] += messages(p, q)
			}
		}
	}
	for i, p := range nodes {
		for j, q := range nodes {
			if count := counts[i*n+j]; count > 0 {
				c.pairs = append(c.pairs, pairClass{from: p, to: q, count: count})
			}
		}
	}
	return nil
}
