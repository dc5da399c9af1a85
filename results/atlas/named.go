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
	baseline, papers := family.Baseline(d.torus, n)
	for _, text := range familyTexts(d.torus) {
		p, err := family.Parse(d.torus, text)
		if err != nil || p.Size() != n || n > maxPairs/n {
			continue
		}
		most, _ := d.evaluator.Loads(p).Max()
		list = append(list, Family{Placement: text, MaxLoad: results.FormatFraction(most), Papers: papers && text == baseline})
	}
	d.families[n] = list
	return list
}

// familyTexts lists the placements with a name on a torus.
func familyTexts(t *core.Torus) []string {
	var texts []string
	if k, ok := t.Common(); ok {
		texts = classTexts(k, "")
	} else {
		sides := t.Dims()
		slices.Sort(sides)
		for _, m := range slices.Compact(sides) {
			texts = append(texts, classTexts(m, fmt.Sprintf(":m=%d", m))...)
		}
	}
	return append(texts, "full")
}

// classTexts lists linear, multilinear and spaced placements modulo m. The last of
// these is full, which has a name of its own but on equal sides is the papers'.
func classTexts(m int, modulus string) []string {
	texts := []string{"linear" + modulus}
	for t := 2; t <= m; t++ {
		texts = append(texts, fmt.Sprintf("multilinear:t=%d%s", t, modulus))
		if t < m {
			texts = append(texts, fmt.Sprintf("spaced:t=%d%s", t, modulus))
		}
	}
	return texts
}
