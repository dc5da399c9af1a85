package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"leeway/cmd/cli"
	"leeway/cmd/work"
	"leeway/core"
	"leeway/core/lattices"
	"leeway/results/networks"
)

// mostLatticeNodes is how many nodes the networks have at most that this command compares.
const mostLatticeNodes = 1024

func (a *app) networksCommand() *cobra.Command {
	var nodes, size int
	var store string
	dims, order, b := 2, "minimal", work.Budget{Seed: 1, Evaluations: 4_000_000}
	var best bool
	cmd := command("networks [NETWORK...]", "List all tori and twisted tori of a number of nodes", nil,
		func(cmd *cobra.Command, texts []string) error {
			var tori []*core.Torus
			for _, text := range texts {
				t, err := core.ParseNetwork(text)
				if err != nil {
					return err
				}
				nodes, dims, tori = t.N(), t.D(), append(tori, t)
			}
			switch given := cmd.Flags().Changed("nodes"); {
			case given && tori != nil:
				return cli.Errorf("--nodes lists all networks of a number of nodes, arguments name some: give one of them")
			case !given && tori == nil:
				return &cli.Error{Err: cli.Missing("nodes", ""), Hint: "leeway networks --nodes 32 --dims 2"}
			}
			if nodes < 2 || nodes > mostLatticeNodes {
				return cli.Errorf("--nodes %d: must be 2 to %d", nodes, mostLatticeNodes)
			}
			if dims < 1 || dims > 4 {
				return cli.Errorf("--dims %d: must be 1 to 4", dims)
			}
			if err := cli.OneOf("sort", order, networks.Orders); err != nil {
				return err
			}
			part := cmd.Flags().Changed("size")
			switch {
			case part && (size < 1 || size > nodes):
				return cli.Errorf("--size %d: must be 1 to %d", size, nodes)
			case b.Evaluations < 1:
				return cli.Errorf("--evaluations %d: a number from 1 on is needed", b.Evaluations)
			}
			if tori == nil {
				var err error
				if tori, err = lattices.List(nodes, dims); err != nil {
					return cli.InFlag("nodes", err)
				}
			}
			if part {
				return a.findPart(cmd.Context(), tori, size, b, store)
			}
			if best {
				found, err := networks.BestOf(cmd.Context(), tori)
				if err != nil {
					return err
				}
				return a.show(found, func() {
					list := []networks.Item{found.Best}
					if found.Plain != nil && found.Plain.Network != found.Best.Network {
						list = append(list, *found.Plain)
					}
					a.tell("networks", compared{networks.List{Nodes: nodes, Dims: dims, Items: list}, found.Networks})
				})
			}
			list, err := networks.Compare(cmd.Context(), tori, order)
			if err != nil {
				return err
			}
			return a.show(list, func() { a.tell("networks", compared{list, len(list.Items)}) })
		})
	addFlags(cmd, []flag{
		{&nodes, "nodes", "number of nodes"},
		{&dims, "dims", "number of dimensions"},
		{&order, "sort", "what comes first: the least of " +
			strings.Join(networks.Orders[1:5], ", ") + "; the widest bisection; or text, few shifts and sides alike"},
		{&best, "best", "only the network that carries least, and the best torus without shifts"},
		{&size, "size", "only the network on which this number of processors has the least E_max"},
		{&b.Seed, "seed", "with --size: number that determines all random choices"},
		{&b.Evaluations, "evaluations", "with --size: steps of the proofs"},
		{&store, "store", "with --size: file that keeps the best placements and what is proved"},
	}...)
	jsonFlag(cmd)
	cli.Need(cmd, "seed evaluations store", "size", "add --size N")
	cli.Exclude(cmd, "sort", "best size", "--sort orders the list of all networks; --best and --size show the best only")
	return cmd
}

// What people are shown of networks that are compared.
type compared struct {
	networks.List
	Compared int
}

// findPart shows on which of some networks a given number of processors carry least.
func (a *app) findPart(ctx context.Context, tori []*core.Torus, size int, b work.Budget, store string) error {
	s, part := a.session(1), networks.Part{}
	find := func() (err error) {
		part, err = s.PartOf(ctx, tori, size, b)
		return err
	}
	if store != "" {
		inStore := find
		find = func() error { return storeHint(s.WithStore(store, inStore)) }
	}
	if err := find(); err != nil {
		return err
	}
	return answer(a, part, nil, "part")
}
