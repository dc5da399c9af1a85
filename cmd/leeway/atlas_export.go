package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"leeway/core/routing"
	"leeway/results"
	"leeway/results/atlas"
)

func (a *app) atlasExportCommand() *cobra.Command {
	b := &browsing{}
	var format, out string
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write the records of cells as JSON lines, CSV, a compact file, or web pages",
		Long: `Write the full records of cells, which "leeway check" verifies, as JSON lines or CSV; or
all that they say in the compact form in which the program carries its atlas; or
as the pages that "leeway serve" shows, in a folder, which open from disk.`,
		Example: `  leeway atlas export --format jsonl --out atlas.jsonl
  leeway atlas export --store mine.store --torus 8x8 --format csv
  leeway atlas export --store mine.store --format atlas --out results/atlas/atlas.jsonl
  leeway atlas export --format site --out pages`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			filter, err := b.filter(nil)
			if err != nil {
				return err
			}
			if format != "atlas" && format != "site" && exportFormats[format] == nil {
				return &usageError{err: usagef("--format %q: unknown format", format), hint: "formats are json, jsonl, csv, atlas and site"}
			}
			if out != "" && format != "site" {
				if err := results.CheckTarget(out); err != nil {
					return err
				}
			}
			return withAtlas(cmd.Context(), b.store, func(view *atlas.Atlas) error {
				if format == "site" {
					return a.exportSite(cmd, view, b.store, out)
				}
				data, left, err := exportCells(view, filter, format)
				if err != nil {
					return err
				}
				if left > 0 {
					a.remark("%d cells are left out: they are wrong, without a placement, or their proof is in a file of its own", left)
				}
				if out != "" {
					return a.writeFile(out, data)
				}
				return a.write(data)
			})
		},
	}
	storeFlag(cmd, &b.store)
	b.register(cmd)
	cmd.Flags().StringVar(&format, "format", "jsonl", "format: jsonl, csv, json, atlas, or site for web pages in a new folder")
	cmd.Flags().StringVar(&out, "out", "", "file to write (default: standard output)")
	return cmd
}

// exportCells returns the cells that a filter picks in a format, and how many of them have
// no place in it.
func exportCells(view *atlas.Atlas, filter atlas.Filter, format string) (data []byte, left int, err error) {
	if format == "atlas" {
		return view.Encode(filter)
	}
	cells, _ := view.Cells(filter)
	records := []results.Record{}
	for _, c := range cells {
		d, _, err := view.Detail(c.Key())
		switch {
		case err != nil:
			return nil, 0, err
		case d.Record == nil:
			left++
		default:
			records = append(records, *d.Record)
		}
	}
	data, err = exportFormats[format](records)
	return data, left, err
}

func (a *app) atlasShowCommand() *cobra.Command {
	var s subject
	var storeFile, out string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show --torus T --routing R --size N",
		Short: "Show all that is known of a cell, or write its record",
		Long: `Show a cell: its best placement, the chain of reasons for its lower bound, who found it,
and the searches that found nothing better. --json and --out give its full record, with the
proof, which "leeway check" verifies; where only a bound is known, that and its proof.`,
		Example: `  leeway atlas show --torus 8x8 --routing udr:tie=both --size 16
  leeway atlas show --torus 8x8 --routing udr:tie=both --size 16 --out best.json && leeway check best.json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			f, free, err := routing.ParseFree(s.routingText)
			if err != nil {
				return inFlag("routing", err)
			}
			if free {
				s.routingText = allPaths
			}
			problems, err := s.problems(cmd.Context())
			if err != nil {
				return err
			}
			if free {
				problems[0].Free = &f
			}
			if len(problems) != 1 {
				return usagef("--size %q: a cell has one size", s.sizeText)
			}
			return withAtlas(cmd.Context(), storeFile, func(view *atlas.Atlas) error {
				d, ok, err := view.Detail(atlas.KeyOf(problems[0]))
				switch {
				case err != nil:
					return err
				case !ok:
					return &usageError{err: usagef("there is no cell %s", atlas.KeyOf(problems[0])), hint: "leeway atlas lists the cells"}
				case d.Fault != "":
					return fmt.Errorf("%s: the record is wrong: %s", d.Key(), d.Fault)
				}
				return a.showCell(d, asJSON, out)
			})
		},
	}
	storeFlag(cmd, &storeFile)
	s.torusFlag(cmd)
	s.routingFlag(cmd)
	s.sizeFlag(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the record as one JSON document")
	cmd.Flags().StringVar(&out, "out", "", "file for the record")
	return cmd
}

// showCell shows or writes a cell without a fault: its record, or the bound where no
// placement is known.
func (a *app) showCell(d atlas.Detail, asJSON bool, out string) error {
	var document any = d.Record
	if d.Record == nil {
		document = d.Below
	}
	if out != "" {
		data, err := results.Encode(document)
		if err != nil {
			return err
		}
		if err := a.writeFile(out, data); err != nil {
			return err
		}
		a.remark("wrote %s", out)
	}
	if asJSON {
		return a.printJSON(document)
	}
	if out == "" {
		a.printDetail(d)
	}
	return nil
}

// printDetail writes a cell for a person.
func (a *app) printDetail(d atlas.Detail) {
	if d.Record != nil {
		a.printRecord(*d.Record)
	} else {
		a.printf("%s: no placement is known\n", d.Key())
	}
	if d.Twin != "" {
		a.printf("  the same as  %s: nothing ties here\n", d.Twin)
	}
	for _, f := range d.Families {
		if !f.Papers {
			a.printf("  by name      %s has %s\n", f.Placement, f.MaxLoad)
		}
	}
	for _, r := range d.Bounds {
		a.printf("  at least     %s: %s\n", r.Value, r.Reason)
	}
	for _, e := range d.History {
		a.printf("  %s  %s by %s, seed %d\n", e.Time, e.MaxLoad, e.Method, e.Seed)
	}
	for _, n := range d.Nulls {
		a.printf("  nothing less than %s: %s, %d evaluations, seed %d, budget %s, %s\n", n.Best, n.Method, n.Evaluations, n.Seed, n.Budget, n.Added)
	}
	a.printf("  sha256       %s\n", d.SHA256)
}
