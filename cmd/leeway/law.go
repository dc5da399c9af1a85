package main

import (
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"leeway/cmd/cli"
	"leeway/objective/texts"
	"leeway/results/law"
)

func (a *app) lawCommand() *cobra.Command {
	q := law.Question{Dims: 2}
	var sides string
	cmd := command("law FAMILY ROUTING", "Find a formula of E_max for all sides, and whether it is proved",
		cobra.ExactArgs(2),
		func(cmd *cobra.Command, args []string) (err error) {
			q.Family, q.Routing = args[0], args[1]
			if q.Dims < 1 || q.Dims > 16 {
				return cli.Errorf("--dims %d: must be 1 to 16", q.Dims)
			}
			if q.Sides, err = readSides(sides); err != nil {
				return err
			}
			for _, k := range q.Sides {
				if math.Pow(float64(k), float64(q.Dims)) > manyNodes {
					return cli.Errorf("--sides: a torus of %d^%d nodes; this command takes at most %d", k, q.Dims, manyNodes)
				}
			}
			found, err := law.Find(cmd.Context(), q)
			return answer(a, found, err, "law")
		})
	cmd.Annotations = map[string]string{cli.Without + "network": "laws are about tori of all sides; leeway eval " +
		"--network has the value of one network"}
	addFlags(cmd, []flag{
		{&q.Dims, "dims", "number of dimensions"},
		{&sides, "sides", "sides k of the tori: 4..32 or 4,6,8 (default: from 3 on, as far as a " +
			"law needs)"},
	}...)
	jsonFlag(cmd)
	return cmd
}

// readSides reads numbers and ranges A..B separated by commas and returns the sides in ascending order, none for "".
func readSides(text string) ([]int, error) {
	if text == "" {
		return nil, nil
	}
	var sides []int
	for item := range strings.SplitSeq(text, ",") {
		low, high, ok := texts.ParseRange(item)
		if !ok || low < 2 || high < low || high > manyNodes {
			return nil, cli.Errorf("--sides %q: %q is neither a side from 2 on nor a range", text, item).
				Hinted("write for instance --sides 4..20 or --sides 4,6,8")
		}
		for k := low; k <= high; k++ {
			sides = append(sides, k)
		}
	}
	slices.Sort(sides)
	return slices.Compact(sides), nil
}
