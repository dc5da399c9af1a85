package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"leeway/results/atlas"
	"leeway/results/frontier"
	"leeway/results/picture"
)

// A charting holds the flags of draw frontier and draw progress.
type charting struct {
	sheet
	subject
	store string
}

func (a *app) drawFrontierCommand() *cobra.Command {
	c := &charting{}
	cmd := &cobra.Command{
		Use:   "frontier",
		Short: "Plot E_max against the number of processors, with bounds",
		Long: `Plot, for a torus and a routing, the best known E_max of every size, the lower bound,
and the linear, multilinear and spaced placements. Hollow marks are not proved optimal;
a dotted line leads from them to the bound. The values are those of --store, or of the
atlas that is part of the program.`,
		Example: `  leeway draw frontier --torus 8x8 --routing udr:tie=both
  leeway draw frontier --mesh 8x8 --routing xy:tie=both --traffic clients
  leeway draw frontier --torus 8x8 --routing udr:tie=both --store mine.store --out frontier.svg`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.chart(cmd.Context(), c, func(view *atlas.Atlas) (picture.Chart, error) {
				t, r, err := c.torusAndRouting(cmd.Context())
				if err != nil {
					return picture.Chart{}, err
				}
				where, err := c.network(cmd.Context(), t)
				if err != nil {
					return picture.Chart{}, err
				}
				cells, total := view.Cells(atlas.Filter{Torus: where, Routing: r.String()})
				if total == 0 {
					return picture.Chart{}, noCell(fmt.Sprintf("of torus %s under %s", where, r))
				}
				return frontier.Chart(cells, nil)
			})
		},
	}
	c.register(cmd)
	return cmd
}

func (a *app) drawProgressCommand() *cobra.Command {
	c := &charting{}
	cmd := &cobra.Command{
		Use:   "progress",
		Short: "Plot the best E_max of a problem against its evaluations",
		Long: `Plot the improvements of a problem in a store against the evaluations of the searches
that found them, one search after the other, with the lower bound.`,
		Example: `  leeway draw progress --store mine.store --torus 8x8 --routing odr --size 13 --out progress.png`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.chart(cmd.Context(), c, func(view *atlas.Atlas) (picture.Chart, error) {
				p, err := c.problem(cmd.Context(), "progress is that of")
				if err != nil {
					return picture.Chart{}, err
				}
				d, err := detail(view, p)
				if err != nil {
					return picture.Chart{}, err
				}
				return frontier.Progress(d)
			})
		},
	}
	c.register(cmd)
	c.flags(cmd, "size")
	return cmd
}

func (c *charting) register(cmd *cobra.Command) {
	c.flags(cmd, "torus", "routing", "traffic", "conditions")
	storeFlag(cmd, &c.store)
	c.sheet.register(cmd)
}

// chart makes a chart of an atlas and puts it down.
func (a *app) chart(ctx context.Context, c *charting, build func(*atlas.Atlas) (picture.Chart, error)) error {
	theme, err := c.sheet.read()
	if err != nil {
		return err
	}
	return withAtlas(ctx, c.store, func(view *atlas.Atlas) error {
		chart, err := build(view)
		if err != nil {
			return err
		}
		chart.Theme, chart.ASCII = theme, c.ascii
		if c.title != "" {
			chart.Title = c.title
		}
		chart.Color, chart.Width = a.paper(c.out)
		return a.put(c.sheet, chart)
	})
}
