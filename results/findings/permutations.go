package findings

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"leeway/results/atlas"
	"leeway/results/layout"
)

const permutationsHead = `# The worst permutation of every optimum

The atlas has placements with the least E_max, under all-to-all traffic. What do they carry if every processor sends to
one other and an adversary chooses [which](worst-case.md)? Here are the worst loads of the placements of all proved
cells in two dimensions with sides of at most 8: %d cells, all to all, without conditions, under ` + "`odr`, `udr`" + `
(` + "`udr:tie=both`" + ` is O1TURN) and ` + "`minimal`" + `.

Does one placement win both, the least E_max and the least worst load? Of up to 8 processors all placements were looked
at, one of each orbit, as far as 200000 looks went; where the atlas lists all optima, all of these were. On %d cells the
least worst load of all placements is known, and whether one with the least E_max has it: **%d times one does, %d times
none does**. The placement in the atlas has the least worst load of all on %d of %d cells. The optima lose most on
%s: no optimum has a worst load below %s, another placement has %s.

With the same placement and ` + "`val`" + ` in place of the routing the worst load is smaller on %d of %d cells, equal
on %d, and larger on the others, most of them with at most 8 processors.

Each row has the sizes by the worst load of the placement in the atlas. The last column has the sizes at which another
placement has less: the least of all placements and, in brackets where it is more, the least of those with the least
E_max; *?* is not known.

Written by ` + "`make findings`" + ` from the atlas and results/atlas/worst.csv, which ` + "`make worst`" + `
computes. One cell:

    leeway eval --torus 4x4 --placement nodes:0,2+1,3+2,0+3,1+3,3 --routing udr:tie=both --worst-permutation

| network | routing | worst load: sizes | less is possible |
|---|---|---|---|
`

// Permutations returns the page docs/permutations.md. Errors are those of reading what is shipped.
func Permutations(view *atlas.Atlas) (string, error) {
	known, err := atlas.ShippedWorst()
	if err != nil {
		return "", err
	}
	var rows page
	var both, neither, decided, own, least, valiant, fewer, equal, count int
	worst, where, at := new(big.Rat), atlas.WorstCase{}, atlas.Cell{}
	for _, t := range view.Tori() {
		for _, r := range t.Routings {
			cells, _ := view.Cells(atlas.Filter{Torus: r.Where(), Routing: r.Routing})
			var values, notes []string
			sizes := map[string][]int{}
			for _, c := range cells {
				w, ok := known.Get(c)
				if !ok || c.Routing != r.Routing {
					continue
				}
				count++
				if sizes[w.Load] == nil {
					values = append(values, w.Load)
				}
				sizes[w.Load] = append(sizes[w.Load], c.Size)
				if w.Valiant != "" {
					valiant++
					switch number(w.Valiant).Cmp(number(w.Load)) {
					case -1:
						fewer++
					case 0:
						equal++
					}
				}
				if w.Least != "" {
					if least++; w.Least == w.Load {
						own++
					}
				}
				if w.Least != "" && w.Lightest != "" {
					if decided++; w.Least == w.Lightest {
						both++
					} else {
						neither++
						if q := new(big.Rat).Quo(number(w.Lightest), number(w.Least)); q.Cmp(worst) > 0 {
							worst, where, at = q, w, c
						}
					}
				}
				if note := lessThan(w); note != "" {
					notes = append(notes, fmt.Sprintf("%d: %s", c.Size, note))
				}
			}
			if len(values) == 0 {
				continue
			}
			slices.SortStableFunc(values, func(a, b string) int { return number(a).Cmp(number(b)) })
			for i, v := range values {
				values[i] = v + ": " + layout.Ranges(sizes[v], "..", ", ")
			}
			rows.printf("| %s | %s | %s | %s |\n", r.Where(), short(r.Routing), strings.Join(values, "; "),
				strings.Join(notes, "; "))
		}
	}
	var p page
	p.printf(permutationsHead, count, decided, both, neither, own, least,
		fmt.Sprintf("%s under %s with %d processors", at.Where(), short(at.Routing), at.Size), where.Lightest,
		where.Least, fewer, valiant, equal)
	return p.String() + rows.String(), nil
}

// lessThan says which placements have less than that of a cell, "" if none is known.
func lessThan(w atlas.WorstCase) string {
	switch {
	case w.Least != "" && w.Least == w.Lightest, w.Least == "" && w.Lightest != "":
		if w.Lightest == w.Load {
			return ""
		}
		if w.Least == "" {
			return "? (" + w.Lightest + ")"
		}
		return w.Lightest
	case w.Least == w.Load, w.Least == "":
		return ""
	case w.Lightest == "":
		return w.Least + " (?)"
	}
	return w.Least + " (" + w.Lightest + ")"
}
