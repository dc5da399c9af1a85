package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective/faults"
	"leeway/results"
)

// faultsDocument is what faults prints as JSON. The two links are null where no
// fault does harm.
type faultsDocument struct {
	Torus             []int      `json:"torus"`
	Routing           string     `json:"routing"`
	Size              int        `json:"size"`
	Nodes             [][]int    `json:"nodes"`
	Pairs             int        `json:"pairs"`
	Faults            int        `json:"faults"`
	DisconnectedPairs int        `json:"disconnected_pairs"`
	DisconnectingLink *faultLink `json:"disconnecting_link"`
	CriticalLinks     int        `json:"critical_links"`
	MaxLoad           string     `json:"max_load"`
	MaxLoadAfterFault string     `json:"max_load_after_fault"`
	LoadingLink       *faultLink `json:"loading_link"`
	MinPaths          int        `json:"min_paths"`
	MeanPaths         string     `json:"mean_paths"`
	MinDisjointPaths  int        `json:"min_disjoint_paths"`
	MeanDisjointPaths string     `json:"mean_disjoint_paths"`
	DisjointExact     bool       `json:"disjoint_exact"`
}

// faultLink names a directed link by the node it leaves.
type faultLink struct {
	From []int  `json:"from"`
	Dim  int    `json:"dim"`
	Dir  string `json:"dir"`
}

func (l faultLink) String() string { return fmt.Sprintf("%v dimension %d %s", l.From, l.Dim, l.Dir) }

func (a *app) faultsCommand() *cobra.Command {
	var s subject
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "faults",
		Short: "Say what the failure of one link costs a placement under a routing",
		Long: `For every single failure of a directed link, find the pairs that lose all their
allowed paths and the largest load when the other pairs share their remaining
paths uniformly; pairs without a path drop out. The link the other way over the
same edge keeps working. Print the worst of each over all links, and how many
allowed paths, and link-disjoint ones among them, a pair has.`,
		Example: `  leeway faults --torus 8x8 --placement linear --routing odr
  leeway faults --torus 8x8 --placement linear --routing udr --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, p, err := s.instance(cmd.Context())
			if err != nil {
				return err
			}
			report, err := unlessStopped(cmd.Context(), grace, "any fault was", func() (faults.Report, error) {
				return faults.Analyze(cmd.Context(), r, p)
			})
			var stopped *stoppedError
			switch {
			case errors.As(err, &stopped):
				return err
			case err != nil:
				return inFlag("routing", err)
			}
			if report.Faults < p.Torus().M() {
				a.remark("stopped after the failures of %d of %d links: the worst may be worse", report.Faults, p.Torus().M())
			}
			d := newFaultsDocument(r, p, report)
			if asJSON {
				return a.printJSON(d)
			}
			a.printFaults(d)
			return nil
		},
	}
	s.torusFlag(cmd)
	s.placementFlag(cmd)
	s.routingFlag(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

func newFaultsDocument(r routing.Routing, p core.Placement, f faults.Report) faultsDocument {
	d := faultsDocument{Torus: r.Torus().Dims(), Routing: r.String(), Size: p.Size(), Nodes: p.Coords(),
		Pairs: f.Pairs, Faults: f.Faults, DisconnectedPairs: f.DisconnectedPairs, CriticalLinks: f.CriticalLinks,
		MaxLoad: results.FormatFraction(f.MaxLoad), MaxLoadAfterFault: results.FormatFraction(f.MaxLoadAfterFault),
		MinPaths: f.MinPaths, MeanPaths: results.FormatFraction(f.MeanPaths),
		MinDisjointPaths: f.MinDisjoint, MeanDisjointPaths: results.FormatFraction(f.MeanDisjoint), DisjointExact: f.DisjointExact}
	if f.DisconnectedPairs > 0 {
		d.DisconnectingLink = newFaultLink(r.Torus(), f.CutLink)
	}
	if f.MaxLoadAfterFault.Sign() > 0 {
		d.LoadingLink = newFaultLink(r.Torus(), f.LoadLink)
	}
	return d
}

func newFaultLink(t *core.Torus, l core.Link) *faultLink {
	from, port := t.LinkFrom(l)
	return &faultLink{From: t.Coords(from), Dim: port.Dim, Dir: port.Dir.String()}
}

func (a *app) printFaults(d faultsDocument) {
	a.printf("%d processors on %s, %s: %d ordered pairs\n", d.Size, joinSides(d.Torus), d.Routing, d.Pairs)
	a.printf("pairs lost   %d by the worst failure of one link%s\n", d.DisconnectedPairs, naming(d.DisconnectingLink))
	a.printf("critical     %d links whose failure loses a pair\n", d.CriticalLinks)
	a.printf("E_max        %s, after the worst failure %s%s\n", d.MaxLoad, d.MaxLoadAfterFault, naming(d.LoadingLink))
	a.printf("paths        at least %d for a pair, %s on average\n", d.MinPaths, d.MeanPaths)
	note := ""
	if !d.DisjointExact {
		note = " (lower bounds)"
	}
	a.printf("disjoint     at least %d for a pair, %s on average%s\n", d.MinDisjointPaths, d.MeanDisjointPaths, note)
}

// naming returns ", LINK" for a link and nothing for none.
func naming(l *faultLink) string {
	if l == nil {
		return ""
	}
	return ", " + l.String()
}
