package main

import (
	"context"
	"fmt"
	"math"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"leeway/core"
	"leeway/core/routing"
	"leeway/results"
	"leeway/results/atlas"
)

// A browsing holds the flags of atlas: where the cells come from and which are
// wanted.
type browsing struct {
	store                       string
	torus, routing, sizes, gap  string
	open, beaten, wrong, asJSON bool
	limit                       int
}

func (a *app) atlasCommand() *cobra.Command {
	b := &browsing{}
	cmd := &cobra.Command{
		Use:   "atlas [WORD...]",
		Short: "List what is known: the best placement and the best bound of every cell",
		Long: `List cells, each a torus, a routing with its tie rule and a number of processors,
with the smallest E_max known, the best lower bound and what shows it. Words pick the
cells that have all of them: optimal, census, 8x8, n=16.

Without --store these are the cells of the atlas that is part of the program; with
--store those of a store, where a cell with a wrong record is shown as wrong.`,
		Example: `  leeway atlas --torus 8x8 --routing udr:tie=both
  leeway atlas --open --gap 1
  leeway atlas show --torus 8x8 --routing udr:tie=both --size 16 > best.json
  leeway atlas fill --plan mine.yaml --store mine.store`,
		RunE: func(cmd *cobra.Command, words []string) error {
			filter, err := b.filter(words)
			if err != nil {
				return err
			}
			return withAtlas(cmd.Context(), b.store, func(view *atlas.Atlas) error {
				cells, total := view.Cells(filter)
				if b.asJSON {
					return a.printJSON(cellItems{cells})
				}
				return a.printCells(cells, total)
			})
		},
	}
	storeFlag(cmd, &b.store)
	b.register(cmd)
	cmd.Flags().BoolVar(&b.open, "open", false, "only cells whose optimum is not proved")
	cmd.Flags().BoolVar(&b.beaten, "beaten", false, "only cells where the papers' placements are beaten")
	cmd.Flags().BoolVar(&b.wrong, "wrong", false, "only cells with a wrong record")
	cmd.Flags().StringVar(&b.gap, "gap", "", "only cells whose best load lies at least this above the bound")
	cmd.Flags().IntVar(&b.limit, "limit", 0, "list at most so many; 0: all")
	cmd.Flags().BoolVar(&b.asJSON, "json", false, "print one JSON document")
	return cmd
}

// cellItems is the JSON form of cells.
type cellItems struct {
	Items []atlas.Cell `json:"items"`
}

// storeFlag adds the flag that names a store in place of the shipped atlas.
func storeFlag(cmd *cobra.Command, to *string) {
	cmd.Flags().StringVar(to, "store", "", "store to look at (default: the atlas that is part of the program)")
}

// register adds the flags that pick cells.
func (b *browsing) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&b.torus, "torus", "", torusUsage)
	cmd.Flags().StringVar(&b.routing, "routing", "", "routing: odr, udr, minimal or avoid and so on, each with :tie=plus or :tie=both")
	cmd.Flags().StringVar(&b.sizes, "size", "", sizeUsage)
}

// withAtlas opens the atlas of a store, or the shipped one for "", for the time of some
// work. Where the context ends before it is open the error is a *stoppedError.
func withAtlas(ctx context.Context, store string, work func(*atlas.Atlas) error) error {
	if store == "" {
		view, err := unlessStopped(ctx, grace, "the atlas was", atlas.Shipped)
		if err != nil {
			return err
		}
		return work(view)
	}
	view, err := unlessStopped(ctx, grace, "the atlas was", func() (*atlas.Atlas, error) { return atlas.OpenStore(store) })
	if err != nil {
		return inFlag("store", err)
	}
	if err := work(view); err != nil {
		view.Close() // the error of the work says more
		return err
	}
	return view.Close()
}

// filter reads the flags that pick cells.
func (b *browsing) filter(words []string) (atlas.Filter, error) {
	f := atlas.Filter{Open: b.open, Beaten: b.beaten, Faulty: b.wrong, Text: strings.Join(words, " "), Limit: b.limit}
	if b.limit < 0 {
		return f, usagef("--limit %d: a number from 0 on is needed", b.limit)
	}
	if b.torus != "" {
		t, err := core.ParseTorus(b.torus)
		if err != nil {
			return f, inFlag("torus", err)
		}
		f.Torus = t.String()
	}
	if b.routing != "" {
		var err error
		if f.Routing, err = canonicalRouting(b.routing, f.Torus); err != nil {
			return f, inFlag("routing", err)
		}
	}
	var err error
	if f.From, f.To, err = readSpan(b.sizes); err != nil {
		return f, err
	}
	if b.gap != "" {
		if f.Gap, err = results.ParseFraction(b.gap); err != nil {
			return f, inFlag("gap", err)
		}
	}
	return f, nil
}

// canonicalRouting returns the canonical text of a routing, on a torus if one is
// named; most routings are named alike on all.
func canonicalRouting(text, torus string) (string, error) {
	if f, free, err := routing.ParseFree(text); free {
		return f.String(), err
	}
	var first error
	for _, sides := range []string{torus, "4x4", "4x4x4", "4x4x4x4"} {
		if sides == "" {
			continue
		}
		t, err := core.ParseTorus(sides)
		if err != nil {
			return "", err
		}
		r, err := routing.Parse(t, text)
		if err == nil {
			return r.String(), nil
		}
		if first == nil {
			first = err
		}
		if torus != "" {
			break
		}
	}
	return "", first
}

// readSpan reads a size or a range of sizes; "" is all.
func readSpan(text string) (from, to int, err error) {
	if text == "" {
		return 0, 0, nil
	}
	from, to, ok := readRange(text)
	if !ok || from < 1 || to < from || to > math.MaxInt32 {
		return 0, 0, usagef("--size %q: not a whole number from 1 on or a range A..B", text)
	}
	return from, to, nil
}

// printCells lists cells for a person.
func (a *app) printCells(cells []atlas.Cell, total int) error {
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "torus\trouting\tn\tE_max\tbound\tstatus\tproof\tthe papers'")
	proved, faults := 0, 0
	for _, c := range cells {
		switch {
		case c.Fault != "":
			faults++
		case c.Status == atlas.Optimal:
			proved++
		}
		say(w, "%s\t%s\t%d\t%s\t%s\t%s\t%s\t%s\n", core.JoinInts(c.Torus, "x"), c.Routing, c.Size, dash(c.MaxLoad), dash(c.LowerBound), c.Status, shortProof(c), papersOf(c))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, c := range cells {
		if c.Fault != "" {
			a.printf("wrong: %s: %s\n", c.Key(), c.Fault)
		}
	}
	text := fmt.Sprintf("%d cells: %d proved, %d open", len(cells), proved, len(cells)-proved-faults)
	if faults > 0 {
		text += fmt.Sprintf(", %d wrong", faults)
	}
	if total > len(cells) {
		text += fmt.Sprintf(" (%d more are not listed)", total-len(cells))
	}
	fmt.Fprintln(a.stdout, text)
	return nil
}

func dash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

// shortProof names what shows that nothing is below, "-" for open cells.
func shortProof(c atlas.Cell) string {
	p := c.Proof
	switch {
	case p == nil:
		return "-"
	case p.Kind == results.ProofMonotone:
		basis := *p
		basis.Kind = p.Basis
		text := fmt.Sprintf("n=%d ", *p.Size)
		if p.Routing != "" {
			text += p.Routing + " "
		}
		return text + shortProof(atlas.Cell{Proof: &basis})
	case p.Kind == results.ProofBound:
		return "bound " + p.Bound
	}
	return p.Kind + " " + p.Engine
}

// papersOf says what the best placement of the papers has, and marks those that are
// beaten.
func papersOf(c atlas.Cell) string {
	f, ok := c.Papers()
	switch {
	case !ok:
		return "-"
	case c.Beats():
		return f.MaxLoad + " beaten"
	}
	return f.MaxLoad
}
