package kernel

// define reads one definition.
func (c *checker) define(code int) {
	if c.root != nil && code <= opKeys {
		c.wrong("sets, sums and keys come before all steps")
		return
	}
	if c.slicing != nil && code <= opKeys {
		c.slicing.note(int64(code))
		c.heard = c.slicing.note
		defer func() { c.heard = nil }()
	}
	switch code {
	case opSet:
		c.readSet()
	case opSum:
		c.readSum()
	case opKeys:
		c.readKeys()
	case opElement:
		c.readElement()
	case opProduct:
		c.readProduct()
	case opWeighting:
		c.readWeighting()
	case opView:
		c.readView()
	}
}

// readSet reads the nodes of a set in ascending order; one that stands several times counts as often.
func (c *checker) readSet() {
	var s set
	c.list(func() {
		v, last := c.below(c.loads.nodes), len(s.nodes)-1
		switch {
		case last >= 0 && s.nodes[last] == v:
			s.times[last]++
		case last >= 0 && s.nodes[last] > v:
			c.wrong("node %d after node %d", v, s.nodes[last])
		default:
			s.nodes, s.times = append(s.nodes, v), append(s.times, 1)
		}
	})
	c.addSet(s)
}

// readSum reads a whole and its parts, and verifies that they have the same nodes.
func (c *checker) readSum() {
	s := sum{whole: c.below(len(c.sets))}
	rest := make([]int64, c.loads.nodes)
	count := func(number int, times int64) {
		for i, v := range c.sets[number].nodes {
			if rest[v] += times * c.sets[number].times[i]; rest[v] < -mostLimit {
				c.wrong("the parts count node %d more than 2^40 times", v)
			}
		}
		c.pay(int64(len(c.sets[number].nodes)) + 40)
	}
	count(s.whole, 1)
	c.list(func() {
		number, times := c.below(len(c.sets)), c.number(mostWeight)
		if times == 0 {
			c.wrong("a part that counts 0 times")
		}
		s.parts = append(s.parts, part{number, times})
		count(number, -times)
	})
	for v, left := range rest {
		if left != 0 {
			c.wrong("the parts do not have node %d as often as the whole", v)
		}
	}
	if c.err == nil {
		c.branch.addSum(s)
	}
}

func (c *checker) readKeys() {
	if c.keys != nil {
		c.wrong("keys are there already")
	}
	c.keys = []int{}
	c.list(func() { c.keys = append(c.keys, c.below(len(c.sets))) })
}

// readElement reads the turned dimensions, as bits, and the images of all nodes.
func (c *checker) readElement() {
	turned := uint64(c.number(mostNumber))
	image := make([]int, c.loads.nodes)
	for v := range image {
		image[v] = c.below(len(image))
	}
	if c.err == nil {
		c.verify(image, turned)
	}
	if c.err == nil {
		c.addElement(image)
	}
}

func (c *checker) addElement(image []int) {
	c.elements = append(c.elements, newElement(image))
	c.pay(17*int64(len(image)) + 256)
}

// readProduct reads two elements: the new one is the first after the second.
func (c *checker) readProduct() {
	first, second := c.elements[c.below(len(c.elements))], c.elements[c.below(len(c.elements))]
	image := make([]int, c.loads.nodes)
	for v := range image {
		image[v] = first.to.node[second.to.node[v]]
	}
	c.addElement(image)
}

// readWeighting reads weights of links, and makes sure that no sum of what pairs put on them, or of limits, is too
// large.
func (c *checker) readWeighting() {
	w := &weighting{row: map[int][]int64{}, single: map[int]int64{}}
	most, n := int64(0), int64(c.loads.nodes)
	c.lay(w, 0)
	c.list(func() {
		link := c.below(len(c.weights))
		switch {
		case c.loads.ends[link][0] < 0:
			c.wrong("there is no link %d", link)
		case c.weights[link] != 0:
			c.wrong("link %d has a weight already", link)
		}
		weight := c.number(mostWeight)
		w.links, c.weights[link] = append(w.links, share{link, weight}), weight
		c.laid = append(c.laid, link)
		most = max(most, weight)
		if w.limit += weight * c.loads.limits[link]; w.limit > 1<<60 || w.limit < -1<<60 {
			c.wrong("the limits of the links add up to more than 2^60")
		}
	})
	if most > 0 && c.loads.most > mostSquare/(n*n)/most {
		c.wrong("pairs may put more than 2^60 on the links together")
	}
	c.pay(16*int64(len(w.links)) + 128)
	c.weightings = append(c.weightings, w)
}

// readView reads the outer and the inner sets, each kind disjoint.
func (c *checker) readView() {
	v := &view{inT: make([]bool, c.loads.nodes)}
	disjoint := func(list *[]int, taken []bool) {
		c.list(func() {
			number := c.below(len(c.sets))
			for i, node := range c.sets[number].nodes {
				if c.sets[number].times[i] != 1 || taken[node] {
					c.wrong("node %d counts more than once in a view", node)
				}
				taken[node] = true
			}
			*list = append(*list, number)
			c.pay(int64(len(c.sets[number].nodes)) + 9)
		})
	}
	disjoint(&v.outer, v.inT)
	disjoint(&v.inner, make([]bool, c.loads.nodes))
	c.views = append(c.views, v)
	c.pay(int64(c.loads.nodes) + 64)
}
