package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/spf13/cobra"

	"leeway/cmd/cli"
	"leeway/cmd/work"
	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results/disk"
	"leeway/search"
	"leeway/search/restrict"
)

// restrictionBy lists what --by may say.
var restrictionBy = map[string]restrict.By{
	"auto": restrict.ByAny, "displacement": restrict.ByDisplacement, "pair": restrict.ByPair}

// A restriction holds the flags of restrict.
type restriction struct {
	subject
	effort
	by       string
	single   bool
	minPaths int
	channels int
	out      string
}

func (a *app) restrictCommand() *cobra.Command {
	f := restriction{by: "auto", minPaths: 1}
	cmd := command("restrict [FILE]", "Find the best routing restriction of a placement", cobra.MaximumNArgs(1),
		func(cmd *cobra.Command, files []string) error { return a.restrict(cmd, &f, files) })
	cmd.Annotations = map[string]string{cli.Without + "network": "it chooses among paths that correct one dimension " +
		"after the other; leeway explain --network has the least E_max that any shares of shortest paths reach, and " +
		"leeway eval --routing @table.json that of paths of your own"}
	f.mostNodes = manyNodes
	f.flags(cmd, "torus", "placement", "conditions", "json")
	f.axisFlag(cmd, objective.Axes[0]) // the traffic, without a routing of the replies
	f.effort.register(cmd)
	addFlags(cmd, []flag{
		{&f.by, "by", "what paths are chosen for: displacement, pair, or auto for the better of both"},
		{&f.single, "single-path", "exactly one path for every pair"},
		{&f.minPaths, "min-paths", "paths that every pair keeps, or all it has if those are fewer"},
		{&f.channels, "channels", "one shortest path for every pair, such that messages cannot deadlock " +
			"with V virtual channels of each link"},
		{&f.out, "out", "file for the table, which --routing @FILE reads"},
	}...)
	cli.Exclude(cmd, "single-path", "min-paths", "")
	cli.Exclude(cmd, "channels", "single-path min-paths by", "")
	return cmd
}

// maxChannels is the most virtual channels of a link that a table is searched for.
const maxChannels = 64

// read validates the flags.
func (f *restriction) read(cmd *cobra.Command, files []string) (p restrict.Params, b work.Budget, err error) {
	if b, err = f.effort.read(cmd, defaultTime); err != nil {
		return p, b, err
	}
	by, ok := restrictionBy[f.by]
	switch {
	case !ok:
		return p, b, cli.Errorf("--by %q: unknown", f.by).
			Hinted(cli.DidYouMean(f.by, flagValues["by"]) + "write displacement, pair or auto")
	case cmd.Flags().Changed("channels") && (f.channels < 1 || f.channels > maxChannels):
		return p, b, cli.Errorf("--channels %d: a number in 1..%d is needed", f.channels, maxChannels)
	case f.minPaths < 1:
		return p, b, cli.Errorf("--min-paths %d: at least 1 is needed", f.minPaths)
	}
	if f.out != "" {
		if err := disk.CheckTarget(f.out); err != nil {
			return p, b, err
		}
	}
	q, placement, err := f.placedProblemUnder(cmd.Context(), files, func(t *core.Torus) routing.Routing {
		return routing.NewUDR(t, routing.TieBoth)
	})
	if err == nil {
		_, err = f.conditions(cmd.Context(), placement)
	}
	if t := placement.Torus(); err == nil && by == restrict.ByDisplacement && !t.Closed() {
		err = &cli.Error{Hint: "write pair or auto",
			Err: cli.Errorf("--by displacement: on %s the paths of a displacement differ, where a dimension is open", t)}
	}
	// The routings of a record are not looked at, those of its replies neither.
	q.Traffic.Replies = nil
	return restrict.Params{Placement: placement, Traffic: q.Traffic, By: by, Single: f.single, MinPaths: f.minPaths,
		Seed: b.Seed, Evaluations: b.Evaluations, Workers: f.workers}, b, err
}

// restrict looks for the table, writes it to its file and shows the document.
func (a *app) restrict(cmd *cobra.Command, f *restriction, files []string) error {
	params, b, err := f.read(cmd, files)
	if err != nil {
		return err
	}
	watch := func(lower *big.Rat) (observe func(search.Event), end func()) {
		show := newLine(a.Stderr, "", fmt.Sprintf("%s n=%d", params.Placement.Torus(), params.Placement.Size()), lower, b)
		show.view.Start()
		return show.observe, show.view.Stop
	}
	if f.channels > 0 {
		d, err := work.RestrictChannels(cmd.Context(), params.Placement, params.Traffic, f.channels, b, watch)
		if err != nil {
			return restricting("channels", err)
		}
		return cmp.Or(answer(a, d, nil, "deadlock"), a.keepIn(f.out, d.Table))
	}
	d, err := work.Restrict(cmd.Context(), params, b, watch)
	if err != nil {
		return restricting("placement", err)
	}
	// A table that could not be written still goes to stdout: nothing found is lost.
	return cmp.Or(answer(a, d, nil, "restriction"), a.keepIn(f.out, d.Table))
}

// restricting returns an error in the words of the command.
func restricting(flag string, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return &cli.StoppedError{What: "the paths of the placement were"}
	}
	return cli.InFlag(flag, err)
}
