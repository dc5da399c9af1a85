package atlas

import (
	"fmt"
	"slices"

	"leeway/core"
	"leeway/core/family"
	"leeway/results"
)

// named returns the placements with a name that have n processors, with their E_max:
// the papers' linear and multilinear on equal sides, their spaced relatives, and
// the same modulo one of the sides on others.
func (d *doorman) named(n int) []Family {
	if list, ok := d.families[n]; ok {
		return list
	}
	list := []Family{}
	if d.routing == nil {
		return list // no placement has a load before its table is known
	}
	baseline, papers := family.Baseline(d.torus, n)
	for _, c := range d.names {
		if c.size != n || n > maxPairs/n {
			continue
		}
		p, err := family.Parse(d.torus, c.text)
		if err != nil || p.Size() != n {
			continue
		}
		most, _ := d.evaluator.Loads(p).Max()
		list = append(list, Family{Placement: c.text, MaxLoad: results.FormatFraction(most), Papers: papers && c.text == baseline})
	}
	d.families[n] = list
	return list
}

// A candidate is a placement with a name and the number of its nodes.
type candidate struct {
	text string
	size int
}

// candidates lists the placements with a name on a torus. The last is full, which has a name
// of its own but on equal sides is the papers'.
func candidates(t *core.Torus) []candidate {
	var list []candidate
	if k, ok := t.Common(); ok {
		list = classes(k, t.N()/k, "")
	} else {
		sides := t.Dims()
		slices.Sort(sides)
		for _, m := range slices.Compact(sides) {
			list = append(list, classes(m, t.N()/m, fmt.Sprintf(":m=%d", m))...)
		}
	}
	return append(list, candidate{"full", t.N()})
}

// classes lists linear, multilinear and spaced placements modulo m, which is a side: every
// residue has as many nodes.
func classes(m, each int, modulus string) []candidate {
	list := []candidate{{"linear" + modulus, each}}
	for t := 2; t <= m; t++ {
		list = append(list, candidate{fmt.Sprintf("multilinear:t=%d%s", t, modulus), t * each})
		if t < m {
			list = append(list, candidate{fmt.Sprintf("spaced:t=%d%s", t, modulus), t * each})
		}
	}
	return list
}
