package main

import (
	"context"
	"fmt"
	"math/big"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"leeway/cmd/cli"
	"leeway/cmd/work"
	"leeway/core"
	"leeway/core/linkname"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/congestion"
	"leeway/objective/faults"
	"leeway/results"
	"leeway/results/answers"
	"leeway/results/atlas"
	"leeway/results/compose"
	"leeway/results/explain"
)

func (a *app) evalCommand() *cobra.Command {
	var s subject
	var withLoads, permutations, deadlocks bool
	var rounds int
	seed := uint64(1)
	cmd := command("eval [FILE]", "Compute the exact load of a placement under a routing", cobra.MaximumNArgs(1),
		func(cmd *cobra.Command, files []string) error {
			q, p, err := s.placedProblem(cmd.Context(), files)
			if err != nil {
				return err
			}
			ctx := cmd.Context()
			switch {
			case permutations:
				d, err := work.Worst(q, p)
				return answer(a, d, cli.InFlag("worst-permutation", err), a.printWorst)
			case deadlocks:
				d, err := work.Deadlock(ctx, q, p)
				return answer(a, d, cli.InFlag("deadlock", err), a.printDeadlock)
			case cmd.Flags().Changed("rounds"):
				if rounds < 1 || rounds > mostRounds {
					return cli.Errorf("--rounds %d: a number in 1..%d is needed", rounds, mostRounds)
				}
				d, err := work.Rounds(ctx, q, p, rounds, seed)
				return answer(a, d, cli.InFlag("rounds", err), a.printRounds)
			}
			e, err := work.Evaluate(ctx, q, p, a.asJSON(), withLoads)
			return answer(a, e, err, func(e compose.Evaluation) {
				a.printEvaluation(p.Torus(), e)
				a.row("best known", bestKnown(q, e.Size))
			})
		})
	s.flags(cmd, "torus", "network", "placement", "routing", "traffic", "json")
	addFlags(cmd, []flag{
		{&withLoads, "loads", "also list every link with a load above 0"},
		{&permutations, "worst-permutation",
			"instead: the largest load of a link if every processor sends to one and none gets from two, over all permutations"},
		{&rounds, "rounds", "instead: the largest load of a link in N random rounds, in each of which " +
			"every processor sends one message to one drawn from all, or with --traffic clients every node has one " +
			"exchange with one"},
		{&seed, "seed", "with --rounds: seed of the draws"},
		{&deadlocks, "deadlock", "instead: whether messages that hold links while they wait can " +
			"wait for each other in a circle, with an order of the links or a cycle, and virtual channels that prevent it"},
	}...)
	cli.Exclude(cmd, "loads", "worst-permutation rounds deadlock", "")
	cli.Exclude(cmd, "worst-permutation", "rounds deadlock", "")
	cli.Exclude(cmd, "rounds", "deadlock", "")
	return cmd
}

func (a *app) printEvaluation(t *core.Torus, e compose.Evaluation) {
	network := fmt.Sprintf("%s, %d nodes, %d directed links", t.Title(), t.N(), e.Links)
	a.printQuestion(e.Grid, network, e.Routing, e.Setting, e.Size)
	a.Printf("E_max        %s on %s\n", decimal(e.MaxLoad), core.Count(e.LinksAtMax, "link"))
	switch each, err := results.ParseFraction(e.Throughput); {
	case err == nil && e.Assignment != nil:
		a.Printf("throughput   %s times all demands per unit time\n", decimal(e.Throughput))
	case err == nil && e.Traffic != "":
		a.Printf("throughput   %s exchanges per unit time: requests of each node to each processor, with their replies\n",
			decimal(e.Throughput))
	case err == nil:
		each.Mul(each, big.NewRat(int64(e.Size-1), 1))
		a.Printf("throughput   %s exchanges per unit time, %s messages per processor\n", decimal(e.Throughput),
			decimal(results.FormatFraction(each)))
	}
	a.Printf("mean load    %s\n", decimal(e.MeanLoad))
	if e.MeanDistance != "" {
		a.Printf("distance     %s links on average\n", decimal(e.MeanDistance))
	}
	if e.CoveringRadius != nil {
		a.Printf("radius       %d: greatest distance from a node to its nearest processor; sum over all nodes %d\n",
			*e.CoveringRadius, *e.TotalDistance)
	}
	if e.PackingDistance > 0 {
		a.Printf("packing      %d: the least distance between two processors\n", e.PackingDistance)
	}
	if t.HasDimensions() {
		a.Printf("uniform      %s\n", uniformIn(e.Uniform))
	}
	for _, l := range e.Loads {
		a.Printf("load         %s  %s\n", l.Text(t), decimal(l.Load))
	}
}

// networkOf returns the network of an answer of this program, which can be read.
func networkOf(g results.Grid) *core.Torus {
	t, err := g.ReadGrid()
	if err != nil {
		panic(err)
	}
	return t
}

// nodeText returns a node of an answer of this program as people write it.
func nodeText(t *core.Torus, at []int) string {
	v, err := t.Node(at...)
	if err != nil {
		panic(err)
	}
	return t.NodeText(v)
}

// printDeadlock prints an answer about deadlock.
func (a *app) printDeadlock(d answers.Deadlock) {
	t := networkOf(d.Grid)
	a.printQuestion(d.Grid, d.Grid.Title(), d.Routing, d.Setting, d.Size)
	if c := d.Channelled; c.Channels > 0 {
		a.Printf("E_max        %s, with %s\n", decimal(c.MaxLoad), core.Count(c.Channels, "virtual channel"))
		a.Printf("lower bound  %s (%s), whatever the channels\n", decimal(c.LowerBound), c.BoundReason)
		a.Printf("found by     %s, seed %d, %d paths tried\n", c.FoundBy.Method, c.FoundBy.Seed, c.FoundBy.Evaluations)
	}
	switch {
	case d.DeadlockFree:
		a.Printf("deadlock     free: every path goes by one order of %s\n", core.Count(len(d.ChannelOrder), "link"))
		return
	case d.Channels > 0: // which the question is about, not about one
		a.Printf("deadlock     free: every path goes by one order of %s, %d of a link; one of a link would not be enough\n",
			core.Count(len(d.VirtualOrder), "channel"), d.VirtualChannels)
		return
	}
	a.Printf("deadlock     possible: %s wait for each other in a circle\n", core.Count(len(d.Cycle), "link"))
	for _, w := range d.Cycle {
		a.Printf("cycle        %s  messages from %s to %s\n", w.Text(t), nodeText(t, w.Source), nodeText(t, w.Target))
	}
	fewest := "an upper bound"
	if d.VirtualChannels == 2 {
		fewest = "the fewest, as one is not enough"
	}
	a.Printf("channels     %d virtual channels of each link prevent it: %s\n", d.VirtualChannels, fewest)
	switch {
	case d.Datelines > 0:
		a.Printf("datelines    %d virtual channels, changed at the end of a dimension, prevent it\n", d.Datelines)
	case t.HasDimensions():
		a.Printf("datelines    do not prevent it\n")
	}
}

// mostRounds is the most rounds, the largest loads of which are kept.
const mostRounds = 10_000_000

// printRounds prints what random rounds put on the busiest link.
func (a *app) printRounds(d compose.Rounds) {
	a.printQuestion(d.Grid, d.Grid.Title(), d.Routing, d.Setting, d.Size)
	a.Printf("rounds       %d, seed %d\n", d.Rounds, d.Seed)
	a.Printf("largest load %s on average\n", decimal(d.MeanMax))
	for _, part := range compose.Percentiles {
		a.Printf("%d of 100    at most %s\n", part, decimal(d.Percentiles[strconv.Itoa(part)]))
	}
	a.Printf("mean load    at most %s, of any link: E_max over the number of processors\n", decimal(d.MaxMean))
}

// printWorst prints a worst case.
func (a *app) printWorst(d answers.Worst) {
	t := networkOf(d.Grid)
	a.printQuestion(d.Grid, d.Grid.Title(), d.Routing, results.Setting{}, d.Size)
	a.row("nodes", d.Grid.NodesText(d.Nodes))
	link := "on every link"
	if l := d.WorstLink; l != nil {
		link = "on the link " + l.Text(t)
	}
	a.Printf("worst load   %s %s, no permutation has more\n", decimal(d.WorstLoad), link)
	for _, pair := range d.Permutation {
		a.Printf("sends        %s -> %s\n", nodeText(t, pair[0]), nodeText(t, pair[1]))
	}
	if f := d.FoundBy; f != nil {
		a.Printf("found by     %s, seed %d, %d evaluations, %.1f s\n", f.Method, f.Seed, f.Evaluations, f.Seconds)
	}
}

// bestKnown says what the atlas of the program knows of as many processors, "" if that is nothing.
func bestKnown(q objective.Problem, size int) string {
	if q.Routing.String() == results.TableRouting || q.Traffic.Matrix != nil {
		return ""
	}
	view, err := atlas.ShippedOf(q.Torus().N())
	if err != nil {
		return ""
	}
	c, image, ok := view.Find(q.WithSize(size))
	if !ok || c.Fault != "" || c.MaxLoad == "" {
		return ""
	}
	return strings.TrimPrefix(work.Standing(c, image), "E_max ")
}

// printQuestion writes what an answer is about: the network, as a text, the routing if any, the traffic unless it is
// all to all, and the number of what is placed.
func (a *app) printQuestion(g results.Grid, network, routing string, d results.Setting, size int) {
	a.row(kindOf(g), network)
	a.row("routing", routing)
	a.row("traffic", describeTraffic(d))
	a.row(nounOf(d)+"s", strconv.Itoa(size))
}

// describeTraffic returns a traffic for a person, with the routing of the replies where they have one of their own.
func describeTraffic(d results.Setting) string {
	if d.Matrix != nil {
		if m, err := results.ReadMatrix(*d.Matrix); err == nil {
			return m.Title()
		}
	}
	if d.ReplyRouting == "" {
		return d.Traffic
	}
	return d.Traffic + ", replies by " + d.ReplyRouting
}

// nounOf returns what is placed.
func nounOf(d results.Setting) string {
	if d.Matrix != nil {
		return "task"
	}
	return "processor"
}

// kindOf names what something is on.
func kindOf(g results.Grid) string {
	if g.Network == "" {
		return "torus"
	}
	return "network"
}

// uniformIn says in words in which dimensions every slab has as many processors as the others.
func uniformIn(dims []bool) string {
	var yes []int
	for j, uniform := range dims {
		if uniform {
			yes = append(yes, j)
		}
	}
	switch list := core.JoinInts(yes, ", "); len(yes) {
	case 0:
		return "in no dimension"
	case 1:
		return "in dimension " + list
	default:
		return "in dimensions " + list
	}
}

func (a *app) explainCommand() *cobra.Command {
	var s subject
	limit := 20 * time.Second
	cmd := command("explain [FILE]", "Say what of a load is due to the placement, what to the routing",
		cobra.MaximumNArgs(1),
		func(cmd *cobra.Command, files []string) error {
			ctx, cancel := work.Budget{Time: limit}.Deadline(cmd.Context())
			defer cancel()
			q, p, err := s.placedProblemUnder(cmd.Context(), files, func(t *core.Torus) routing.Routing {
				return routing.NewMinimal(t, routing.TieBoth)
			})
			if err != nil {
				return err
			}
			e, err := a.explain(cmd.Context(), ctx, q, p, len(files) > 0 || s.routingText != "")
			if err != nil {
				return err
			}
			return a.show(e, func() { fmt.Fprint(a.Stdout, e.Text()) })
		})
	s.flags(cmd, "torus", "network", "placement", "routing", "traffic", "json")
	addFlags(cmd, flag{&limit, "time",
		"time for all of it: loads, best minimal routing, bounds, and the search for a better placement, where the atlas " +
			"of the program has none"})
	return cmd
}

// explain returns what is lost to what, also under the routing of the problem if asked for. Each part has half of the
// time that is left in the limited context; those that are not known in time, or after Ctrl-C, are left out, and the
// best minimal routing is known less well.
func (a *app) explain(ctx, limited context.Context, q objective.Problem, p core.Placement,
	under bool) (explain.Explanation, error) {
	half := func() work.Budget {
		end, _ := limited.Deadline()
		return work.Budget{Seed: 1, Time: max(1, time.Until(end)/2)}
	}
	first, cancel := half().Deadline(limited)
	defer cancel()
	e, err := cli.UnlessStopped(limited, "the loads were", func() (explain.Explanation, error) {
		return work.Explain(first, q, p)
	})
	if err != nil {
		return e, cli.InFlag("placement", err)
	}
	second, cancel := half().Deadline(limited)
	defer cancel()
	if q.Traffic.ToAll() {
		e.Bounds, err = cli.UnlessStopped(limited, "the bounds of the placement were", func() ([]answers.Bound, error) {
			return explain.Bounds(second, p)
		})
	}
	if err != nil {
		a.Remark("stopped before the bounds of the placement were known")
	}
	for _, name := range e.Missing() {
		a.Remark("stopped before E_max under %s was known", name)
	}
	if !under {
		return e, nil
	}
	best, err := a.session(runtime.NumCPU()).BestKnown(ctx, q, p, half())
	if err != nil {
		return e, err
	}
	_, err = cli.UnlessStopped(limited, "the busiest link was", func() (struct{}, error) {
		return struct{}{}, e.SetUnder(limited, q, p, best)
	})
	if err != nil && limited.Err() != nil && ctx.Err() == nil {
		a.Remark("%v", err)
		err = nil
	}
	return e, err
}

func (a *app) faultsCommand() *cobra.Command {
	var s subject
	var repair bool
	cmd := command("faults [FILE]", "Compute the effects of single link failures on a placement", cobra.MaximumNArgs(1),
		func(cmd *cobra.Command, files []string) error {
			q, p, err := s.placedProblem(cmd.Context(), files)
			if err != nil {
				return err
			}
			report, err := faults.Analyze(cmd.Context(), q, p)
			if err != nil {
				return cli.InFlag("routing", err)
			}
			if links := p.Torus().Links(); report.Faults < links {
				a.Remark("stopped after the failures of %d of %d links: the worst may be worse", report.Faults, links)
			}
			var repairs []faults.Repair
			if repair {
				effort := congestion.DefaultOptions()
				effort.Flows = false
				repairs, err = faults.Repairs(cmd.Context(), p, q.Traffic, effort)
				switch {
				case cmd.Context().Err() != nil:
					a.Remark("stopped before all failures were repaired")
				case err != nil:
					return cli.InFlag("repair", err)
				}
			}
			d := work.NewFaults(q, p, report, repairs)
			return answer(a, d, nil, a.printFaults)
		})
	s.flags(cmd, "torus", "network", "placement", "routing", "traffic", "json")
	addFlags(cmd, flag{&repair, "repair", "also: if both links of an edge fail and all messages are routed anew, " +
		"the least E_max of any split over the shortest paths that are left, for every edge"})
	return cmd
}

// printRepairs prints what is worst on a network after routing anew.
func (a *app) printRepairs(t *core.Network, list []work.Repair) {
	var worst *work.Repair
	edges, apart := 0, 0
	most := new(big.Rat)
	for i, r := range list {
		if edges += r.Alike; r.Network == "" {
			apart += r.Alike
			continue
		}
		if load, err := results.ParseFraction(r.MaxLoad); err == nil && load.Cmp(most) >= 0 {
			most, worst = load, &list[i]
		}
	}
	a.Printf("repair       %s in %s; %d leave nodes without a path\n", core.Count(edges, "edge"),
		core.Count(len(list), "orbit"), apart)
	if worst != nil {
		proved := "no shortest paths have less"
		if worst.LowerBound != worst.MaxLoad {
			proved = "no shortest paths have less than " + decimal(worst.LowerBound)
		}
		a.Printf("repaired     E_max %s after the worst, %s: %s\n", decimal(worst.MaxLoad), worst.Link.Text(t), proved)
	}
}

func (a *app) printFaults(d work.Faults) {
	pairs, each := "ordered pairs", "pair"
	switch {
	case d.Assignment != nil:
		pairs, each = "demands between nodes, "+describeTraffic(d.Setting), "demand"
	case d.Traffic != "":
		pairs, each = "pairs of a client and a processor, "+describeTraffic(d.Setting), "message"
	}
	t := networkOf(d.Grid)
	a.Printf("%s on %s, %s: %d %s\n", core.Count(d.Size, nounOf(d.Setting)), d.Grid.Title(), d.Routing, d.Pairs, pairs)
	a.Printf("pairs lost   %d by the worst failure of one link%s\n", d.DisconnectedPairs, naming(t, d.DisconnectingLink))
	a.Printf("critical     %s whose failure loses a pair\n", core.Count(d.CriticalLinks, "link"))
	a.Printf("E_max        %s, after the worst failure %s%s\n", decimal(d.MaxLoad),
		decimal(d.MaxLoadAfterFault), naming(t, d.LoadingLink))
	a.Printf("paths        at least %d for a %s, %s on average\n", d.MinPaths, each, decimal(d.MeanPaths))
	note := ""
	if !d.DisjointExact {
		note = " (lower bounds)"
	}
	a.Printf("disjoint     at least %d for a %s, %s on average%s\n", d.MinDisjointPaths, each,
		decimal(d.MeanDisjointPaths), note)
	if d.Repairs != nil {
		a.printRepairs(t, d.Repairs)
	}
}

// naming returns ", LINK" for a link of a network, and "" for nil.
func naming(t *core.Network, l *linkname.Ended) string {
	if l == nil {
		return ""
	}
	return ", " + l.Text(t)
}
