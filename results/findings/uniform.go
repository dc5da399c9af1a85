package findings

import (
	"fmt"

	"leeway/results/atlas"
)

// uniform says what optimal placements look like in subtori, from the cells that list them
// all and whose size the sides divide.
func (p *page) uniform(view *atlas.Atlas, cells []cell) error {
	all := 0
	var some, none places
	for _, c := range cells {
		if c.Optima == 0 || !divides(c.Torus, c.Size) {
			continue
		}
		d, _, err := view.Detail(c.Key())
		if err != nil {
			return err
		}
		if d.Record == nil || d.Record.Optima == nil {
			continue
		}
		even := 0
		for _, nodes := range *d.Record.Optima {
			if uniform(c.Torus, nodes) {
				even++
			}
		}
		switch even {
		case 0:
			none.add(c, "")
		case len(*d.Record.Optima):
			all++
		default:
			some.add(c, fmt.Sprintf(" (%d of %d)", even, len(*d.Record.Optima)))
		}
	}
	p.printf(uniformText, all+some.count+none.count, all, some.count, list(some.texts, "; "), none.count, list(none.texts, "; "))
	return nil
}

const uniformText = "* *What are optimal placements in subtori, and must they be uniform?* Uniform: in every dimension all layers hold as many processors. Of %d cells all optimal\n" +
	"  placements are listed and all sides divide n. In %d of them every optimal placement is uniform.\n" +
	"  * Up to symmetry only some are in %d: %s.\n" +
	"  * None is in %d: %s. There uniformity costs load.\n"

// A places is a list of cells, those of one torus and routing together.
type places struct {
	count int
	texts []string
	last  string
}

// add adds a cell, with a remark.
func (l *places) add(c cell, remark string) {
	l.count++
	where := c.torus() + " " + short(c.Routing)
	if where == l.last {
		l.texts[len(l.texts)-1] += fmt.Sprintf(", %d%s", c.Size, remark)
		return
	}
	l.last = where
	l.texts = append(l.texts, fmt.Sprintf("%s n = %d%s", where, c.Size, remark))
}

// divides reports whether every side divides n, and n is less than all nodes.
func divides(sides []int, n int) bool {
	nodes := 1
	for _, k := range sides {
		if n%k != 0 {
			return false
		}
		nodes *= k
	}
	return n < nodes
}

// uniform reports whether all layers of every dimension hold as many nodes.
func uniform(sides []int, nodes [][]int) bool {
	for j, k := range sides {
		count := make([]int, k)
		for _, v := range nodes {
			count[v[j]]++
		}
		for _, c := range count {
			if c != count[0] {
				return false
			}
		}
	}
	return true
}
