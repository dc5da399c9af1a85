package findings

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"leeway/results"
	"leeway/results/atlas"
)

// proved writes what closed how many cells, and how far each torus and routing is.
func (p *page) proved(cells []cell) {
	kinds := map[string]int{}
	for _, c := range cells {
		if c.Proof != nil {
			kinds[kind(c.Proof)]++
		}
	}
	names := slices.SortedFunc(maps.Keys(kinds), func(a, b string) int { return cmp.Or(kinds[b]-kinds[a], cmp.Compare(a, b)) })
	p.printf("\n## What is proved\n\nA monotone proof is that of a smaller size, or of a routing with the same loads.\n\n| closed by | cells |\n|---|---|\n")
	for _, name := range names {
		p.printf("| %s | %d |\n", name, kinds[name])
	}
	p.printf("\n| torus | routing | sizes | proved | open | beaten |\n|---|---|---|---|---|---|\n")
	for _, group := range groups(cells) {
		count := [3]int{}
		for _, c := range group {
			if c.Status == atlas.Optimal {
				count[0]++
			} else {
				count[1]++
			}
			if c.Beats() {
				count[2]++
			}
		}
		p.printf("| %s | %s | %s | %d | %d | %d |\n", group[0].torus(), short(group[0].Routing), sizes(group), count[0], count[1], count[2])
	}
}

// kind names what a proof rests on.
func kind(p *results.Proof) string {
	switch p.Kind {
	case results.ProofBound:
		return "bound " + p.Bound
	case results.ProofCensus:
		return "census " + strings.Join(strings.Fields(p.Engine), " ")
	}
	return p.Kind
}
