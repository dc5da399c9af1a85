package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"leeway/cmd/cli"
	"leeway/core"
	"leeway/core/lattices"
	"leeway/results"
	"leeway/results/networks"
)

// mostLatticeNodes is how many nodes the networks have at most that this command compares.
const mostLatticeNodes = 512

func (a *app) networksCommand() *cobra.Command {
	var nodes, dims int
	var order string
	var asJSON, best bool
	cmd := &cobra.Command{
		Use:   "networks [NETWORK...]",
		Short: "List all tori and twisted tori of a number of nodes",
		Long: `List the networks Z^d / L with a number of nodes, tori and twisted tori, one of each kind
up to permutations of the dimensions and reflections, but for those in which a step
returns to its own node. With a processor on every node each has: the diameter, the
mean distance between two nodes, E_max when every pair uses all its shortest paths
alike (minimal), the least E_max of any shares on shortest paths (best), by a linear
program, and the bisection width in directed links, "at most" where it is not proved.

Each network is written as --torus reads it; with some as arguments only these are
compared. --best shows the one that carries least and the best torus without shifts.`,
		Example: `  leeway networks --nodes 32 --dims 2
  leeway networks --nodes 64 --dims 3 --sort best --json
  leeway networks 8x16 8x16:twist=8 --best`,
		RunE: func(cmd *cobra.Command, texts []string) error {
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
			if tori == nil {
				var err error
				if tori, err = lattices.List(nodes, dims); err != nil {
					return cli.InFlag("nodes", err)
				}
			}
			if best {
				b, err := cli.UnlessStopped(cmd.Context(), "all networks were", func() (networks.Best, error) {
					return networks.BestOf(cmd.Context(), tori)
				})
				if err != nil {
					return err
				}
				return a.show(asJSON, b, func() { a.printBest(b) })
			}
			list, err := cli.UnlessStopped(cmd.Context(), "all networks were", func() (networks.List, error) {
				return networks.Of(cmd.Context(), tori, order)
			})
			if err != nil {
				return err
			}
			return a.show(asJSON, list, func() { a.printNetworks(list, len(list.Items)) })
		},
	}
	cmd.Flags().IntVar(&nodes, "nodes", 0, "number of nodes")
	cmd.Flags().IntVar(&dims, "dims", 2, "number of dimensions")
	cmd.Flags().StringVar(&order, "sort", "minimal", "what comes first: the least of "+
		strings.Join(networks.Orders[1:5], ", ")+"; the widest bisection; or text, few shifts and sides alike")
	cmd.Flags().BoolVar(&best, "best", false, "only the network that carries least, and the best torus without shifts")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

func (a *app) printNetworks(list networks.List, compared int) {
	a.Printf("%-28s %8s %16s %18s %18s %12s\n", "network", "diameter", "mean distance", "minimal", "best", "bisection")
	for _, i := range list.Items {
		best := results.WithDecimal(i.Least)
		if !i.Optimal {
			best = "at least " + best
		}
		width := fmt.Sprint(i.Width)
		if !i.Exact {
			width = "at most " + width
		}
		a.Printf("%-28s %8d %16s %18s %18s %12s\n", i.Network, i.Diameter, results.WithDecimal(i.MeanDistance),
			results.WithDecimal(i.Minimal), best, width)
	}
	a.Printf("%d networks of %d nodes in %d dimensions\n", compared, list.Nodes, list.Dims)
}

// printBest shows the best network, and the best torus without shifts where that is another.
func (a *app) printBest(b networks.Best) {
	list := networks.List{Nodes: b.Nodes, Dims: b.Dims, Items: []networks.Item{b.Best}}
	if b.Plain != nil && b.Plain.Network != b.Best.Network {
		list.Items = append(list.Items, *b.Plain)
	}
	a.printNetworks(list, b.Networks)
}
