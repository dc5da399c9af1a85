package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"leeway/cmd/cli"
	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results"
	"leeway/results/atlas"
)

// A browsing holds the flags of atlas: where the cells come from and which are wanted.
type browsing struct {
	subject
	store, gap          string
	open, beaten, wrong bool
	limit               int
}

func (a *app) atlasCommand() *cobra.Command {
	b := &browsing{}
	cmd := &cobra.Command{
		Use:   "atlas [WORD...]",
		Short: "List the best placement and the best bound known of every cell",
		RunE: func(cmd *cobra.Command, words []string) error {
			filter, err := b.filter(cmd.Context(), words)
			if err != nil {
				return err
			}
			return withAtlas(cmd.Context(), b.store, func(view *atlas.Atlas) error {
				cells, total := view.Cells(filter)
				if b.asJSON {
					return printList(a, cells, true)
				}
				if name := cli.NearCommand(cmd, strings.Join(words, " ")); total == 0 && name != "" {
					return &cli.Error{Err: cli.Errorf("no cell matches %q", words[0]),
						Hint: fmt.Sprintf("did you mean %s?", name)}
				}
				a.printCells(cells, total)
				return nil
			})
		},
	}
	b.register(cmd)
	b.flags(cmd, "json")
	cmd.Flags().BoolVar(&b.open, "open", false, "only cells whose optimum is not proved")
	cmd.Flags().BoolVar(&b.beaten, "beaten", false, "only cells where the papers' placements are beaten")
	cmd.Flags().BoolVar(&b.wrong, "wrong", false, "only cells with a wrong record")
	cmd.Flags().StringVar(&b.gap, "gap", "", "only cells whose gap, best E_max minus lower bound, is at least this")
	cmd.Flags().IntVar(&b.limit, "limit", 0, "list at most this many cells; 0: all")
	cmd.AddCommand(a.atlasShowCommand(), a.atlasFillCommand(), a.atlasMergeCommand(), a.atlasVerifyCommand(),
		a.atlasExportCommand(), a.atlasFindingsCommand(), a.atlasCertifyCommand())
	return cmd
}

// storeFlag adds the flag that names a store in place of the shipped atlas.
func storeFlag(cmd *cobra.Command, to *string) {
	cmd.Flags().StringVar(to, "store", "", "store to look at (default: the atlas that is part of the program)")
}

// register adds the flags that pick cells.
func (b *browsing) register(cmd *cobra.Command) {
	storeFlag(cmd, &b.store)
	b.flags(cmd, "torus", "routing", "traffic", "size", "conditions")
	cmd.Flags().Lookup("routing").Usage = "routing: odr, udr, minimal, avoid and so on, each with :tie=plus or :tie=both"
}

// detail returns all that an atlas knows of a problem, which must have a cell.
func detail(view *atlas.Atlas, p objective.Problem) (atlas.Detail, error) {
	d, ok, err := view.Detail(atlas.KeyOf(p))
	if err == nil && !ok {
		err = noCell(atlas.KeyOf(p).String())
	}
	return d, err
}

// noCell says that an atlas has no cell of a name.
func noCell(name string) error {
	return &cli.Error{Err: cli.Errorf("there is no cell %s", name), Hint: "leeway atlas lists the cells"}
}

// withAtlas opens the atlas of a store, or the shipped one for "", for the time of some work. Where the context ends
// before it is open the error is a *cli.StoppedError.
func withAtlas(ctx context.Context, store string, work func(*atlas.Atlas) error) error {
	view, err := cli.UnlessStopped(ctx, "the atlas was", func() (*atlas.Atlas, error) {
		if store == "" {
			return atlas.Shipped()
		}
		return atlas.OpenStore(store)
	})
	if err != nil {
		return cli.InFlag("store", err)
	}
	return cmp.Or(work(view), view.Close())
}

// filter reads the flags that pick cells.
func (b *browsing) filter(ctx context.Context, words []string) (atlas.Filter, error) {
	f := atlas.Filter{Open: b.open, Beaten: b.beaten, Faulty: b.wrong, Text: strings.Join(words, " "), Limit: b.limit}
	if b.limit < 0 {
		return f, cli.Errorf("--limit %d: a number from 0 on is needed", b.limit)
	}
	var t *core.Torus
	var err error
	if b.where()+b.fixedText+b.forbiddenText != "" || b.asksTraffic() {
		if t, err = b.torus(); err == nil {
			f.Torus, err = b.network(ctx, t)
		}
		if err != nil {
			return f, err
		}
	}
	if b.routingText != "" {
		if f.Routing, err = routing.Canonical(t, b.routingText); err != nil {
			return f, cli.InFlag("routing", err)
		}
	}
	if b.sizeText != "" {
		var ok bool
		if f.From, f.To, ok = cli.ReadRange(b.sizeText, ".."); !ok || f.From < 1 || f.To < f.From || f.To > math.MaxInt32 {
			return f, cli.Errorf("--size %q: not a whole number from 1 on or a range A..B", b.sizeText)
		}
	}
	if b.gap != "" {
		if f.Gap, err = results.ParseFraction(b.gap); err != nil {
			return f, cli.InFlag("gap", err)
		}
	}
	return f, nil
}

// printCells lists cells for a person.
func (a *app) printCells(cells []atlas.Cell, total int) {
	_, columns := cli.Terminal(a.Stdout)
	texts := map[string]string{} // many cells have the same loads
	load := func(fraction string) string {
		text, ok := texts[fraction]
		if !ok {
			if text = fraction; columns == 0 || columns >= 100 {
				text = results.WithDecimal(fraction)
			}
			texts[fraction] = text
		}
		return text
	}
	rows := [][]string{{"torus", "routing", "n", "E_max", "bound", "status", "proof", "the papers'"}}
	proved, faults := 0, 0
	for _, c := range cells {
		switch {
		case c.Fault != "":
			faults++
		case c.Status == atlas.Optimal:
			proved++
		}
		rows = append(rows, []string{c.Where(), c.Routing, strconv.Itoa(c.Size),
			cmp.Or(load(c.MaxLoad), "-"), cmp.Or(load(c.LowerBound), "-"), c.Status, c.Proof.Short(), papersOf(c, load)})
	}
	a.Stdout.Table(rows)
	for _, c := range cells {
		if c.Fault != "" {
			a.Printf("wrong: %s: %s\n", c.Key(), results.WithDecimals(c.Fault))
		}
	}
	text := fmt.Sprintf("%d cells: %d proved, %d open", len(cells), proved, len(cells)-proved-faults)
	if faults > 0 {
		text += fmt.Sprintf(", %d wrong", faults)
	}
	if total > len(cells) {
		text += fmt.Sprintf(" (%d more are not listed)", total-len(cells))
	}
	fmt.Fprintln(a.Stdout, text)
}

// papersOf says what the best placement of the papers has, as a function writes loads, and marks those that are beaten.
func papersOf(c atlas.Cell, load func(string) string) string {
	f, ok := c.Papers()
	switch {
	case !ok:
		return "-"
	case c.Beats():
		return load(f.MaxLoad) + " beaten"
	}
	return load(f.MaxLoad)
}
