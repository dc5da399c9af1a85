package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"leeway/cmd/cli"
	"leeway/core"
	"leeway/objective/texts"
	"leeway/results/law"
	"leeway/results/layout"
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
			return answer(a, found, err, a.printLaw)
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

func (a *app) printLaw(l law.Law) {
	a.Printf("%s, %s, d = %d: %s\n", l.Family, l.Routing, l.Dims, map[string]string{
		law.Proved: "proved", law.Fitted: "fitted, not proved", law.None: "no law found"}[l.Status])
	for _, p := range l.Pieces {
		worth := "fitted"
		if p.Theorem != "" {
			worth = "proved, " + p.Theorem
		}
		a.Printf("  E_max        %s for %s, k >= %d: %s\n", p.Formula, p.When, p.From, worth)
		for _, b := range p.Bounds {
			reach := "on all tori checked"
			if b.Theorem != "" {
				reach = "for all these k, " + b.Theorem
			}
			a.Printf("    = bound    %s (%s), %s\n", b.Name, b.Holds, reach)
		}
	}
	if len(l.Pieces) > 0 {
		var sides []int
		for _, c := range l.Checked {
			sides = append(sides, c.Torus[0])
		}
		a.Printf("  checked      with %d values, sides %d to %d; computed from %d others\n", len(sides), slices.Min(sides),
			slices.Max(sides), len(l.Used))
	}
	if len(l.PassedOver) > 0 {
		a.Printf("  skipped      sides on which there is no %s: %s\n", l.Family, core.JoinInts(l.PassedOver, ", "))
	}
	if len(l.Outside) > 0 {
		a.Printf("  not covered  %s\n", listed(l.Outside))
	}
}

// listed writes some cases, and how many more there are.
func listed(cases []law.Case) string {
	const most = 8
	var texts []string
	for _, c := range cases[:min(most, len(cases))] {
		at := fmt.Sprintf("k = %d: %s", c.Torus[0], layout.WithDecimal(c.Value))
		if c.Placement != "" {
			at = c.Placement + " " + at
		}
		texts = append(texts, at)
	}
	if more := len(cases) - most; more > 0 {
		texts = append(texts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(texts, ", ")
}
