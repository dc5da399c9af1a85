package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"leeway/cmd/cli"
	"leeway/core"
	"leeway/core/family"
	"leeway/objective"
	"leeway/results"
	"leeway/results/atlas"
)

// identified are the routings under which a placement is looked for where none is named.
var identified = []string{"odr:tie=plus", "odr:tie=both", "udr:tie=plus", "udr:tie=both", "minimal:tie=both",
	"avoid:tie=both"}

func (a *app) identifyCommand() *cobra.Command {
	var s subject
	var storeFile string
	cmd := &cobra.Command{
		Use:   "identify FILE|NODES",
		Short: "Say whether a placement is known: its label, names, cell and orbit",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			list, placed, err := s.toIdentify(cmd.Context(), args[0])
			switch {
			case err != nil:
				return err
			case list[0].Routing.String() == results.TableRouting:
				return &cli.Error{Err: cli.Errorf("cells have routings with a name, not a table"),
					Hint: "--torus T with the nodes asks about them under the named routings"}
			}
			return withAtlas(cmd.Context(), storeFile, func(view *atlas.Atlas) error {
				return answer(a, cmd, s.asJSON, "the placement was", func(ctx context.Context) (atlas.Identity, error) {
					return identify(ctx, view, list, placed)
				}, a.printIdentity)
			})
		},
	}
	storeFlag(cmd, &storeFile)
	s.flags(cmd, "torus", "routing", "traffic", "conditions", "radius", "json")
	cmd.Flags().Lookup("routing").Usage += " (default: that of FILE, or those of the atlas)"
	return cmd
}

// toIdentify returns the placement of a record with its question, or nodes on the network of the flags with the
// question under the routing of the flags, or under several.
func (s *subject) toIdentify(ctx context.Context, what string) ([]objective.Problem, core.Placement, error) {
	if s.where() == "" {
		if _, err := os.Stat(what); err != nil && strings.Contains(what, ",") {
			return nil, core.Placement{}, &cli.Error{Err: cli.Errorf("%s: --torus or --mesh is missing", what),
				Hint: "nodes are those of a network: --torus 8x8; a record as FILE says its own"}
		}
		q, placed, err := s.given(ctx, []string{what})
		if err == nil {
			q, err = s.conditions.Apply(q)
		}
		return []objective.Problem{q}, placed, err
	}
	if err := s.readTorus(ctx); err != nil {
		return nil, core.Placement{}, err
	}
	nodes, err := family.ParseNodes(s.network, strings.TrimPrefix(what, "nodes:"))
	if err != nil {
		return nil, core.Placement{}, err
	}
	placed, err := core.NewPlacement(s.network, nodes)
	if err != nil {
		return nil, placed, err
	}
	texts := identified
	if s.routingText != "" {
		texts = []string{s.routingText}
	}
	var list []objective.Problem
	for _, s.routingText = range texts {
		if err := s.readRouting(ctx); err != nil {
			return nil, placed, err
		}
		q, err := s.demanded(ctx, objective.Problem{Routing: s.chosen, Size: placed.Size()}, objective.GroupTraffic,
			objective.GroupConditions, objective.GroupRadius)
		if err != nil {
			return nil, placed, err
		}
		list = append(list, q)
	}
	if !list[0].Admits(placed) {
		return nil, placed, cli.Errorf("%s: the placement does not keep to the conditions of the flags", what)
	}
	return list, placed, nil
}

// identify says what a placement is, under the first of some routings with which it is optimal, else the first that has
// a cell, with the others beside it.
func identify(ctx context.Context, view *atlas.Atlas, list []objective.Problem, placed core.Placement) (
	id atlas.Identity, err error) {
	var all []atlas.Identity
	for i, q := range list {
		if _, _, known := view.Find(q); !known && len(list) > 1 && (i < len(list)-1 || all != nil) {
			continue
		}
		if id, err = view.Identify(ctx, q, placed); err != nil {
			return id, err
		}
		if !slices.ContainsFunc(all, func(o atlas.Identity) bool { return o.Cell == id.Cell }) {
			all = append(all, id)
		}
	}
	best := max(0, slices.IndexFunc(all, func(id atlas.Identity) bool { return id.Standing == atlas.StandingOptimal }))
	id = all[best]
	for _, o := range slices.Delete(all, best, best+1) {
		id.Others = append(id.Others, atlas.OtherCell{Label: o.Label, Routing: o.Routing, MaxLoad: o.MaxLoad,
			BestKnown: o.BestKnown, Standing: o.Standing})
	}
	return id, nil
}

func (a *app) printIdentity(id atlas.Identity) {
	said := func(load, best, standing string) string {
		if best != "" && best != load {
			standing += " " + decimal(best)
		}
		return "E_max " + decimal(load) + ", " + standing
	}
	a.row("label", id.Label)
	a.row("cell", id.Cell)
	text := said(id.MaxLoad, id.BestKnown, id.Standing)
	if id.Orbit != nil {
		text += fmt.Sprintf(", orbit %d of %d", id.Orbit.Number, id.Orbit.Of)
	}
	a.row("standing", text)
	a.row("names", strings.Join(id.Names, "; "))
	a.row("first image", core.JoinNodes(id.Nodes))
	var rows [][]string
	for _, o := range id.Others {
		rows = append(rows, []string{"also", said(o.MaxLoad, o.BestKnown, o.Standing), o.Label})
	}
	a.Stdout.Table(rows)
}
