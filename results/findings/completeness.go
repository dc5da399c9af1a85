package findings

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/layout"
)

const completenessHead = `# Completeness, source, reliability

Written by ` + "`make findings`" + ` from the atlas that is part of the program: %d cells, %d optimal, %d open. A
*cell* is a network, a routing, a size, a traffic and conditions; its [label](formats.md#labels) names it for good.

## How far it goes

A table row is a network with its traffic, and the routings that are as far on it; conditions on nodes are counted at
the end. *1..16* says that every size from 1 to 16 is proved optimal; sizes after it are proved, too, but not all
between them. A size in **bold** is open: its lower bound is below the best value known. *all* are all sizes of the
network.

| network | routing | sizes proved | open |
|---|---|---|---|
`

const completenessChecks = `
## How each kind of value is checked

* **E_max of a placement**: by listing every path and adding exact fractions, without code of the searchers, when a
  record is read, taken in, or checked (` + "`leeway check`" + `); ` + "`leeway atlas verify`" + ` does so for the whole
  atlas.
* **Optimal**: none of the placements is below it. The grounds, in the number of cells:

| ground | cells | who checks it |
|---|---|---|
%s
The kernel has accepted each proof by steps, and the record says how many they are. ` + "`leeway check`" + ` has the
engine write them again.

* **By programs of others**: [verified values](verified.md) says which values were proved once more, as formulas, with
  proofs that checkers of others accepted.
* **Lower bound of an open cell**: a proof as above of a smaller value; of no such value a bound with a witness.
* **Number of optima**: %d cells say how many optimal placements there are up to symmetry, and list them where these are
  at most 64. On %d of them the proof of the value is by steps.

Where a placement came from stands in its record: method, seed and budget of the search that found it, or the name of
its family; what the papers propose is marked.

## What has changed

`

// grounds are what proofs rest on, by their kind, in the order of the page, with who checks it.
var grounds = []struct{ kind, name, who string }{
	{results.ProofSteps, "steps that refute all placements below it", "`results/check/kernel` (Go) and `tools/steps.py` " +
		"(Python), both from [steps](steps.md)"},
	{results.ProofMonotone, "the same of fewer processors, or under a weaker routing",
		"the same, of the cell that it names"},
	{results.ProofBound, "a bound with a closed form", "`results/check`, by its definition"},
}

// Completeness returns the page docs/completeness.md: which cells an atlas has, which of them are proved and how, and
// what has changed. Errors are those of reading the history that is shipped.
func Completeness(view *atlas.Atlas) (string, error) {
	all, _ := view.Cells(atlas.Filter{})
	cells := cellsOf(all)
	p := &page{}
	kinds := map[string]int{}
	rows := map[[2]string][]cell{}
	var order [][2]string
	proved, conditioned, listed, bySteps := 0, 0, 0, 0
	for _, c := range cells {
		if c.Status == atlas.Optimal {
			proved++
			kinds[c.Proof.Kind]++
		}
		if c.Optima > 0 {
			listed++
			if c.Proof.Kind == results.ProofSteps {
				bySteps++
			}
		}
		if c.Conditioned() {
			conditioned++
			continue
		}
		at := [2]string{c.Where(), c.Routing}
		if rows[at] == nil {
			order = append(order, at)
		}
		rows[at] = append(rows[at], c)
	}
	p.printf(completenessHead, len(cells), proved, len(cells)-proved)
	alike := map[[2]string][]string{} // routings by network and extent
	for _, at := range order {
		as := [2]string{at[0], extent(rows[at])}
		alike[as] = append(alike[as], short(at[1]))
	}
	for _, at := range order {
		as := [2]string{at[0], extent(rows[at])}
		if list := alike[as]; list != nil {
			p.printf("| %s | %s | %s |\n", as[0], strings.Join(list, ", "), as[1])
			alike[as] = nil
		}
	}
	p.printf("\n%d cells have fixed or forbidden nodes, a radius or a distance: %s\n", conditioned,
		"[a processor near every node](radius.md).")
	var table strings.Builder
	for _, g := range grounds {
		if kinds[g.kind] > 0 {
			table.WriteString("| " + g.name + " | " + strconv.Itoa(kinds[g.kind]) + " | " + g.who + " |\n")
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		if !slices.ContainsFunc(grounds, func(g struct{ kind, name, who string }) bool { return g.kind == kind }) {
			table.WriteString("| " + kind + " | " + strconv.Itoa(kinds[kind]) + " | `leeway check` |\n")
		}
	}
	p.printf(completenessChecks, table.String(), listed, bySteps)
	err := p.changes(cells)
	return p.String(), err
}

// extent returns which sizes are proved, and which of those with a cell are open, as two columns of a table.
func extent(cells []cell) string {
	nodes := 1
	for _, k := range cells[0].Torus {
		nodes *= k
	}
	var sizes, open []int
	for _, c := range cells {
		if c.Status == atlas.Optimal {
			sizes = append(sizes, c.Size)
		} else {
			open = append(open, c.Size)
		}
	}
	done := layout.Ranges(sizes, "..", ", ")
	if len(sizes) == nodes {
		done = "all"
	}
	undone := layout.Ranges(open, "..", ", ")
	if undone != "" {
		undone = "**" + undone + "**"
	}
	return done + " | " + undone
}

// changes counts what cells said before, by the day until which they did, the last first. Errors are those of reading
// the history.
func (p *page) changes(cells []cell) error {
	type day struct{ value, bound int }
	days := map[string]day{}
	for _, c := range cells {
		past, err := atlas.ShippedPast(c.Key())
		if err != nil {
			return err
		}
		for i, old := range past {
			next := c.MaxLoad
			if i+1 < len(past) {
				next = past[i+1].MaxLoad
			}
			d := days[old.Until]
			if next != old.MaxLoad {
				d.value++
			} else {
				d.bound++
			}
			days[old.Until] = d
		}
	}
	p.printf("| until | cells with another E_max | cells with another bound alone |\n|---|---|---|\n")
	for _, until := range slices.SortedFunc(maps.Keys(days), func(a, b string) int { return cmp.Compare(b, a) }) {
		p.printf("| %s | %d | %d |\n", until, days[until].value, days[until].bound)
	}
	p.printf("\nThe page of a cell says what was known when.\n")
	return nil
}
