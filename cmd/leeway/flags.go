package main

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"leeway/cmd/cli"
	"leeway/cmd/work"
	"leeway/core"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results"
)

// subject holds the flags that say what a command is about, and whether it answers in JSON.
type subject struct {
	torusText, meshText, placementText, routingText, sizeText string

	fixedText, forbiddenText string
	near                     objective.Near
	trafficText, repliesText string
	limit                    *objective.Limit // of --max-load, which takes the place of --size

	asJSON    bool
	chosen    routing.Routing // of --routing, nil before it is read
	mostNodes int             // of a torus; 0: no limit of its own
	mostLinks int             // the same

	conditions results.Conditions // of the record that was read
	command    *cobra.Command     // that has --torus
}

// manyNodes is the limit of commands that keep tables over the links of a torus.
const manyNodes = 1 << 20

// The usage of the flags of subject.
const (
	torusUsage = "sides of the torus: 8x8, 4x6x3, 30, or 8^3 for 8x8x8; then :open=0,1 for dimensions without " +
		"wrap-around, :bandwidth=2,1, one for each dimension, and :twist=4 for ends that are joined with a shift"
	meshUsage      = "instead of --torus: a mesh, every dimension open: 8x8 or 8x8:bandwidth=2,1"
	placementUsage = "placement: full, linear, multilinear:t=2, spaced:t=2, residues:c=1,1:m=8:r=0,4, " +
		"random:n=16:seed=7, nodes:0,0+1,3, @file.json; in two dimensions also diamond, x, rows:at=0,7, columns, corners"
	routingUsage = "routing: odr, odr:order=1,0, udr, orders:01+10, avoid or minimal, each with :tie=plus or :tie=both, " +
		"or @table.json"
	fixedUsage     = "nodes that must have a processor: 0,0+7,7, as after nodes:, or @file.json"
	forbiddenUsage = "nodes that must have none: 3,3+4,4 or @file.json"
	sizeUsage      = "number of processors, or a range A..B"
	trafficUsage   = "all: every processor sends to every other; clients:request=1:reply=1: every node sends each " +
		"processor so much, and gets so much back, as with memory controllers"
	repliesUsage = "with --traffic clients: routing of the replies (default: that of --routing)"
)

// flags adds those of the flags torus, placement, routing, size and json that are named.
func (s *subject) flags(cmd *cobra.Command, names ...string) {
	for _, name := range names {
		switch name {
		case "torus":
			cmd.Flags().StringVar(&s.torusText, name, "", torusUsage)
			cmd.Flags().StringVar(&s.meshText, "mesh", "", meshUsage)
			s.command = cmd
		case "placement":
			cmd.Flags().StringVar(&s.placementText, name, "", placementUsage)
		case "routing":
			cmd.Flags().StringVar(&s.routingText, name, "", routingUsage)
		case "size":
			cmd.Flags().StringVar(&s.sizeText, name, "", sizeUsage)
		case "traffic":
			cmd.Flags().StringVar(&s.trafficText, name, objective.AllToAll, trafficUsage)
			cmd.Flags().StringVar(&s.repliesText, "reply-routing", "", repliesUsage)
		case "conditions":
			cmd.Flags().StringVar(&s.fixedText, "fixed", "", fixedUsage)
			cmd.Flags().StringVar(&s.forbiddenText, "forbidden", "", forbiddenUsage)
		case "radius":
			cmd.Flags().IntVar(&s.near.Radius, name, 0,
				"every node has a processor within so many links (default: no condition)")
			cmd.Flags().IntVar(&s.near.Distance, "distance", 0,
				"the nodes are so many links from their nearest processors at most, added up (default: no condition)")
		case "json":
			cmd.Flags().BoolVar(&s.asJSON, name, false, "print one JSON document")
		}
	}
}

// missing returns an error about those of some flags of s that have no value, all at once.
func (s *subject) missing(names ...string) error {
	texts := map[string]string{"torus": s.where(), "placement": s.placementText, "routing": s.routingText,
		"size": s.sizeText}
	var pairs []string
	for _, name := range names {
		pairs = append(pairs, name, texts[name])
	}
	return cli.Missing(pairs...)
}

// where returns the text of --torus or --mesh, "" if neither is given.
func (s *subject) where() string { return s.torusText + s.meshText }

// torus reads --torus or --mesh.
func (s *subject) torus() (*core.Torus, error) {
	if err := s.missing("torus"); err != nil {
		return nil, err
	}
	flag, text, read := "torus", s.torusText, core.ParseNetwork
	switch {
	case s.torusText != "" && s.meshText != "":
		return nil, &cli.Error{Err: cli.Errorf("--torus and --mesh both say what the network is: give one of them"),
			Hint: "a torus with open dimensions is written as --torus 8x8:open=1"}
	case s.meshText != "":
		flag, text, read = "mesh", s.meshText, core.ParseMesh
	}
	t, err := read(text)
	if err == nil {
		err = s.admit(t)
	}
	return t, cli.InFlag(flag, err)
}

// general lists the commands that treat networks other than plain tori, they and their subcommands, and client traffic
// or look at placements alone.
var general = []string{"atlas", "bisect", "bound", "draw", "eval", "explain", "export", "faults", "prove",
	"restrict", "search"}

// isGeneral reports whether the command, or that which it belongs to, is one of these.
func (s *subject) isGeneral() bool {
	return slices.Contains(general, strings.Fields(s.command.CommandPath())[1])
}

// admit refuses a torus or network that the command does not treat.
func (s *subject) admit(t *core.Torus) error {
	switch {
	case !t.Plain() && !s.isGeneral():
		return &cli.Error{Err: cli.Errorf("%s: %s treats only plain tori yet, without open dimensions, bandwidths and twists",
			t, s.command.CommandPath()), Hint: "commands that do: leeway " + strings.Join(general, ", leeway ")}
	case s.mostNodes > 0 && t.N() > s.mostNodes:
		return cli.Errorf("%s: %d nodes, more than the %d that this command treats", t, t.N(), s.mostNodes)
	case s.mostLinks > 0 && t.M() > s.mostLinks:
		return cli.Errorf("%s: %d links, more than the %d that this command treats", t, t.M(), s.mostLinks)
	}
	return nil
}

// withTraffic returns a problem with the traffic of --traffic and --reply-routing.
func (s *subject) withTraffic(p objective.Problem) (objective.Problem, error) {
	if s.trafficText == "" || s.trafficText == objective.AllToAll {
		if s.repliesText != "" {
			return p, &cli.Error{Err: cli.Errorf("--reply-routing %q: there are no replies", s.repliesText),
				Hint: "add --traffic clients"}
		}
		return p, nil
	}
	traffic, err := objective.ParseTraffic(s.trafficText)
	if err != nil {
		return p, cli.InFlag("traffic", err)
	}
	if s.repliesText != "" {
		if strings.HasPrefix(s.repliesText, "@") {
			return p, &cli.Error{Err: cli.Errorf("--reply-routing %q: replies cannot be routed by a table", s.repliesText),
				Hint: "name a routing, as odr:order=1,0"}
		}
		if traffic.Replies, err = routing.Parse(p.Torus(), s.repliesText); err != nil {
			return p, cli.InFlag("reply-routing", err)
		}
	}
	if p, err = p.WithTraffic(traffic); err != nil {
		return p, cli.InFlag("traffic", err)
	}
	return p, s.admitTraffic(p)
}

// asksTraffic reports whether the flags name a traffic other than all to all.
func (s *subject) asksTraffic() bool {
	return s.trafficText != "" && s.trafficText != objective.AllToAll || s.repliesText != ""
}

// admitTraffic refuses a traffic that the command does not treat.
func (s *subject) admitTraffic(p objective.Problem) error {
	if p.Traffic.Clients() && !s.isGeneral() {
		return &cli.Error{Err: cli.Errorf("%s: %s does not treat client traffic yet, only all-to-all", p.Traffic,
			s.command.CommandPath()), Hint: "commands that do: leeway " + strings.Join(general, ", leeway ")}
	}
	return nil
}

// readRouting reads --routing for t, opening the table of the form @file.json.
func (s *subject) readRouting(ctx context.Context, t *core.Torus) (r routing.Routing, err error) {
	if err := s.missing("routing"); err != nil {
		return nil, err
	}
	if name, isFile := strings.CutPrefix(s.routingText, "@"); isFile {
		var table *routing.Table
		if table, err = results.ReadTableFile(ctx, name, t); err == nil {
			r = table // a nil table would be no nil routing
		}
	} else {
		r, err = routing.Parse(t, s.routingText)
	}
	s.chosen = r
	return r, cli.InFlag("routing", err)
}

// placement reads --placement for t, opening the file of the form @file.json. If --routing was read before, it must
// have paths for all pairs.
func (s *subject) placement(ctx context.Context, t *core.Torus) (p core.Placement, err error) {
	if err := s.missing("placement"); err != nil {
		return p, err
	}
	if name, isFile := strings.CutPrefix(s.placementText, "@"); isFile {
		p, err = results.ReadPlacementFile(ctx, name, t)
	} else {
		p, err = family.Parse(t, s.placementText)
	}
	if err == nil && s.chosen != nil {
		return p, cli.InFlag("routing", routing.Covers(s.chosen, p))
	}
	return p, cli.InFlag("placement", err)
}

// torusAndRouting reads --torus and --routing.
func (s *subject) torusAndRouting(ctx context.Context) (*core.Torus, routing.Routing, error) {
	if err := s.missing("torus", "routing"); err != nil {
		return nil, nil, err
	}
	t, err := s.torus()
	if err != nil {
		return nil, nil, err
	}
	r, err := s.readRouting(ctx, t)
	return t, r, err
}

// torusAndPlacement reads --torus and --placement.
func (s *subject) torusAndPlacement(ctx context.Context) (t *core.Torus, p core.Placement, err error) {
	if err = s.missing("torus", "placement"); err != nil {
		return nil, p, err
	}
	if t, err = s.torus(); err == nil {
		p, err = s.placement(ctx, t)
	}
	return t, p, err
}

// instance reads --torus, --routing, --placement and the traffic.
func (s *subject) instance(ctx context.Context) (objective.Problem, core.Placement, error) {
	if err := s.missing("torus", "placement", "routing"); err != nil {
		return objective.Problem{}, core.Placement{}, err
	}
	t, r, err := s.torusAndRouting(ctx)
	if err != nil {
		return objective.Problem{}, core.Placement{}, err
	}
	p, err := s.placement(ctx, t)
	if err != nil {
		return objective.Problem{}, p, err
	}
	q, err := s.withTraffic(objective.Problem{Routing: r, Size: p.Size()})
	if err == nil {
		err = enough(r, p)
	}
	return q, p, err
}

// given reads a placement and the problem that says its loads, routing and traffic, from the record that files names
// or, if it names none, from the flags.
func (s *subject) given(ctx context.Context, files []string) (objective.Problem, core.Placement, error) {
	if len(files) == 0 {
		return s.instance(ctx)
	}
	file := files[0]
	if s.where()+s.placementText+s.routingText+s.sizeText != "" {
		return objective.Problem{}, core.Placement{}, &cli.Error{
			Err:  cli.Errorf("%s: a record says itself which torus, placement and routing it is about", file),
			Hint: "leave --torus, --mesh, --placement, --size and --routing away, or the record"}
	}
	if s.asksTraffic() {
		return objective.Problem{}, core.Placement{}, &cli.Error{
			Err:  cli.Errorf("%s: a record says itself which traffic it is about", file),
			Hint: "leave --traffic and --reply-routing away, or the record"}
	}
	record, err := results.ReadRecordFile(ctx, file)
	if err != nil {
		return objective.Problem{}, core.Placement{}, err
	}
	s.conditions = record.Conditions
	q, p, err := record.Instance()
	if err == nil {
		err = s.admit(p.Torus())
	}
	if err == nil {
		err = s.admitTraffic(q)
	}
	if err != nil {
		return objective.Problem{}, core.Placement{}, fmt.Errorf("%s: %w", file, err)
	}
	return q, p, enough(q.Routing, p)
}

// givenPlacement is given without a routing: that of a record is not looked at.
func (s *subject) givenPlacement(ctx context.Context, files []string) (core.Placement, error) {
	if len(files) == 0 {
		_, p, err := s.torusAndPlacement(ctx)
		return p, err
	}
	_, p, err := s.given(ctx, files)
	return p, err
}

// enough refuses an evaluation that takes more memory than is left.
func enough(r routing.Routing, p core.Placement) error {
	return work.Enough(p.Torus(), "evaluating a placement under "+r.String(), work.EvaluationBytes(r, p.Size()))
}

// problems reads --torus, --routing and --size, one number or a range.
func (s *subject) problems(ctx context.Context) ([]objective.Problem, error) {
	names := []string{"torus", "size", "routing"}
	if s.limit != nil {
		names = []string{"torus", "routing"}
	}
	if err := s.missing(names...); err != nil {
		return nil, err
	}
	t, r, err := s.torusAndRouting(ctx)
	if err != nil {
		return nil, err
	}
	if err := routing.Complete(r); err != nil {
		return nil, cli.InFlag("routing", err)
	}
	base, err := s.conditioned(ctx, objective.Problem{Routing: r, Limit: s.limit, Near: s.near})
	if err == nil {
		base, err = s.withTraffic(base)
	}
	if err != nil || s.limit != nil {
		return []objective.Problem{base}, err
	}
	from, to, ok := cli.ReadRange(s.sizeText, "..")
	if !ok {
		return nil, cli.Errorf("--size %q: not a whole number or a range A..B", s.sizeText)
	}
	if from < 1 || to > t.N() || from > to {
		return nil, cli.Errorf("--size %q: sizes lie in 1..%d, the nodes of torus %s, a range from low to high", s.sizeText,
			t.N(), t)
	}
	var list []objective.Problem
	for n := from; n <= to; n++ {
		p, err := base.At(n).WithNodes(base.Fixed.Nodes(), base.Forbidden.Nodes())
		if err != nil {
			return nil, cli.InFlag("size", err)
		}
		if p, err = p.WithNear(s.near); err != nil {
			return nil, cli.InFlag("size", err)
		}
		list = append(list, p)
	}
	return list, nil
}

// conditioned returns a problem with the nodes of --fixed and --forbidden; its size is not looked at.
func (s *subject) conditioned(ctx context.Context, p objective.Problem) (objective.Problem, error) {
	fixed, err := readNodes(ctx, p.Torus(), s.fixedText)
	if err != nil {
		return p, cli.InFlag("fixed", err)
	}
	forbidden, err := readNodes(ctx, p.Torus(), s.forbiddenText)
	if err != nil {
		return p, cli.InFlag("forbidden", err)
	}
	sized := p
	sized.Limit = &objective.Limit{}
	if sized, err = sized.WithNodes(fixed, forbidden); err != nil {
		return p, cli.InFlag("forbidden", err)
	}
	p.Fixed, p.Forbidden = sized.Fixed, sized.Forbidden
	if least, most := p.Sizes(); least > most {
		return p, cli.Errorf("--forbidden: all nodes of %s are forbidden", p.Torus())
	}
	return p, nil
}

// network returns t with traffic and conditions, as the keys of cells have them. A routing of the replies that is that
// of --routing is not in them.
func (s *subject) network(ctx context.Context, t *core.Torus) (string, error) {
	p := objective.Problem{Routing: routing.NewUDR(t, routing.TieBoth)}
	var err error
	if s.asksTraffic() && s.routingText != "" {
		p.Routing, err = s.readRouting(ctx, t)
	}
	if err == nil {
		p, err = s.withTraffic(p)
	}
	if err == nil {
		p, err = s.conditioned(ctx, p)
	}
	return p.Where(), err
}

// readNodes reads a list of nodes, in words or from the file of the form @file.json; "" is none.
func readNodes(ctx context.Context, t *core.Torus, text string) ([]int, error) {
	if text == "" {
		return nil, nil
	}
	if name, isFile := strings.CutPrefix(text, "@"); isFile {
		p, err := results.ReadPlacementFile(ctx, name, t)
		return p.Nodes(), err
	}
	return core.ParseNodes(t, text)
}

// problem reads --torus, --routing and --size, which must be one number.
func (s *subject) problem(ctx context.Context, about string) (objective.Problem, error) {
	list, err := s.problems(ctx)
	if err != nil {
		return objective.Problem{}, err
	}
	if len(list) != 1 {
		return objective.Problem{}, cli.Errorf("--size %q: %s one size", s.sizeText, about)
	}
	return list[0], nil
}

// effort holds the flags that say how hard to look.
type effort struct {
	seedText, timeText string
	evaluations        int64
	workers            int
}

func (e *effort) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&e.seedText, "seed", "1", "seed of all random choices")
	cmd.Flags().StringVar(&e.timeText, "time", "", "time to spend on each problem: 90s, 5m, 8h")
	cmd.Flags().Int64Var(&e.evaluations, "evaluations", 0,
		"placements to evaluate for each problem; makes a run repeatable")
	cli.WorkersFlag(cmd, &e.workers, "; with --evaluations the result does not depend on them")
}

// read validates the flags. A budget without time and evaluations gets a standard time, 0 for no limit.
func (e *effort) read(cmd *cobra.Command, standard time.Duration) (b work.Budget, err error) {
	b.Evaluations = e.evaluations
	if b.Seed, err = cli.ReadSeed(e.seedText); err != nil {
		return b, err
	}
	if e.evaluations == 0 {
		b.Time = standard
	}
	if b.Time, err = cli.ReadTime(e.timeText, b.Time); err != nil {
		return b, err
	}
	if cmd.Flags().Changed("evaluations") && b.Evaluations < 1 {
		return b, cli.Errorf("--evaluations %d: at least 1 is needed", b.Evaluations)
	}
	runtime.GOMAXPROCS(max(1, e.workers)) // methods and engines that run side by side share them
	return b, nil
}

// A question holds the flags that search and prove share: what is asked, how hard to look, and where the answers go.
type question struct {
	subject
	effort
	out     string
	inStore bool // a store holds the records: no file is made up for them
}

func (q *question) register(cmd *cobra.Command) {
	q.mostNodes = manyNodes
	q.flags(cmd, "torus", "size", "routing", "traffic", "conditions", "radius", "json")
	q.effort.register(cmd)
	cmd.Flags().StringVar(&q.out, "out", "",
		"file for the record (default: a new file named after the problem, none with --json)")
}

// read validates everything before any work starts.
func (q *question) read(cmd *cobra.Command, standard time.Duration) ([]objective.Problem, work.Budget, error) {
	list, err := q.problems(cmd.Context())
	if err != nil {
		return nil, work.Budget{}, err
	}
	b, err := q.effort.read(cmd, standard)
	switch {
	case err != nil:
	case q.out != "" && len(list) > 1:
		err = cli.Errorf("--out %q: one file cannot hold the records of %d sizes; leave --out away and each gets a file of "+
			"its own", q.out, len(list))
	case q.out != "":
		err = results.CheckTarget(q.out)
	case !q.asJSON:
		err = results.CheckTarget(work.RecordBase(list[0], list[0].Size, b.Seed) + ".json")
	}
	return list, b, err
}

// allPaths is the routing under which a search with a free routing looks for placements to begin with.
const allPaths = "udr:tie=both"
