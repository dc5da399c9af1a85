package kernel

import (
	"crypto/sha256"
	"fmt"

	"leeway/core"
)

// readSet reads the nodes of a set in ascending order; one that stands several times counts as often.
func (c *checker) readSet() {
	var nodes []term
	c.list(func() {
		v, last := c.index(c.loads.nodes), len(nodes)-1
		switch {
		case last >= 0 && nodes[last].of == v:
			nodes[last].times++
		case last >= 0 && nodes[last].of > v:
			c.wrong("node %d after node %d", v, nodes[last].of)
		default:
			nodes = append(nodes, term{v, 1})
		}
	})
	c.addSet(nodes)
}

// readSum reads a whole and its parts, and verifies that they have the same nodes.
func (c *checker) readSum() {
	whole, parts := c.index(len(c.sets)), []term(nil)
	left := make([]int64, c.loads.nodes) // how often the whole has a node beyond the parts
	count := func(number int, times int64) {
		for _, t := range c.sets[number] {
			if left[t.of] += times * t.times; left[t.of] < 0 {
				c.wrong("the parts have node %d more often than the whole", t.of)
			}
		}
		c.pay(int64(len(c.sets[number])) + 40)
	}
	count(whole, 1)
	c.list(func() {
		p := term{c.index(len(c.sets)), c.number(mostWeight)}
		if p.times == 0 {
			c.wrong("a part that counts 0 times")
		}
		parts = append(parts, p)
		count(p.of, -p.times)
	})
	for v, left := range left {
		if left > 0 {
			c.wrong("the parts have node %d less often than the whole", v)
		}
	}
	if c.err == nil {
		c.branch.addSum(whole, parts)
	}
}

func (c *checker) readKeys() {
	if c.keys != nil {
		c.wrong("keys are there already")
	}
	c.keys = []int{}
	c.list(func() { c.keys = append(c.keys, c.index(len(c.sets))) })
}

// readElement reads the turned dimensions, as bits, and the images of all nodes.
func (c *checker) readElement() {
	turned := uint64(c.number(mostNumber))
	image := make([]int, c.loads.nodes)
	for v := range image {
		image[v] = c.index(len(image))
	}
	key := sha256.Sum256(fmt.Append(nil, turned, image))
	if cost, known := c.verified.Load(key); known { // by another stream, or this one
		c.pay(cost.(int64))
	} else if c.err == nil {
		cost, spend := int64(0), c.spend
		c.spend = func(steps int64) error {
			cost += steps
			return spend(steps)
		}
		c.verify(image, turned)
		if c.spend = spend; c.err == nil {
			c.verified.Store(key, cost)
		}
	}
	if c.err == nil {
		c.addElement(image)
	}
}

// readProduct reads two elements: the new one is the first after the second.
func (c *checker) readProduct() {
	first, second := c.elements[c.index(len(c.elements))], c.elements[c.index(len(c.elements))]
	image := make([]int, c.loads.nodes)
	for v := range image {
		image[v] = first.to.node[second.to.node[v]]
	}
	c.addElement(image)
}

// readWeighting reads weights of links, and makes sure that no sum of what pairs put on them, or of limits, is too
// large.
func (c *checker) readWeighting() {
	links := len(c.loads.limits)
	if c.pay(9*int64(links) + 24*int64(c.loads.nodes) + 128); c.err != nil {
		return
	}
	w := &weighting{weights: make([]int64, links), rows: make([][]int64, c.loads.nodes)}
	seen, most, n := make([]bool, links), int64(0), int64(c.loads.nodes)
	c.list(func() {
		link := c.index(links)
		switch {
		case !c.loads.torus.HasLink(core.Link(link)):
			c.wrong("there is no link %d", link)
		case seen[link]:
			c.wrong("link %d has a weight already", link)
		}
		weight := c.number(mostWeight)
		seen[link], w.weights[link], most = true, weight, max(most, weight)
		if w.limit += weight * c.loads.limits[link]; w.limit > 1<<60 || w.limit < -1<<60 {
			c.wrong("the limits of the links add up to more than 2^60")
		}
	})
	if most > 0 && c.loads.most > mostSquare/(n*n)/most {
		c.wrong("pairs may put more than 2^60 on the links together")
	}
	c.weightings = append(c.weightings, w)
}

// readView reads the outer and the inner sets, each kind disjoint.
func (c *checker) readView() {
	v := &view{inT: make([]bool, c.loads.nodes)}
	disjoint := func(list *[]int, taken []bool) {
		c.list(func() {
			number := c.index(len(c.sets))
			for _, t := range c.sets[number] {
				if t.times != 1 || taken[t.of] {
					c.wrong("node %d counts more than once in a view", t.of)
				}
				taken[t.of] = true
			}
			*list = append(*list, number)
			c.pay(int64(len(c.sets[number])) + 9)
		})
	}
	disjoint(&v.outer, v.inT)
	disjoint(&v.inner, make([]bool, c.loads.nodes))
	c.views = append(c.views, v)
	c.pay(int64(c.loads.nodes) + 64)
}
