package kernel

import (
	"cmp"
	"strconv"
)

// define reads one definition.
func (c *checker) define(code int) error {
	if c.started && code <= opKeys {
		return wrong("sets, sums and keys come before all steps")
	}
	switch code {
	case opSet:
		return c.readSet()
	case opSum:
		return c.readSum()
	case opKeys:
		return c.readKeys()
	case opElement:
		return c.readElement()
	case opProduct:
		return c.readProduct()
	case opWeighting:
		return c.readWeighting()
	}
	return c.readView()
}

// readSet reads the nodes of a set in ascending order; one that stands several times counts as often.
func (c *checker) readSet() error {
	var s set
	err := c.source.list(func() error {
		v, err := c.source.below(c.loads.nodes)
		last := len(s.nodes) - 1
		switch {
		case err != nil:
		case last >= 0 && s.nodes[last] == v:
			s.times[last]++
		case last >= 0 && s.nodes[last] > v:
			err = wrong("node %d after node %d", v, s.nodes[last])
		default:
			s.nodes, s.times = append(s.nodes, v), append(s.times, 1)
		}
		return err
	})
	if err != nil {
		return err
	}
	if err := c.addSet(s); err != nil {
		return err
	}
	c.branch.addSum(c.nodesOf(len(c.sets) - 1))
	return nil
}

// readSum reads a whole and its parts, and verifies that they have the same nodes.
func (c *checker) readSum() error {
	whole, err := c.source.below(len(c.sets))
	if err != nil {
		return err
	}
	s := sum{whole: whole}
	rest := map[int]int64{}
	count := func(number int, times int64) error {
		for i, v := range c.sets[number].nodes {
			if rest[v] += times * c.sets[number].times[i]; rest[v] > mostLimit || rest[v] < -mostLimit {
				return wrong("the sum counts a node more than 2^40 times")
			}
		}
		return c.spend(int64(len(c.sets[number].nodes)) + 1)
	}
	if err := count(whole, 1); err != nil {
		return err
	}
	err = c.source.list(func() error {
		number, err := c.source.below(len(c.sets))
		if err != nil {
			return err
		}
		times, err := c.source.number(mostWeight)
		if err == nil && times == 0 {
			err = wrong("a part that counts 0 times")
		}
		s.parts = append(s.parts, part{number, times})
		return firstOf(err, count(number, -times), c.spend(32))
	})
	for v, left := range rest {
		if err == nil && left != 0 {
			err = wrong("the parts do not have node %d as often as the whole", v)
		}
	}
	if err == nil {
		c.branch.addSum(s)
	}
	return err
}

func (c *checker) readKeys() error {
	if c.keys != nil {
		return wrong("keys are there already")
	}
	c.keys = []int{}
	return c.source.list(func() error {
		number, err := c.source.below(len(c.sets))
		c.keys = append(c.keys, number)
		return err
	})
}

// readElement reads the turned dimensions, as bits, and the images of all nodes.
func (c *checker) readElement() error {
	turned, err := c.source.number(mostNumber)
	if err != nil {
		return err
	}
	image := make([]int, c.loads.nodes)
	for v := range image {
		if image[v], err = c.source.below(len(image)); err != nil {
			return err
		}
	}
	if err := c.verify(image, uint64(turned)); err != nil {
		return err
	}
	return c.addElement(image)
}

func (c *checker) addElement(image []int) error {
	c.elements = append(c.elements, newElement(image))
	return c.spend(16*int64(len(image)) + 64)
}

// readProduct reads two elements: the new one is the first after the second.
func (c *checker) readProduct() error {
	first, err := c.source.below(len(c.elements))
	if err != nil {
		return err
	}
	second, err := c.source.below(len(c.elements))
	if err != nil {
		return err
	}
	image := make([]int, c.loads.nodes)
	for v := range image {
		image[v] = c.elements[first].image[c.elements[second].image[v]]
	}
	return firstOf(c.spend(int64(len(image))), c.addElement(image))
}

func (c *checker) readWeighting() error {
	weights := make([]int64, len(c.loads.ends))
	err := c.source.list(func() error {
		link, err := c.source.below(len(weights))
		if err != nil {
			return err
		}
		if c.loads.ends[link][0] < 0 {
			return wrong("there is no link %d", link)
		}
		if weights[link] != 0 {
			return wrong("link %d has a weight already", link)
		}
		weights[link], err = c.source.number(mostWeight)
		return err
	})
	if err != nil {
		return err
	}
	w, err := newWeighting(c.loads, weights, c.spend)
	c.weightings = append(c.weightings, w)
	return err
}

// readView reads the outer and the inner sets, each kind disjoint.
func (c *checker) readView() error {
	v := &view{inT: make([]bool, c.loads.nodes)}
	disjoint := func(list *[]int, taken []bool) error {
		return c.source.list(func() error {
			number, err := c.source.below(len(c.sets))
			if err != nil {
				return err
			}
			for i, node := range c.sets[number].nodes {
				if c.sets[number].times[i] != 1 || taken[node] {
					return wrong("node %d counts more than once in a view", node)
				}
				taken[node] = true
			}
			*list = append(*list, number)
			return firstOf(c.spend(8), c.spend(int64(len(c.sets[number].nodes))+1))
		})
	}
	if err := disjoint(&v.outer, v.inT); err != nil {
		return err
	}
	c.views = append(c.views, v)
	return firstOf(disjoint(&v.inner, make([]bool, c.loads.nodes)), c.spend(int64(c.loads.nodes)+64))
}

// firstOf returns the first error that is not nil.
func firstOf(errs ...error) error { return cmp.Or(errs...) }

func itoa(v int64) string { return strconv.FormatInt(v, 10) }
