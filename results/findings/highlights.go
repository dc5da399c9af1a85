package findings

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"leeway/objective/texts"
	"leeway/results/atlas"
)

// highlights has {network routing size} for the proved E_max of a cell, and {name} for a count.
const highlights = `
## Ten highlights

1. **The papers' placements can be beaten.** They propose one for {papers} cells; in {better} of them a better one is
   known. 24 processors on 12x12 carry {12x12 odr:tie=plus 24} under ` + "`odr`" + ` in place of 22
   ([table](#where-the-papers-placements-are-beaten)).
2. **Two diagonals half a side apart are optimal on k x k for every k**, under UDR and ODR
   ([Theorem 9](laws.md#two-in-each-line)). 16 processors on 8x8 carry {8x8 udr:tie=both 16} under
   ` + "`udr:tie=both`" + `, where two neighbouring diagonals carry 7.
3. **Nearly all of the atlas is proved**: {proved} of {cells} cells, by proofs that ` + "`leeway check`" + ` repeats
   and a second checker, in Python, follows from the same description ([completeness](completeness.md)).
4. **Checkers written elsewhere accepted proofs of {verified} values**, among them cake_lpr, which is itself verified
   ([table](verified.md)).
5. **The diamond of memory controllers is optimal on the mesh 8x8, not on the torus.** Under XY 16 controllers in a
   diamond carry {mesh} on the mesh, in the first and last rows 160. On the torus the diamond carries 64, the optimum
   {torus} ([controllers](controllers.md)).
6. **A much-cited table of such controllers has means of maxima**: 13.50 for rows and 8.90 for the diamond look like
   1.51 times the load, where throughput differs by 160/78 = 2.05 ([why](controllers.md#a-mean-of-maxima)).
7. **One placement mostly wins both, average and worst case.** Where the least load under the worst permutation is
   known, one with the least E_max has it in {both} of {decided} cells ([table](permutations.md)).
8. **Shifted ends save load.** Of all networks Z^d / L of 32 nodes in two dimensions the best, {lattice}, carries {less}
   less than the best torus ([table](best-lattices.md)).
9. **Complete exchange is as fast as any bound allows on {exchanges} of {networks} networks** with all ports
   ([table](exchanges.md)).
10. **{open} cells are open**, and anyone can work on them: [problems with a judge of
    answers](../examples/hunt/README.md), [all values](#the-frontier).
`

var placeholder = regexp.MustCompile(`\{[^}]*\}`)

// highlights writes ten findings. Errors are those of reading what is shipped, and of cells that are not proved.
func (p *page) highlights(view *atlas.Atlas, cells []cell) error {
	counts, err := p.counts(view, cells)
	if err != nil {
		return err
	}
	text := placeholder.ReplaceAllStringFunc(highlights, func(name string) string {
		words := strings.Fields(strings.Trim(name, "{}"))
		if len(words) == 1 {
			return counts[words[0]]
		}
		size, _ := strconv.Atoi(words[2])
		c, ok := view.Cell(texts.Key{Torus: words[0], Routing: words[1], Size: size})
		if !ok || c.Status != atlas.Optimal {
			err = fmt.Errorf("the highlights name %s, which the atlas has not proved", name)
		}
		return c.MaxLoad
	})
	p.WriteString(text)
	return err
}

// counts returns what the highlights count.
func (p *page) counts(view *atlas.Atlas, cells []cell) (map[string]string, error) {
	list := map[string]int{"cells": len(cells)}
	known, err := atlas.ShippedWorst()
	if err != nil {
		return nil, err
	}
	table, err := atlas.ShippedVerified()
	if err != nil {
		return nil, err
	}
	for _, c := range cells {
		w, _ := known.Get(c.Cell)
		_, verified := table.ValueOf(c.Cell)
		for name, is := range map[string]bool{"proved": c.Status == atlas.Optimal, "open": c.Status != atlas.Optimal,
			"verified": verified, "decided": w.Least != "" && w.Lightest != "", "better": c.Beats(),
			"both": w.Least != "" && w.Least == w.Lightest} {
			if is {
				list[name]++
			}
		}
		if _, ok := c.Papers(); ok && c.Where() == c.torus() {
			list["papers"]++
		}
	}
	rows, err := readExchanges()
	for _, e := range rows {
		if list["networks"]++; e.fewest == e.lowerBound {
			list["exchanges"]++
		}
	}
	texts := map[string]string{}
	for name, n := range list {
		texts[name] = strconv.Itoa(n)
	}
	if err != nil {
		return nil, err
	}
	for i, t := range controllersNetworks() {
		q, err := schemes[0].Problem(t, 1, beside)
		if err != nil {
			return nil, err
		}
		texts[[]string{"mesh", "torus"}[i]] = dash(optimum(view, q))
	}
	lattices, _, err := bestLattices()
	for _, b := range lattices {
		if b.Dims == 2 && b.Nodes == 32 {
			texts["lattice"], texts["less"] = b.Best.Network, lessThanPlain(b)
		}
	}
	return texts, err
}
