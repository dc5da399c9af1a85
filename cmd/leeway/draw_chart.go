package main

import (
	"context"
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
		Short: "Plot E_max against the number of processors, with bounds and families",
		Long: `Plot, for a torus and a routing, the best E_max known of every size, the lower bound,
and the linear, multilinear and spaced placements. Hollow marks are open: the best known may
be too large, and a dotted line leads down to the bound. The values are those of
--store, or of the atlas that is part of the program.`,
		Example: `  leeway draw frontier --torus 8x8 --routing udr:tie=both
  leeway draw frontier --torus 8x8 --routing udr:tie=both --store mine.store --out frontier.svg`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.chart(cmd.Context(), c, func(view *atlas.Atlas) (picture.Chart, error) {
				t, err := c.torus()
				if err != nil {
					return picture.Chart{}, err
				}
				r, err := c.routing(cmd.Context(), t)
				if err != nil {
					return picture.Chart{}, err
				}
				cells, total := view.Cells(atlas.Filter{Torus: t.String(), Routing: r.String()})
				if total == 0 {
					return picture.Chart{}, &usageError{err: usagef("there is no cell of torus %s under %s", t, r), hint: "leeway atlas lists the cells"}
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
		Short: "Plot the best E_max of a problem against the evaluations of its searches",
		Long: `Plot the improvements that a store has kept for a problem against the evaluations of
the searches that found them, one search after the other, with the lower bound.`,
		Example: `  leeway draw progress --store mine.store --torus 8x8 --routing odr --size 13 --out progress.png`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.chart(cmd.Context(), c, func(view *atlas.Atlas) (picture.Chart, error) {
				problems, err := c.problems(cmd.Context())
				if err != nil {
					return picture.Chart{}, err
				}
				if len(problems) != 1 {
					return picture.Chart{}, usagef("--size %q: progress is that of one size", c.sizeText)
				}
				d, ok, err := view.Detail(atlas.KeyOf(problems[0]))
				if err != nil {
					return picture.Chart{}, err
				}
				if !ok {
					return picture.Chart{}, &usageError{err: usagef("there is no cell %s", atlas.KeyOf(problems[0])), hint: "leeway atlas lists the cells"}
				}
				return frontier.Progress(d)
			})
		},
	}
	c.register(cmd)
	c.sizeFlag(cmd)
	return cmd
}

func (c *charting) register(cmd *cobra.Command) {
	c.torusFlag(cmd)
	c.routingFlag(cmd)
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
		chart.Color, chart.Width = a.terminal(c.out)
		return a.put(c.sheet, chart)
	})
}
