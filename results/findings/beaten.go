package findings

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"

	"leeway/results/atlas"
)

// beaten writes where the papers' placements are beaten, the worst first.
func (p *page) beaten(cells []cell) {
	var theirs, better []cell
	kept := 0
	for _, c := range cells {
		papers, ok := c.Papers()
		if !ok {
			continue
		}
		theirs = append(theirs, c)
		switch {
		case c.Beats():
			better = append(better, c)
		case c.Status == atlas.Optimal && c.MaxLoad == papers.MaxLoad:
			kept++
		}
	}
	p.printf("\n## Where the papers' placements are beaten\n\n%d cells have a placement of the papers: `linear`, or `multilinear` with consecutive residues. "+
		"In %d of them a better one is known; in %d the papers' is proved optimal.\n", len(theirs), len(better), kept)
	slices.SortStableFunc(better, func(a, b cell) int { return a.part().Cmp(b.part()) })
	p.printf("\n| torus | routing | n | the papers' | best | of theirs | spaced | status |\n|---|---|---|---|---|---|---|---|\n")
	for _, c := range better {
		papers, _ := c.Papers()
		percent := new(big.Rat).Mul(c.part(), big.NewRat(100, 1))
		p.printf("| %s | %s | %d | %s (`%s`) | %s | %s%% | %s | %s |\n", c.torus(), short(c.Routing), c.Size, papers.MaxLoad, papers.Placement, c.MaxLoad,
			percent.FloatString(0), dash(c.spaced()), c.state())
	}
	p.printf("\n")
	p.linear(theirs)
	p.twice(theirs)
	p.spacedOrNot(theirs)
}

// part returns the best load as a part of the papers', of which there is one above 0.
func (c cell) part() *big.Rat {
	papers, _ := c.Papers()
	return new(big.Rat).Quo(c.load, number(papers.MaxLoad))
}

// linear sums up the cells of k^(d-1) processors.
func (p *page) linear(theirs []cell) {
	all, proved := 0, 0
	var better []string
	for _, c := range theirs {
		papers, _ := c.Papers()
		if papers.Placement != "linear" {
			continue
		}
		all++
		switch {
		case c.Beats():
			better = append(better, fmt.Sprintf("%s %s (%s, now %s)", c.torus(), short(c.Routing), papers.MaxLoad, c.MaxLoad))
		case c.Status == atlas.Optimal:
			proved++
		}
	}
	p.printf("* **Linear placements** (n = k^(d-1)): %d cells, %d of them proved optimal, %d beaten: %s.\n", all, proved, len(better), list(better, ", "))
}

// twice sums up the cells of 2k^(d-1) processors.
func (p *page) twice(theirs []cell) {
	all, beaten, best, proved := 0, 0, 0, 0
	for _, c := range theirs {
		if k, _, _ := c.side(); c.layers() != 2 || k <= 3 {
			continue
		}
		all++
		if c.Beats() {
			beaten++
		}
		if s := c.spaced(); s != nil && s.Cmp(c.load) == 0 {
			best++
			if c.Status == atlas.Optimal {
				proved++
			}
		}
	}
	p.printf("* **Two residues** (n = 2k^(d-1), sides above 3): %d cells. `multilinear:t=2` is beaten in %d of them; `spaced:t=2` has the best value known in %d "+
		"and is proved optimal in %d.\n", all, beaten, best, proved)
}

// spacedOrNot compares spaced residues with consecutive ones.
func (p *page) spacedOrNot(theirs []cell) {
	counts := map[int]int{}
	var beaten []string
	for _, c := range theirs {
		spaced, consecutive := c.spaced(), c.family("multilinear:")
		if spaced == nil || consecutive == nil {
			continue
		}
		counts[cmp.Compare(spaced.Cmp(consecutive), 0)]++
		if c.load.Cmp(spaced) < 0 {
			beaten = append(beaten, fmt.Sprintf("%s %s n=%d (%s, %s)", c.torus(), short(c.Routing), c.Size, spaced.RatString(), c.MaxLoad))
		}
	}
	p.printf("* **Spaced residues**: of %d cells that have both, spaced is better than multilinear in %d, as good in %d, worse in %d. Spaced is beaten too in %d: %s.\n",
		counts[-1]+counts[0]+counts[1], counts[-1], counts[0], counts[1], len(beaten), list(beaten, ", "))
}
