package kernel

import "leeway/core"

// An element is a map of the nodes onto themselves under which answers stay answers.
type element struct {
	image, inverse []int
}

func newElement(image []int) *element {
	e := &element{image: image, inverse: make([]int, len(image))}
	for v, w := range image {
		e.inverse[w] = v
	}
	return e
}

// verify checks that a map of nodes is a permutation, keeps fixed and forbidden nodes, and maps links to links of the
// same limit such that what every pair and every processor puts on a link its image puts on the image of the link.
// Along the dimensions whose bit is set in turned the image of a link is the one that leads back.
func (c *checker) verify(image []int, turned uint64) error {
	l := c.loads
	seen := make([]bool, l.nodes)
	for v, w := range image {
		if seen[w] {
			return wrong("no permutation: node %d is the image of two", w)
		}
		seen[w] = true
		if c.given[v] != c.given[w] {
			return wrong("one of node %d and its image %d is fixed or forbidden, the other is not so", v, w)
		}
	}
	links, err := c.linkImages(image, turned)
	if err != nil {
		return err
	}
	want := make([]int64, len(l.ends))
	same := func(a, b []share) bool {
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
	for u := range l.nodes {
		if !same(l.single[u], l.single[image[u]]) {
			return wrong("the loads of node %d are not those of its image", u)
		}
		for v := u + 1; v < l.nodes; v++ {
			a, b := l.pairs[u*l.nodes+v], l.pairs[min(image[u], image[v])*l.nodes+max(image[u], image[v])]
			if err := c.spend(int64(len(a)+len(b)) + 1); err != nil {
				return err
			}
			if !same(a, b) {
				return wrong("the loads of nodes %d and %d are not those of their images", u, v)
			}
		}
	}
	return nil
}

// linkImages maps the links: of several from one node to another the first to the first, and so on.
func (c *checker) linkImages(image []int, turned uint64) ([]int, error) {
	t := c.question.Routing.Torus()
	numbers := map[[2]int][]int{} // of the links from one node to another, ascending
	for i, e := range c.loads.ends {
		if e[0] >= 0 {
			numbers[e] = append(numbers[e], i)
		}
	}
	links := make([]int, len(c.loads.ends))
	hit := make([]bool, len(links))
	for ends, list := range numbers {
		images := numbers[[2]int{image[ends[0]], image[ends[1]]}]
		if len(images) != len(list) {
			return nil, wrong("the links from node %d to node %d have no images", ends[0], ends[1])
		}
		for k, i := range list {
			to := images[k]
			if _, port := t.LinkFrom(core.Link(to)); turned>>port.Dim&1 == 1 {
				to = int(t.Reverse(core.Link(to)))
			}
			if hit[to] || c.loads.limits[to] != c.loads.limits[i] {
				return nil, wrong("link %d has no image of its own with its limit", i)
			}
			links[i], hit[to] = to, true
		}
	}
	return links, nil
}
