package main

import (
	"context"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"leeway/cmd/cli"
	"leeway/core"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results"
	"leeway/results/atlas"
)

func (a *app) identifyCommand() *cobra.Command {
	var s subject
	var storeFile string
	cmd := command("identify FILE|NODES", "Say whether a placement is known: its label, names, cell and orbit",
		cobra.ExactArgs(1),
		func(cmd *cobra.Command, args []string) error {
			q, placed, err := s.toIdentify(cmd.Context(), args[0])
			switch {
			case err != nil:
				return err
			case q.Routing.String() == results.TableRouting:
				return cli.Errorf("cells have routings with a name, not a table").
					Hinted("--torus T with the nodes asks about them under the named routings")
			}
			around := func() (*atlas.Atlas, error) { return atlas.ShippedOf(placed.Torus().N()) }
			return withAtlasOf(cmd.Context(), storeFile, around, func(view *atlas.Atlas) error {
				list := []objective.Problem{q}
				if s.where() != "" && s.routingText == "" {
					list = view.RoutingVariants(q)
				}
				id, err := view.Identify(cmd.Context(), list, placed)
				return answer(a, id, err, "identity")
			})
		})
	storeFlag(cmd, &storeFile)
	s.flags(cmd, "torus", "network", "routing", "traffic", "conditions", "radius", "json")
	cmd.Flags().Lookup("routing").Usage += " (default: that of FILE, or those of the atlas)"
	return cmd
}

// toIdentify returns the placement of a record with its question, or nodes on the network of the flags with the
// question under the routing of the flags, if there is one.
func (s *subject) toIdentify(ctx context.Context, what string) (q objective.Problem, placed core.Placement, err error) {
	if s.where() == "" {
		if _, err := os.Stat(what); err != nil && strings.Contains(what, ",") {
			return q, placed, cli.Errorf("%s: --torus, --mesh or --network is missing", what).
				Hinted("nodes are those of a network: --torus 8x8; a record as FILE says its own")
		}
		q, placed, err = s.placedProblem(ctx, []string{what})
		q.Terms = s.recorded
		if err == nil && q.Traffic.Matrix != nil {
			err = cli.Errorf("%s: a placement of tasks, which the atlas does not have", what)
		}
		return q, placed, err
	}
	if err := s.readTorus(ctx); err != nil {
		return q, placed, err
	}
	nodes, err := family.ParseNodes(s.network, strings.TrimPrefix(what, "nodes:"))
	if err == nil {
		placed, err = core.NewPlacement(s.network, nodes)
	}
	if err == nil && s.routingText != "" {
		err = s.readRouting(ctx)
	} else if err == nil {
		s.chosen, err = routing.Parse(s.network, "minimal")
	}
	if err == nil {
		q, err = s.readAxes(ctx, objective.Problem{Routing: s.chosen, Size: placed.Size()}, objective.GroupTraffic,
			objective.GroupConditions, objective.GroupRadius)
	}
	if err == nil && !q.Admits(placed) {
		err = cli.Errorf("%s: the placement does not keep to the conditions of the flags", what)
	}
	return q, placed, err
}
