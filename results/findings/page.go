// Package findings writes the pages of docs that have values of E_max. Every number of them is computed from the cells
// of an atlas or evaluated.
package findings

import (
	"cmp"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"leeway/core"
	"leeway/objective"
	"leeway/objective/bound"
	"leeway/results"
	"leeway/results/atlas"
)

// Pages are the pages that are written from an atlas, by name: docs/NAME.md. Errors are those of reading the atlas and
// what is shipped beside it.
var Pages = []struct {
	Name  string
	Write func(*atlas.Atlas) (string, error)
}{
	{"findings", Markdown}, {"controllers", Controllers}, {"radius", Radius}, {"best-lattices", Lattices},
	{"completeness", Completeness},
	{"exchanges", Exchanges}, {"permutations", Permutations},
	{"verified", func(view *atlas.Atlas) (string, error) {
		table, err := atlas.ShippedVerified()
		if err != nil {
			return "", err
		}
		return Verified(view, table)
	}},
}

// Markdown returns the page about an atlas. Cells with a fault are left out. Errors are those of reading the atlas.
func Markdown(view *atlas.Atlas) (string, error) {
	all, _ := view.Cells(atlas.Filter{})
	cells := cellsOf(all)
	proved := count(cells, cell.proved)
	var tori, meshes []cell
	for _, c := range cells {
		t, err := c.ReadGrid()
		switch {
		case err != nil:
			return "", err
		case c.Where() == core.JoinInts(c.Torus, "x"):
			tori = append(tori, c)
		case c.Where() == t.String() && t.CommonBandwidth() == 1 && t.Translations() == 1:
			meshes = append(meshes, c)
		}
	}
	p := &page{}
	p.printf(pageHead, len(cells), proved, len(cells)-proved)
	if err := p.highlights(view, cells); err != nil {
		return "", err
	}
	cells = slices.DeleteFunc(cells, func(c cell) bool { return c.Near != objective.Near{} }) // on a page of their own
	p.beaten(tori)
	if err := p.meshes(view, meshes); err != nil {
		return "", err
	}
	p.proved(cells)
	if err := p.frontier(cells); err != nil {
		return "", err
	}
	err := p.questions(view, tori)
	return p.String(), err
}

const pageHead = `# Findings

Written by ` + "`make findings`" + ` from the atlas that is part of the program. Every value is that of a placement
whose loads were computed again; "proved" means that the record holds a proof which ` + "`leeway check`" + ` repeats;
` + "`make atlas-verify`" + ` repeats all of them. No other page has values of E_max that are not here, or in the pages
that these cells also are the source of: [a processor near every node](radius.md),
[memory controllers](controllers.md) and [verified values](verified.md).

Short names: ` + "`odr`" + ` and ` + "`udr`" + ` are with ties plus, ` + "`minimal`" + ` and ` + "`avoid`" + ` with
ties both; on odd sides and sides of 2 the tie rules are one.

The atlas has %d cells: %d proved, %d open.
`

// A page is being written.
type page struct{ strings.Builder }

func (p *page) printf(format string, args ...any) { fmt.Fprintf(p, format, args...) }

// A cell is one of the atlas with its values as numbers.
type cell struct {
	atlas.Cell
	load, bound *big.Rat // load is nil where no placement is known
}

// cellsOf returns the cells without a fault.
func cellsOf(all []atlas.Cell) []cell {
	var cells []cell
	for _, c := range all {
		if c.Fault == "" {
			cells = append(cells, cell{c, number(c.MaxLoad), number(c.LowerBound)})
		}
	}
	return cells
}

// those returns the cells of which something is so, and count how many these are.
func those(cells []cell, is func(cell) bool) []cell {
	return slices.DeleteFunc(slices.Clone(cells), func(c cell) bool { return !is(c) })
}

func count(cells []cell, is func(cell) bool) int { return len(those(cells, is)) }

// proved reports whether no placement has less, beaten whether the papers' has more.
func (c cell) proved() bool { return c.Status == atlas.Optimal }
func (c cell) beaten() bool { return c.Beats() }

// kept reports whether the papers' placement is proved optimal.
func (c cell) kept() bool {
	papers, ok := c.Papers()
	return ok && c.proved() && c.MaxLoad == papers.MaxLoad
}

// spacedBest reports whether evenly spaced residues have the best value known.
func (c cell) spacedBest() bool {
	s := c.spaced()
	return s != nil && c.load.Cmp(s) == 0
}

// number reads a fraction of the atlas, nil for "".
func number(text string) *big.Rat {
	v, ok := new(big.Rat).SetString(text)
	if !ok {
		return nil
	}
	return v
}

// torus returns the sides as text.
func (c cell) torus() string { return c.Key().Torus }

// side returns the common side and the dimensions; ok is false on other tori.
func (c cell) side() (k, d int, ok bool) {
	for _, side := range c.Torus {
		if side != c.Torus[0] {
			return 0, 0, false
		}
	}
	return c.Torus[0], len(c.Torus), true
}

// layers returns n / k^(d-1), 0 where that is no whole number or sides differ.
func (c cell) layers() int {
	k, d, ok := c.side()
	if !ok {
		return 0
	}
	layer := 1
	for range d - 1 {
		layer *= k
	}
	if c.Size%layer != 0 {
		return 0
	}
	return c.Size / layer
}

// short returns a routing as the page names it: without the tie rule that it has by itself.
func short(routing string) string {
	name, _, _ := strings.Cut(routing, ":")
	usual := ":tie=plus"
	if name == "minimal" || name == "avoid" {
		usual = ":tie=both"
	}
	return "`" + strings.TrimSuffix(routing, usual) + "`"
}

// state says whether a cell is proved, and if not what is known.
func (c cell) state() string {
	if c.Status == atlas.Optimal {
		return "proved"
	}
	return "open, at least " + c.LowerBound
}

// spaced returns the E_max of evenly spaced residues, nil where there are none.
func (c cell) spaced() *big.Rat { return c.family("spaced:") }

// family returns the E_max of the placement whose name has a beginning, nil for none.
func (c cell) family(prefix string) *big.Rat {
	for _, f := range c.Families {
		if strings.HasPrefix(f.Placement, prefix) {
			return number(f.MaxLoad)
		}
	}
	return nil
}

// dash returns a number as text, "-" for none.
func dash(v *big.Rat) string {
	if v == nil {
		return "-"
	}
	return v.RatString()
}

// list joins items, "none" for no items.
func list(items []string, separator string) string {
	if len(items) == 0 {
		return "none"
	}
	return strings.Join(items, separator)
}

// beaten writes where the papers' placements are beaten, the worst first.
func (p *page) beaten(cells []cell) {
	theirs := those(cells, func(c cell) bool {
		_, ok := c.Papers()
		return ok
	})
	better := those(theirs, cell.beaten)
	p.printf("\n## Where the papers' placements are beaten\n\nFor %d cells the papers propose a placement: `linear` "+
		"or `multilinear` under ODR and UDR, `linear` under `avoid` in two and three dimensions, on equal sides from 3. "+
		"In %d of them a better one is known; in %d theirs is proved optimal.\n", len(theirs), len(better),
		count(theirs, cell.kept))
	slices.SortStableFunc(better, func(a, b cell) int { return a.part().Cmp(b.part()) })
	p.printf("\n| torus | routing | n | the papers' | best | of theirs | spaced | status " +
		"|\n|---|---|---|---|---|---|---|---|\n")
	for _, c := range better {
		papers, _ := c.Papers()
		percent := new(big.Rat).Mul(c.part(), big.NewRat(100, 1))
		p.printf("| %s | %s | %d | %s (`%s`) | %s | %s%% | %s | %s |\n", c.torus(), short(c.Routing), c.Size,
			papers.MaxLoad, papers.Placement, c.MaxLoad,
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
	all := those(theirs, func(c cell) bool {
		papers, _ := c.Papers()
		return papers.Placement == "linear"
	})
	var better []string
	for _, c := range those(all, cell.beaten) {
		papers, _ := c.Papers()
		better = append(better, fmt.Sprintf("%s %s (%s, now %s)", c.torus(), short(c.Routing), papers.MaxLoad, c.MaxLoad))
	}
	p.printf("* **Linear placements** (n = k^(d-1)): %d cells, %d of them proved optimal, %d beaten: %s.\n", len(all),
		count(all, cell.kept), len(better), list(better, ", "))
}

// twice sums up the cells of 2k^(d-1) processors.
func (p *page) twice(theirs []cell) {
	all := those(theirs, func(c cell) bool {
		k, _, _ := c.side()
		return c.layers() == 2 && k > 3
	})
	best := those(all, cell.spacedBest)
	p.printf("* **Two residues** (n = 2k^(d-1), sides above 3): %d cells. `multilinear:t=2` is beaten in %d of "+
		"them; `spaced:t=2` has the best value known in %d "+
		"and is proved optimal in %d. On k x k this is so for every k: [Theorem 9](laws.md#two-in-each-line).\n",
		len(all), count(all, cell.beaten), len(best), count(best, cell.proved))
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
			beaten = append(beaten, fmt.Sprintf("%s %s n=%d (%s, %s)", c.torus(), short(c.Routing), c.Size,
				spaced.RatString(), c.MaxLoad))
		}
	}
	p.printf("* **Spaced residues**: of %d cells that have both, spaced is better than multilinear in %d, as good "+
		"in %d, worse in %d. Spaced is beaten too in %d: %s.\n",
		counts[-1]+counts[0]+counts[1], counts[-1], counts[0], counts[1], len(beaten), list(beaten, ", "))
}

// proved writes what closed how many cells.
func (p *page) proved(cells []cell) {
	kinds := map[string]int{}
	for _, c := range cells {
		if c.Proof != nil {
			kinds[c.closed()]++
		}
	}
	names := slices.SortedFunc(maps.Keys(kinds), func(a, b string) int {
		return cmp.Or(kinds[b]-kinds[a], cmp.Compare(a, b))
	})
	p.printf("\n## What is proved\n\nA monotone proof is that of a smaller size, or of a routing with the same " +
		"loads. [Completeness](completeness.md)\nsays which sizes are proved, and how that was checked.\n\n" +
		"| closed by | cells |\n|---|---|\n")
	for _, name := range names {
		p.printf("| %s | %d |\n", name, kinds[name])
	}
}

// closed names what shows that nothing is below the value of a cell: a bound, whose own proof may be by steps, else the
// kind of the proof.
func (c cell) closed() string {
	name, _, _ := strings.Cut(c.BoundReason, ", ")
	switch kind, _, other := strings.Cut(name, ":"); {
	case !other:
		return results.ProofBound + " " + name
	case kind == results.ProofSteps:
		return kind + " " + c.Proof.Engine
	default:
		return kind
	}
}

// split cuts a list of cells where two neighbours are not together.
func split(cells []cell, together func(before, c cell) bool) [][]cell {
	var out [][]cell
	for i, c := range cells {
		if i == 0 || !together(cells[i-1], c) {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], c)
	}
	return out
}

// groups splits cells by torus and routing; within a group they stand by size.
func groups(cells []cell) [][]cell {
	return split(cells, func(before, c cell) bool {
		return c.torus() == before.torus() && c.Routing == before.Routing
	})
}

// span names the sizes from one cell to another.
func span(from, to cell) string {
	if from.Size == to.Size {
		return fmt.Sprint(from.Size)
	}
	return fmt.Sprintf("%d..%d", from.Size, to.Size)
}

// frontier writes the smallest E_max known against the size, and the most processors within a load that grows with
// them.
func (p *page) frontier(cells []cell) error {
	p.printf("\n## The frontier\n\nThe smallest E_max known of n processors. It is proved, but for open cells: there " +
		"the best lower bound stands\nbehind *at least*.\n\n| torus | routing | n: E_max |\n|---|---|---|\n")
	for _, group := range groups(cells) {
		p.printf("| %s | %s | %s |\n", group[0].torus(), short(group[0].Routing), steps(group))
	}
	p.printf("\nThe most processors with E_max at most c n, on tori of equal sides with a cell for each size from 1 on; " +
		"`?` where it\nis not proved that no more are possible.\n\n| torus | routing |")
	for _, c := range shares {
		p.printf(" c = %s |", c.RatString())
	}
	p.printf("\n|---|---|%s\n", strings.Repeat("---|", len(shares)))
	for _, group := range groups(cells) {
		k, d, ok := group[0].side()
		if last := group[len(group)-1].Size; !ok || d < 2 || k < 3 || last != len(group) || last < 2*k {
			continue
		}
		row, err := most(group)
		if err != nil {
			return err
		}
		p.printf("| %s | %s | %s |\n", group[0].torus(), short(group[0].Routing), strings.Join(row, " | "))
	}
	return nil
}

// shares are the loads per processor of the table of the most processors.
var shares = []*big.Rat{big.NewRat(1, 8), big.NewRat(1, 4), big.NewRat(1, 2), big.NewRat(1, 1)}

// most returns the largest size of a group with at most each share of its size as load, with "?" where more processors
// might have so little. Sizes beyond the group are judged by the bounds that take no search.
func most(group []cell) (row []string, err error) {
	problem, err := group[0].Key().Problem()
	if err != nil {
		return nil, err
	}
	last := group[len(group)-1]
	lower := make([]*big.Rat, problem.Torus().N()+1)
	for n := range lower {
		if n > 0 && n <= last.Size {
			lower[n] = group[n-1].bound
		} else if problem.Size = n; n > last.Size {
			if lower[n] = new(big.Rat); !strings.HasPrefix(last.Routing, "avoid") {
				lower[n] = last.bound // with fixed paths one processor less has no more load
			}
			for _, b := range bound.QuickBounds(problem) {
				lower[n] = slices.MaxFunc([]*big.Rat{lower[n], b.Value}, (*big.Rat).Cmp)
			}
		}
	}
	for _, share := range shares {
		size, mark := 0, ""
		for n := 1; n < len(lower); n++ {
			limit := new(big.Rat).Mul(share, big.NewRat(int64(n), 1))
			if n <= last.Size && group[n-1].load != nil && group[n-1].load.Cmp(limit) <= 0 {
				size, mark = n, ""
			} else if lower[n].Cmp(limit) <= 0 {
				mark = "?"
			}
		}
		row = append(row, fmt.Sprint(size, mark))
	}
	return row, nil
}

// steps lists the loads of a group, equal neighbours together.
func steps(group []cell) string {
	text := func(c cell) string {
		if c.Status == atlas.Optimal {
			return c.MaxLoad
		}
		return dash(c.load) + ", at least " + c.LowerBound
	}
	var out []string
	for _, run := range split(group, func(before, c cell) bool {
		return c.Size == before.Size+1 && text(c) == text(before)
	}) {
		out = append(out, span(run[0], run[len(run)-1])+": "+text(run[0]))
	}
	return strings.Join(out, "; ")
}
