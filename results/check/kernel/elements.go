package kernel

import (
	"slices"

	"leeway/core"
)

// An element is a map of the nodes onto themselves under which answers stay answers, with the map back.
type element struct{ to, back nodeMap }

// A nodeMap takes nodes to nodes, and so sets to sets: of those that were asked for it keeps the numbers.
type nodeMap struct {
	node []int
	sets map[int]int // -1 where no set has the nodes
}

func newElement(image []int) *element {
	e := &element{nodeMap{image, map[int]int{}}, nodeMap{make([]int, len(image)), map[int]int{}}}
	for v, w := range image {
		e.back.node[w] = v
	}
	return e
}

// image returns the number of the set that a map takes a set to, -1 if that has no number.
func (c *checker) image(m nodeMap, number int) int {
	s := c.sets[number]
	if number != allNodes && number <= c.loads.nodes {
		return nodeSet(m.node[s.nodes[0]])
	}
	if found, ok := m.sets[number]; ok {
		return found
	}
	times := make([]int64, len(m.node))
	for i, v := range s.nodes {
		times[m.node[v]] = s.times[i]
	}
	var moved set
	for v, t := range times {
		if t > 0 {
			moved.nodes, moved.times = append(moved.nodes, v), append(moved.times, t)
		}
	}
	found, ok := c.byNodes[moved.key()]
	if !ok {
		found = -1
	}
	m.sets[number] = found
	c.pay(int64(len(times)) + 64)
	return found
}

// boundsOf returns between which numbers the count of the image of a set is in the branch. That of a set with a number
// is bounded at least as well as its nodes together.
func (c *checker) boundsOf(m nodeMap, number int) (total bounds) {
	b := c.branch
	c.pay(1)
	if image := c.image(m, number); image >= 0 {
		return bounds{b.lo[image], b.hi[image]}
	}
	s := c.sets[number]
	for i, v := range s.nodes {
		node := nodeSet(m.node[v])
		total.lo += s.times[i] * b.lo[node]
		total.hi += s.times[i] * b.hi[node]
	}
	c.pay(int64(len(s.nodes)))
	return total
}

// verify checks that a map of nodes is a permutation, keeps fixed and forbidden nodes, and maps links to links of the
// same limit such that what every pair and every processor puts on a link its image puts on the image of the link.
// Along the dimensions whose bit is set in turned the image of a link is the one that leads back.
func (c *checker) verify(image []int, turned uint64) {
	l := c.loads
	seen := make([]bool, l.nodes)
	for v, w := range image {
		if seen[w] {
			c.wrong("no permutation: node %d is the image of two", w)
		}
		seen[w] = true
		if c.given[v] != c.given[w] {
			c.wrong("one of node %d and its image %d is fixed or forbidden, the other is not so", v, w)
		}
	}
	links := c.linkImages(image, turned)
	if c.err != nil {
		return
	}
	want := make([]int64, len(l.ends))
	same := func(a, b []share) bool {
		c.pay(int64(len(a)+len(b)) + 1)
		for _, s := range b {
			want[s.link] = s.amount
		}
		equal := len(a) == len(b)
		for _, s := range a {
			equal = equal && want[links[s.link]] == s.amount
		}
		for _, s := range b {
			want[s.link] = 0
		}
		return equal
	}
	alike := func(u, v, x, y int) bool {
		a, b := l.pathsOf(u, v), l.pathsOf(x, y)
		c.pay(int64(len(a)*len(b)+1) * 8)
		return len(a) == len(b) && !slices.ContainsFunc(a, func(p path) bool {
			return !slices.ContainsFunc(b, func(q path) bool {
				return maps(p.links, q.links, links) && maps(p.inside, q.inside, image)
			})
		})
	}
	var a, b []share
	for u := range l.nodes {
		if !same(l.single[u], l.single[image[u]]) {
			c.wrong("the loads of node %d are not those of its image", u)
		}
		for v := 0; v < u && c.err == nil; v++ {
			x, y := image[u], image[v]
			a, b = l.between(u, v, a), l.between(x, y, b)
			if !same(a, b) {
				c.wrong("the loads of nodes %d and %d are not those of their images", u, v)
			}
			if !(alike(u, v, x, y) && alike(v, u, y, x)) && !(alike(u, v, y, x) && alike(v, u, x, y)) {
				c.wrong("the paths between nodes %d and %d do not go to those between their images", u, v)
			}
		}
	}
}

// maps reports whether a map takes one list of different numbers to another, in any order.
func maps(from, to, by []int) bool {
	return len(from) == len(to) && !slices.ContainsFunc(from, func(x int) bool { return !slices.Contains(to, by[x]) })
}

// linkImages maps the links: of several from one node to another the first to the first, and so on.
func (c *checker) linkImages(image []int, turned uint64) []int {
	t, ends := c.question.Routing.Torus(), c.loads.ends
	numbers := map[[2]int][]int{} // of the links from one node to another, ascending
	for i, e := range ends {
		if e[0] >= 0 {
			numbers[e] = append(numbers[e], i)
		}
	}
	links, hit, rank := make([]int, len(ends)), make([]bool, len(ends)), map[[2]int]int{}
	for i, e := range ends {
		if e[0] < 0 {
			continue
		}
		list, k := numbers[[2]int{image[e[0]], image[e[1]]}], rank[e]
		rank[e]++
		if len(list) != len(numbers[e]) {
			c.wrong("the links from node %d to node %d have no images", e[0], e[1])
			return nil
		}
		to := list[k]
		if _, port := t.LinkFrom(core.Link(to)); turned>>port.Dim&1 == 1 {
			to = int(t.Reverse(core.Link(to)))
		}
		if hit[to] || c.loads.limits[to] != c.loads.limits[i] {
			c.wrong("link %d has no image of its own with its limit", i)
		}
		links[i], hit[to] = to, true
	}
	return links
}
