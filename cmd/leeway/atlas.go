package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"leeway/cmd/cli"
	"leeway/cmd/work"
	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/disk"
	"leeway/results/export"
	"leeway/results/findings"
	"leeway/results/layout"
	"leeway/results/plan"
	"leeway/results/web"
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
	cmd := command("atlas [WORD...]", "List the best placement and the best bound known of every cell", nil,
		func(cmd *cobra.Command, words []string) error {
			return b.browse(cmd, words, func(view *atlas.Atlas, filter atlas.Filter) error {
				cells, total := view.Cells(filter)
				if a.asJSON() {
					return printList(a, "leeway/cells/1", cells, true)
				}
				a.printCells(cells, total)
				return nil
			})
		})
	b.register(cmd)
	b.flags(cmd, "json")
	addFlags(cmd, []flag{
		{&b.open, "open", "only cells whose optimum is not proved"},
		{&b.beaten, "beaten", "only cells where the papers' placements are beaten"},
		{&b.wrong, "wrong", "only cells with a wrong record"},
		{&b.gap, "gap", "only cells whose gap, best E_max minus lower bound, is at least this"},
		{&b.limit, "limit", "list at most this many cells; 0: all"},
	}...)
	cmd.AddCommand(a.atlasShowCommand(), a.atlasFillCommand(), a.atlasRefreshCommand(), a.atlasMergeCommand(),
		a.atlasVerifyCommand(), a.atlasExportCommand(), a.atlasFindingsCommand(), a.atlasCertifyCommand(),
		a.atlasWorstCommand())
	return cmd
}

// storeFlag adds the flag that names a store in place of the shipped atlas.
func storeFlag(cmd *cobra.Command, to *string) {
	addFlags(cmd, flag{to, "store", "store to look at (default: the atlas that is part of the program)"})
}

// register adds the flags that pick cells.
func (b *browsing) register(cmd *cobra.Command) {
	storeFlag(cmd, &b.store)
	b.flags(cmd, "torus", "routing", "traffic", "size", "conditions")
	cmd.Flags().Lookup("routing").Usage = "routing: odr, udr, minimal, avoid and so on, each with :tie=plus or :tie=both"
}

// detail returns all that an atlas knows of a problem, which must have a cell, under whatever name.
func detail(view *atlas.Atlas, p objective.Problem) (atlas.Detail, error) {
	c, _, ok := view.Find(p)
	if !ok {
		return atlas.Detail{}, noCell(texts.KeyOf(p).String())
	}
	d, _, err := view.Detail(c.Key())
	return d, err
}

// noCell says that an atlas has no cell of a name.
func noCell(name string) error {
	return cli.Errorf("there is no cell %s", name).Hinted("leeway atlas lists the cells")
}

// withAtlas opens the atlas of a store, or the shipped one for "", for the time of some work. Where the context ends
// before it is open the error is a *cli.StoppedError.
func withAtlas(ctx context.Context, store string, work func(*atlas.Atlas) error) error {
	return withAtlasOf(ctx, store, atlas.Shipped, work)
}

// withAtlasOf is withAtlas with a function that reads what is needed of the shipped one.
func withAtlasOf(ctx context.Context, store string, shipped func() (*atlas.Atlas, error),
	work func(*atlas.Atlas) error) error {
	view, err := cli.UnlessStopped(ctx, "the atlas was", func() (*atlas.Atlas, error) {
		if store == "" {
			return shipped()
		}
		return atlas.OpenStore(store)
	})
	if err != nil {
		return cli.InFlag("store", err)
	}
	return cmp.Or(work(view), view.Close())
}

// checkWords returns an error if no cell of an atlas has one of some words, see atlas.Words.
func checkWords(cmd *cobra.Command, view *atlas.Atlas, words []string) error {
	if len(words) == 0 {
		return nil
	}
	text := strings.Join(words, " ")
	_, missing := view.Words().Find(text)
	if len(missing) == 0 {
		return nil
	}
	hint := "words are a network, a routing, a size, a status and the like, 8x8 udr n=16 open: see leeway atlas --help"
	if name := cli.NearCommand(cmd, text); name != "" {
		hint = fmt.Sprintf("did you mean %s?", name)
	}
	return cli.Errorf("no cell has the word %q", missing[0]).Hinted(hint)
}

// browse does some work with the atlas of the flags and the filter of flags and words, which must be those of cells.
func (b *browsing) browse(cmd *cobra.Command, words []string, work func(*atlas.Atlas, atlas.Filter) error) error {
	filter, err := b.filter(cmd.Context(), words)
	if err != nil {
		return err
	}
	return withAtlas(cmd.Context(), b.store, func(view *atlas.Atlas) error {
		if err := checkWords(cmd, view, words); err != nil {
			return err
		}
		return work(view, filter)
	})
}

// filter reads the flags that pick cells.
func (b *browsing) filter(ctx context.Context, words []string) (atlas.Filter, error) {
	words = slices.Clone(words)
	for word, asked := range map[string]bool{"open": b.open, "beaten": b.beaten, "wrong": b.wrong} {
		if asked {
			words = append(words, word)
		}
	}
	f := atlas.Filter{Text: strings.Join(words, " "), Limit: b.limit}
	if b.limit < 0 {
		return f, cli.Errorf("--limit %d: a number from 0 on is needed", b.limit)
	}
	var err error
	if b.where() != "" || b.asks(objective.GroupTraffic, objective.GroupConditions) {
		if err = b.read(ctx, "torus"); err == nil {
			f.Torus, err = b.key(ctx)
		}
		if err != nil {
			return f, err
		}
	}
	if b.routingText != "" {
		if f.Routing, err = texts.CanonicalRouting(b.network, b.routingText); err != nil {
			return f, cli.InFlag("routing", err)
		}
	}
	if b.sizeText != "" {
		var ok bool
		if f.From, f.To, ok = texts.ParseRange(b.sizeText); !ok || f.From < 1 || f.To < f.From || f.To > math.MaxInt32 {
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
				text = layout.WithDecimal(fraction)
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
			cmp.Or(load(c.MaxLoad), "-"), cmp.Or(load(c.LowerBound), "-"), c.Status, layout.Short(c.Proof), papersOf(c, load)})
	}
	a.Stdout.Table(rows)
	for _, c := range cells {
		if c.Fault != "" {
			a.Printf("wrong: %s: %s\n", c.Key(), layout.WithDecimals(c.Fault))
		}
	}
	text := fmt.Sprintf("%s: %d proved, %d open", core.Count(len(cells), "cell"), proved, len(cells)-proved-faults)
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

func (a *app) atlasShowCommand() *cobra.Command {
	var s subject
	var storeFile, out string
	cmd := command("show LABEL | --torus T --routing R --size N", "Show all that is known of a cell, or write its record",
		cobra.MaximumNArgs(1),
		func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				return a.showLabel(cmd.Context(), &s, args[0], storeFile, out)
			}
			f, free, err := routing.ParseFree(s.routingText)
			if err != nil {
				return cli.InFlag("routing", err)
			}
			if free {
				s.routingText = allPaths
			}
			p, err := s.problem(cmd.Context(), "a cell has")
			if err != nil {
				return err
			}
			if free {
				p.Free = &f
			}
			return withAtlas(cmd.Context(), storeFile, func(view *atlas.Atlas) error {
				if c, image, _ := view.Find(p); image != nil {
					a.Remark("%s is the same question as %s, whose coordinates follow", texts.KeyOf(p), c.Key())
				}
				d, err := detail(view, p)
				if err != nil {
					return err
				}
				if d.Fault != "" {
					return fmt.Errorf("%s: the record is wrong: %s", d.Key(), d.Fault)
				}
				return a.showCell(d, out)
			})
		})
	storeFlag(cmd, &storeFile)
	s.flags(cmd, "torus", "network", "routing", "traffic", "size", "conditions", "json")
	addFlags(cmd, flag{&out, "out", "file for the record"})
	return cmd
}

// showLabel shows or writes the cell of a label, or of that of an orbit in it.
func (a *app) showLabel(ctx context.Context, s *subject, label, storeFile, out string) error {
	if s.where()+s.routingText+s.sizeText != "" || s.asks(objective.GroupTraffic) || s.asks(objective.GroupConditions) {
		return cli.Errorf("%s: a label says itself which cell it names", label).
			Hinted("omit the label, or --torus, --mesh, --routing, --size, --traffic, --fixed and --forbidden")
	}
	return withAtlas(ctx, storeFile, func(view *atlas.Atlas) error {
		d, ok, err := view.Labelled(ctx, label)
		switch {
		case err != nil:
			return err
		case !ok && d.Routing != "":
			return cli.Errorf("the atlas has no placement %s", label).
				Hinted("leeway atlas show " + d.Label() + " shows what it has")
		case !ok:
			return noCell(label)
		case d.Fault != "":
			return fmt.Errorf("%s: the record is wrong: %s", d.Key(), d.Fault)
		}
		return a.showCell(d, out)
	})
}

// showCell shows or writes a cell without a fault: its record, or the bound where no placement is known.
func (a *app) showCell(d atlas.Detail, out string) error {
	var document any = d.Record
	if d.Record == nil {
		document = d.Below
	} else if _, orbits, err := export.Optima(*d.Record); err == nil {
		full := *d.Record
		full.OptimaOrbits = orbits
		document = full
	}
	if err := a.keepIn(out, document); err != nil || out != "" && !a.asJSON() {
		return err
	}
	return a.show(document, func() { a.printDetail(d) })
}

// printDetail writes a cell for a person.
func (a *app) printDetail(d atlas.Detail) {
	shown := "" // the placement with a name that the record has
	if d.Record == nil {
		a.Printf("%s: no placement is known\n", d.Key())
	} else {
		record := *d.Record
		record.Certificate = nil // who accepted it once was not asked now
		a.printRecord(record, 0)
		if record.Baseline != nil {
			shown = record.Baseline.Placement
		}
	}
	var worst atlas.WorstCase
	if known, err := atlas.ShippedWorst(); err == nil {
		worst, _ = known.Get(d.Cell)
	}
	a.tell("detail", struct {
		atlas.Detail
		Worst atlas.WorstCase
		Shown string
	}{d, worst, shown})
}

func (a *app) atlasExportCommand() *cobra.Command {
	b := &browsing{}
	format, largest := "jsonl", int64(100_000)
	var out, history, planFile string
	var workers int
	var renew bool
	cmd := command("export", "Write the records of cells as JSON, CSV or web pages", cobra.NoArgs,
		func(cmd *cobra.Command, _ []string) error {
			filter, err := b.filter(cmd.Context(), nil)
			if err != nil {
				return err
			}
			if err := cli.OneOf("format", format, append(slices.Clone(export.Formats), "atlas", "sqlite", "streams",
				"site")); err != nil {
				return err
			}
			if out != "" && format != "site" && format != "streams" {
				if err := disk.CheckTarget(out); err != nil {
					return err
				}
			}
			return withAtlas(cmd.Context(), b.store, func(view *atlas.Atlas) error {
				if format == "site" {
					return a.exportSite(cmd, view, b.store, out)
				}
				if planFile != "" {
					if filter.Only, err = a.planned(cmd.Context(), view, planFile); err != nil {
						return err
					}
				}
				if format == "streams" {
					return a.exportStreams(cmd.Context(), view, filter, out, largest, workers)
				}
				if format == "sqlite" {
					if out == "" {
						return cli.Errorf("--format sqlite needs --out, a file to make")
					}
					return cli.InFlag("out", view.WriteTable(cmd.Context(), out, filter))
				}
				if lost, of := view.Loses(cmd.Context(), out, filter); len(lost) > 0 {
					return cli.Errorf("--out %s: of its %d cells %d would be lost or get worse, %s the first", out,
						of, len(lost), lost[0]).
						Hinted("leeway atlas merge STORE " + out + " first, and export all of STORE, or name a new file")
				}
				var renewer atlas.Renewer
				if renew {
					renewer = func(list []*results.Record) error { return a.session(workers).Renew(cmd.Context(), list) }
				}
				data, left, err := view.Export(format, filter, renewer)
				if err != nil {
					return err
				}
				if left > 0 {
					a.Remark("%d cells are left out: they are wrong, without a placement, or their proof is in a file of its own",
						left)
				}
				if history != "" {
					if err := remember(view, history); err != nil {
						return err
					}
				}
				return a.deliver(out, data)
			})
		})
	b.register(cmd)
	addFlags(cmd, []flag{
		{&format, "format",
			"format: jsonl, csv, json, atlas, sqlite for a table in a new file, streams for proofs as steps in a folder, or " +
				"site for web pages in a new folder"},
		{&largest, "largest", "with --format streams: only streams of at most this many bytes"},
		{&out, "out", "file to write (default: standard output)"},
		{&planFile, "plan", "only the cells of this plan"},
		{&history, "history",
			"with --format atlas: file to add to what the atlas of the program says of cells that are better known now"},
		{&renew, "renew",
			"with --format atlas: prove the cells again, so that their proofs are those that this version writes"},
	}...)
	cli.Need(cmd, "history renew", "format=atlas", "add --format atlas")
	cli.Exclude(cmd, "format=site", "torus mesh routing size traffic fixed forbidden plan",
		"the site shows the whole atlas")
	cli.Need(cmd, "largest", "format=streams", "add --format streams")
	cli.WorkersFlag(cmd, &workers, ": proofs written side by side")
	return cmd
}

// planned returns the cells of a plan that an atlas has, and remarks how many it does not have.
func (a *app) planned(ctx context.Context, view *atlas.Atlas, file string) (map[texts.Key]bool, error) {
	searches, err := plan.Read(ctx, file, work.MethodNames())
	if err != nil {
		return nil, cli.InFlag("plan", err)
	}
	only, absent := map[texts.Key]bool{}, 0
	for _, j := range searches {
		if c, ok := view.Cell(texts.KeyOf(j.Problem)); ok {
			only[c.Key()] = true
		} else {
			absent++
		}
	}
	if absent > 0 {
		a.Remark("%s: %d cells of the plan are not there", file, absent)
	}
	return only, nil
}

// remember adds to a file what the atlas of the program says of cells of which another knows better.
func remember(view *atlas.Atlas, file string) error {
	var known []atlas.Past
	switch data, err := os.ReadFile(file); {
	case err == nil:
		if known, err = atlas.ReadHistory(data); err != nil {
			return cli.InFlag("history", err)
		}
	case !errors.Is(err, fs.ErrNotExist):
		return cli.InFlag("history", err)
	}
	before, err := atlas.Shipped()
	if err != nil {
		return err
	}
	superseded := view.Superseded(before, time.Now().UTC().Format(time.DateOnly))
	data, err := atlas.EncodeHistory(atlas.Remember(known, superseded))
	if err != nil {
		return err
	}
	return disk.WriteFile(file, data)
}

// exportSite writes the pages of an atlas into a folder, which must be new.
func (a *app) exportSite(cmd *cobra.Command, view *atlas.Atlas, storeFile, out string) error {
	if out == "" {
		return cli.Errorf("--format site needs --out, a folder to make")
	}
	options := web.Options{Static: true, Version: version, Name: "The atlas of the program", Engine: a.editorEngine()}
	if storeFile != "" {
		options.Name = "Store " + filepath.Base(storeFile)
	}
	site, err := web.NewSite(view, options)
	if err != nil {
		return err
	}
	var done, total atomic.Int64
	shown := cli.NewProgress(cmd.ErrOrStderr(), "leeway", 100, func(time.Time, bool) ([]cli.Field, int64) {
		return []cli.Field{{Text: fmt.Sprintf("%d of %d files", done.Load(), total.Load())}},
			100 * done.Load() / max(1, total.Load())
	})
	shown.Start()
	count, err := site.ExportNew(cmd.Context(), out, func(written, of int) {
		done.Store(int64(written))
		total.Store(int64(of))
	})
	shown.Stop()
	if err != nil {
		return err
	}
	a.Remark("wrote %d files; open %s", count, filepath.Join(out, "index.html"))
	return nil
}

func (a *app) atlasFindingsCommand() *cobra.Command {
	var store, out string
	var names []string
	for _, p := range findings.Pages {
		names = append(names, p.Name)
	}
	cmd := command("findings [PAGE]", "Write the pages of docs that have values of E_max", cobra.MaximumNArgs(1),
		func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				if err := cli.OneOf("PAGE", args[0], names); err != nil {
					return err
				}
			}
			return withAtlas(cmd.Context(), store, func(view *atlas.Atlas) error {
				for _, p := range findings.Pages {
					if len(args) == 1 && args[0] != p.Name || len(args) == 0 && out == "" && p.Name != names[0] {
						continue
					}
					text, err := p.Write(view)
					if err == nil && out == "" {
						_, err = io.WriteString(a.Stdout.Unfolded(), text)
					} else if err == nil {
						err = disk.WriteFile(filepath.Join(out, p.Name+".md"), []byte(text))
					}
					if err != nil {
						return err
					}
				}
				return nil
			})
		})
	storeFlag(cmd, &store)
	addFlags(cmd, flag{&out, "out", "folder for PAGE.md, all pages by default (default: findings to standard output)"})
	cmd.ValidArgs = names
	return cmd
}
