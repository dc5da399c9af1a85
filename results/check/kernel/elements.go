package kernel

import "slices"

// An element is a map of the nodes onto themselves under which answers stay answers, with the map back.
type element struct{ to, back nodeMap }

// A nodeMap takes nodes to nodes, and so sets to sets: of those that were asked for it keeps the numbers.
type nodeMap struct {
	node []int
	sets map[int]int // -1 where no set has the nodes
}

func (c *checker) addElement(image []int) {
	e := &element{nodeMap{image, map[int]int{}}, nodeMap{make([]int, len(image)), map[int]int{}}}
	for v, w := range image {
		e.back.node[w] = v
	}
	c.elements = append(c.elements, e)
	c.pay(17*int64(len(image)) + 256)
}

// boundsOf returns the bounds of the image of a set: those of the last set with the same nodes, else those of its
// nodes, added up.
func (c *checker) boundsOf(m *nodeMap, number int) (image Bound) {
	c.pay(1)
	if 1 <= number && number <= c.loads.nodes {
		image.Set = nodeSet(m.node[number-1])
	} else if found, ok := m.sets[number]; ok {
		image.Set = found
	} else {
		image.Set = c.imageOf(m, number)
		m.sets[number] = image.Set
	}
	if image.Set >= 0 {
		image.Lo, image.Hi = c.branch.lo(image.Set), c.branch.hi(image.Set)
		return image
	}
	c.pay(int64(len(c.sets[number])))
	for _, t := range c.sets[number] {
		node := nodeSet(m.node[t.of])
		image.Lo += t.times * c.branch.lo(node)
		image.Hi += t.times * c.branch.hi(node)
	}
	return image
}

// imageOf returns the number of the last set with the nodes that a map takes those of a set to, -1 if there is none.
func (c *checker) imageOf(m *nodeMap, number int) int {
	var nodes []term
	for _, t := range c.sets[number] {
		nodes = append(nodes, term{m.node[t.of], t.times})
	}
	slices.SortFunc(nodes, func(a, b term) int { return a.of - b.of })
	c.pay(16*int64(len(nodes)) + 64)
	if found, ok := c.byNodes[key(nodes)]; ok {
		return found
	}
	return -1
}

// verify checks that a map of nodes is a permutation, keeps fixed and forbidden nodes, and maps links to links of the
// same limit such that what every pair and every processor puts on a link its image puts on the image of the link, and
// such that paths to choose from go to such paths. Along the dimensions whose bit is set in turned the image of a link
// is the one that leads back.
func (c *checker) verify(image []int, turned uint64) {
	l := c.loads
	seen := make([]bool, l.nodes)
	for v, w := range image {
		if seen[w] {
			c.wrong("no permutation: node %d is the image of two", w)
		}
		seen[w] = true
		for _, list := range [][]int{c.question.Fixed, c.question.Forbidden} {
			if slices.Contains(list, v) != slices.Contains(list, w) {
				c.wrong("one of node %d and its image %d is fixed or forbidden, the other is not so", v, w)
			}
		}
	}
	links := c.linkImages(image, turned)
	if c.err != nil {
		return
	}
	seenBy, seenByImage := make([]int, len(links)), make([]int, len(links)) // by link as seen from a node
	amounts := make([]int64, len(links))                                    // by link, 0 between calls
	// same reports whether the links of a are taken to those of b, with what is put on them.
	same := func(a, b []term) bool {
		c.pay(int64(len(a)+len(b)) + 1)
		for _, t := range b {
			amounts[seenByImage[t.of]] = t.times
		}
		equal := len(a) == len(b)
		for _, t := range a {
			equal = equal && amounts[links[seenBy[t.of]]] == t.times
		}
		for _, t := range b {
			amounts[seenByImage[t.of]] = 0
		}
		return equal
	}
	// alike reports whether the paths from u to v are taken to those from x to y: their first links to the first or last.
	alike := func(u, v, x, y int) bool {
		a, b := l.paths[u*l.nodes+v], l.paths[x*l.nodes+y]
		return len(a) == len(b) && !slices.ContainsFunc(a, func(p path) bool {
			first := links[p.links[0].of]
			return !slices.ContainsFunc(b, func(q path) bool {
				c.pay(1)
				return (q.links[0].of == first || q.links[len(q.links)-1].of == first) && same(p.links, q.links)
			})
		})
	}
	for u, x := range image {
		seenBy, seenByImage = l.seenFrom(u, seenBy), l.seenFrom(x, seenByImage)
		c.pay(int64(len(links)))
		for v := 0; v <= u && c.err == nil; v++ {
			y := image[v]
			if !same(l.exchanged(u, v), l.exchanged(x, y)) || l.chosen && !(alike(u, v, x, y) && alike(v, u, y, x)) &&
				!(alike(u, v, y, x) && alike(v, u, x, y)) {
				c.wrong("the loads or paths of nodes %d and %d are not those of their images", u, v)
			}
		}
	}
}

// linkImages maps the links: of several from one node to another the first to the first, and so on.
func (c *checker) linkImages(image []int, turned uint64) []int {
	t := c.loads.torus
	from := c.loads.between()
	links, hit := make([]int, t.M()), make([]bool, t.M())
	for i := range t.EachLink() {
		u, v := t.LinkEnds(i)
		list, images := from[[2]int{u, v}], from[[2]int{image[u], image[v]}]
		if len(images) != len(list) {
			c.wrong("the links from node %d to node %d have no images", u, v)
			return nil
		}
		to := images[slices.Index(list, i)]
		if _, port := t.LinkFrom(to); turned>>port.Dim&1 == 1 {
			to = t.Reverse(to)
		}
		if hit[to] || c.loads.limits[to] != c.loads.limits[i] {
			c.wrong("link %d has no image of its own with its limit", i)
		}
		links[i], hit[to] = int(to), true
	}
	return links
}
