package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"leeway/cmd/cli"
	"leeway/core/routing"
	"leeway/results"
	"leeway/results/atlas"
)

func (a *app) atlasShowCommand() *cobra.Command {
	var s subject
	var storeFile, out string
	cmd := &cobra.Command{
		Use:   "show --torus T --routing R --size N",
		Short: "Show all that is known of a cell, or write its record",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
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
				d, err := detail(view, p)
				if err != nil {
					return err
				}
				if d.Fault != "" {
					return fmt.Errorf("%s: the record is wrong: %s", d.Key(), d.Fault)
				}
				return a.showCell(d, s.asJSON, out)
			})
		},
	}
	storeFlag(cmd, &storeFile)
	s.flags(cmd, "torus", "routing", "traffic", "size", "conditions", "json")
	cmd.Flags().StringVar(&out, "out", "", "file for the record")
	return cmd
}

// showCell shows or writes a cell without a fault: its record, or the bound where no placement is known.
func (a *app) showCell(d atlas.Detail, asJSON bool, out string) error {
	var document any = d.Record
	if d.Record == nil {
		document = d.Below
	} else if _, orbits, err := d.Record.ListedOptima(); err == nil {
		full := *d.Record
		full.OptimaOrbits = orbits
		document = full
	}
	if out != "" {
		data, err := results.Encode(document)
		if err != nil {
			return err
		}
		if err := a.deliver(out, data); err != nil {
			return err
		}
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
		record := *d.Record
		record.Certificate = nil // who accepted it once was not asked now
		a.printRecord(record)
	} else {
		a.Printf("%s: no placement is known\n", d.Key())
	}
	if d.Twin != "" {
		a.Printf("  the same as  %s: nothing ties here\n", d.Twin)
	}
	for _, f := range d.Families {
		if !f.Papers {
			a.Printf("  by name      %s has %s\n", f.Placement, results.WithDecimal(f.MaxLoad))
		}
	}
	for _, r := range d.Bounds {
		a.Printf("  at least     %s: %s\n", results.WithDecimal(r.Value), r.Reason)
	}
	for _, e := range d.History {
		a.Printf("  %s  %s by %s, seed %d\n", e.Time, results.WithDecimal(e.MaxLoad), e.Method, e.Seed)
	}
	for _, n := range d.Nulls {
		a.Printf("  nothing less than %s: %s, %d evaluations, seed %d, budget %s, %s\n", n.Best, n.Method, n.Evaluations,
			n.Seed, n.Budget, n.Added)
	}
	a.Printf("  sha256       %s\n", d.SHA256)
}
