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
		Args:  cobra.NoArgs,
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
		Args:  cobra.NoArgs,
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
