package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"leeway/cmd/cli"
	"leeway/core"
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
			if !cmd.Flags().Changed("nodes") && tori == nil {
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
			list, err := cli.UnlessStopped(cmd.Context(), "all networks were", func() (networks.List, error) {
				if tori != nil {
					return networks.Of(cmd.Context(), tori, order)
				}
				return networks.Compare(cmd.Context(), nodes, dims, order)
			})
			if err != nil {
				return err
			}
			if best {
				b, err := list.Best()
				if err != nil {
					return err
				}
				if list.Items = []networks.Item{b.Best}; b.Plain != nil && b.Plain.Network != b.Best.Network {
					list.Items = append(list.Items, *b.Plain)
				}
				return a.show(asJSON, b, func() { a.printNetworks(list, b.Networks) })
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
