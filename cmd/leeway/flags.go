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
	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/compose"
	"leeway/results/disk"
	"leeway/results/graphs"
)

// subject holds the flags that say what a command is about.
type subject struct {
	torusText, meshText, networkText, placementText, routingText, sizeText string

	axes  map[string]*string // texts of the flags of objective.Axes, by name
	limit *objective.Limit   // of --max-load, which takes the place of --size

	mostNodes int  // of a torus; 0: no limit of its own
	mostLinks int  // the same
	onlyPlain bool // neither meshes nor bandwidths nor twists
	anyGraph  bool // also networks from lists of links, by --network
	matrices  bool // a traffic matrix may be read

	matrixText []byte // the matrix of --question, which is --traffic @-

	// What was read.
	network  *core.Torus
	chosen   routing.Routing // of --routing, nil without
	placed   core.Placement
	recorded objective.Terms // of the record
}

// manyNodes is the limit of commands that keep tables over the links of a torus.
const manyNodes = 1 << 20

// The usage of the flags of subject.
const (
	torusUsage = "sides of the torus: 8x8, 4x6x3, 30, or 8^3 for 8x8x8; then :open=0,1 for dimensions without " +
		"wrap-around, :bandwidth=2,1, one for each dimension, and :twist=4 for ends that are joined with a shift"
	meshUsage      = "instead of --torus: a mesh, every dimension open: 8x8 or 8x8:bandwidth=2,1"
	networkUsage   = "instead of --torus: a network from @FILE: GraphML, node-link JSON, edges u v [capacity], or anynet"
	placementUsage = "placement: full, linear, multilinear:t=2, spaced:t=2, residues:c=1,1:m=8:r=0,4, " +
		"random:n=16:seed=7, nodes:0,0+1,3, @file.json; in two dimensions also diamond, x, rows:at=0,7, columns, corners"
	sizeUsage = "number of processors, or a range A..B"
)

var routingUsage = "routing: " + strings.Join(routing.Names(), ", ") + ", each with :tie=plus or :tie=both, as " +
	"odr:order=1,0 and orders:01+10; xy (the last dimension first), o1turn; or @table.json"

// flags adds those of the flags torus, placement, routing, size and json that are named, and the flags of groups of
// objective.Axes.
func (s *subject) flags(cmd *cobra.Command, names ...string) {
	s.anyGraph = s.anyGraph || slices.Contains(names, "network")
	for _, f := range []flag{{&s.torusText, "torus", torusUsage}, {&s.networkText, "network", networkUsage},
		{&s.placementText, "placement", placementUsage}, {&s.routingText, "routing", routingUsage},
		{&s.sizeText, "size", sizeUsage}} {
		if slices.Contains(names, f.name) {
			addFlags(cmd, f)
		}
	}
	if slices.Contains(names, "torus") {
		addFlags(cmd, flag{&s.meshText, "mesh", meshUsage})
	}
	if slices.Contains(names, "json") {
		jsonFlag(cmd)
		s.questionFlag(cmd)
	}
	for _, a := range objective.Axes {
		if slices.Contains(names, a.Group) {
			s.axisFlag(cmd, a)
		}
	}
}

// axisFlag adds the flag of an axis.
func (s *subject) axisFlag(cmd *cobra.Command, a objective.Axis) {
	if s.axes == nil {
		s.axes = map[string]*string{}
	}
	s.axes[a.Name] = cmd.Flags().String(a.Name, "", a.Usage)
}

// asks reports whether a flag of one of some groups of axes has a value other than the default.
func (s *subject) asks(groups ...string) bool {
	return slices.ContainsFunc(objective.Axes, func(a objective.Axis) bool {
		text := s.axes[a.Name]
		return slices.Contains(groups, a.Group) && text != nil && *text != "" && *text != objective.AllToAll
	})
}

// readAxes returns a problem with what the flags of some groups of axes say. Its size is not compared with them.
func (s *subject) readAxes(ctx context.Context, p objective.Problem, groups ...string) (objective.Problem, error) {
	for _, a := range objective.Axes {
		if !slices.Contains(groups, a.Group) || s.axes[a.Name] == nil || *s.axes[a.Name] == "" {
			continue
		}
		text := *s.axes[a.Name]
		var err error
		switch {
		case a.Name == "traffic" && s.asksMatrix() && !s.matrices:
			err = core.Invalid(text, "this command does not take a traffic matrix")
		default:
			switch {
			case a.Name == "traffic":
				text, err = s.trafficText(ctx, p.Torus(), text)
			case a.TakesNodes(p):
				text, err = nodesOf(ctx, p.Torus(), text)
			case a.Name == "fixed" && s.asksMatrix() && !p.Torus().HasDimensions():
				text, err = tasksByNumber(p.Torus(), text)
			}
			if err == nil {
				p, err = a.Read(p, text)
			}
		}
		if err != nil {
			return p, cli.InFlag(a.Name, err)
		}
	}
	if least, most := p.Sizes(); p.Conditioned() && least > most && p.Forbidden.Count() == p.Torus().N() {
		return p, cli.Errorf("--forbidden: all nodes of %s are forbidden", p.Torus())
	}
	return p, nil
}

// conditions returns the problem that --fixed and --forbidden ask about, to which a placement must keep.
func (s *subject) conditions(ctx context.Context, p core.Placement) (objective.Problem, error) {
	t := p.Torus()
	asked, err := s.readAxes(ctx, objective.Problem{Routing: routing.NewMinimal(t, routing.TieBoth)},
		objective.GroupConditions)
	if err != nil {
		return asked, err
	}
	processors := p.Set()
	for v := range t.N() {
		switch node := objective.NodesText(t, []int{v}); {
		case asked.MustHave(v) && !processors.Has(v):
			return asked, cli.Errorf("--fixed %s: the placement has no processor there", node)
		case !asked.MayHave(v) && processors.Has(v):
			return asked, cli.Errorf("--forbidden %s: the placement has a processor there", node)
		}
	}
	return asked, nil
}

// nodesOf returns the nodes of a list, of a placement, or of the file of the form @file.json, as a list.
func nodesOf(ctx context.Context, t *core.Torus, text string) (string, error) {
	if name, isFile := strings.CutPrefix(text, "@"); isFile {
		p, err := disk.ReadPlacementFile(ctx, name, t)
		return objective.NodesText(t, p.Nodes()), err
	}
	nodes, err := family.ParseNodes(t, text)
	return objective.NodesText(t, nodes), err
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

// where returns the text of --torus, --mesh or --network, "" if none is given.
func (s *subject) where() string { return s.torusText + s.meshText + s.networkText }

// read reads those of --torus, --routing and --placement that are named, after looking for those that are missing. A
// routing must have paths for all pairs of a placement that is read with it.
func (s *subject) read(ctx context.Context, names ...string) error {
	err := s.missing(names...)
	if err == nil {
		err = s.readTorus(ctx)
	}
	if err == nil && slices.Contains(names, "routing") {
		err = s.readRouting(ctx)
	}
	if err != nil || !slices.Contains(names, "placement") {
		return err
	}
	if s.asksMatrix() {
		s.placed, err = s.readTasks(ctx)
	} else if name, isFile := strings.CutPrefix(s.placementText, "@"); isFile {
		s.placed, err = disk.ReadPlacementFile(ctx, name, s.network)
	} else {
		s.placed, err = family.Parse(s.network, s.placementText)
	}
	if err == nil && s.chosen != nil {
		return cli.InFlag("routing", routing.Covers(s.chosen, s.placed))
	}
	return cli.InFlag("placement", err)
}

func (s *subject) readTorus(ctx context.Context) (err error) {
	flag, text, parse := "torus", s.torusText, core.ParseNetwork
	switch where := s.where(); {
	case where != s.torusText && where != s.meshText && where != s.networkText:
		return cli.Errorf("--torus, --mesh and --network all say what the network is: give one of them").
			Hinted("a torus with open dimensions is written as --torus 8x8:open=1")
	case s.meshText != "":
		flag, text, parse = "mesh", s.meshText, texts.ParseMesh
	case s.networkText != "":
		flag, text = "network", s.networkText
		if name, isFile := strings.CutPrefix(text, "@"); isFile {
			parse = func(string) (*core.Network, error) { return graphs.ReadFile(ctx, name) }
		}
	}
	if s.network, err = parse(text); err == nil {
		err = s.admit(s.network)
	}
	return cli.InFlag(flag, err)
}

// readRouting reads --routing, opening the table of the form @file.json.
func (s *subject) readRouting(ctx context.Context) (err error) {
	if name, isFile := strings.CutPrefix(s.routingText, "@"); isFile {
		s.chosen, err = disk.ReadTableFile(ctx, name, s.network)
	} else {
		s.chosen, err = routing.Parse(s.network, s.routingText)
	}
	return cli.InFlag("routing", err)
}

// admit refuses a torus or network that the command does not treat.
func (s *subject) admit(t *core.Torus) error {
	switch {
	case !s.anyGraph && !t.HasDimensions():
		return cli.Errorf("%s: this command needs a network with dimensions, not one from a list of links",
			t.Title()).Hinted("commands that do not: leeway bisect, leeway bound, leeway draw, leeway eval, " +
			"leeway exchange, leeway explain, leeway export, leeway faults, leeway prove, leeway search")
	case s.onlyPlain && !t.Plain():
		return cli.Errorf("%s: wormhole routing is for plain tori, without open dimensions, bandwidths and "+
			"twists", t.Title()).Hinted("--model all-port takes any network, " +
			"store-and-forward any without bandwidths and twists")
	case s.mostNodes > 0 && t.N() > s.mostNodes:
		return cli.Errorf("%s has %d nodes; this command takes at most %d", t, t.N(), s.mostNodes)
	case s.mostLinks > 0 && t.M() > s.mostLinks:
		return cli.Errorf("%s has %d links; this command takes at most %d", t, t.M(), s.mostLinks)
	}
	return nil
}

// placedProblem reads a placement and its problem, with routing and traffic, from a record, the first of files, or from
// the flags if files is empty.
func (s *subject) placedProblem(ctx context.Context, files []string) (q objective.Problem, p core.Placement,
	err error) {
	if len(files) == 0 {
		if err = s.read(ctx, "torus", "placement", "routing"); err == nil {
			q, err = s.loadProblem(ctx, s.chosen)
		}
		if err == nil {
			err = work.EnoughToEvaluate(s.chosen, s.placed)
		}
		return q, s.placed, err
	}
	file := files[0]
	switch {
	case s.where()+s.placementText+s.routingText+s.sizeText != "":
		return q, p, cli.Errorf("%s: a record says itself which torus, placement and routing it is about", file).
			Hinted("omit --torus, --mesh, --placement, --size and --routing, or the record")
	case s.asks(objective.GroupTraffic):
		return q, p, cli.Errorf("%s: a record says itself which traffic it is about", file).
			Hinted("omit --traffic and --reply-routing, or the record")
	}
	if q, p, err = readPlaced(ctx, file); err == nil {
		err = s.admit(p.Torus())
	}
	if err != nil {
		return q, p, err
	}
	s.recorded, q.Terms = q.Terms, objective.Terms{Traffic: q.Traffic}
	return q, p, work.EnoughToEvaluate(q.Routing, p)
}

// readPlaced returns placement and problem of a record, or of an evaluation.
func readPlaced(ctx context.Context, file string) (objective.Problem, core.Placement, error) {
	data, err := disk.ReadFile(ctx, file)
	if err != nil {
		return objective.Problem{}, core.Placement{}, err
	}
	record, err := compose.ReadPlaced(data)
	if err != nil {
		return objective.Problem{}, core.Placement{}, results.InFile(err, file)
	}
	q, p, err := compose.Instance(record)
	if err != nil {
		err = fmt.Errorf("%s: %w", file, err)
	}
	return q, p, err
}

// loadProblem returns the problem that says the loads of the placement that was read under a routing.
func (s *subject) loadProblem(ctx context.Context, r routing.Routing) (objective.Problem, error) {
	s.matrices = true
	q, err := s.readAxes(ctx, objective.Problem{Routing: r, Size: s.placed.Size()}, objective.GroupTraffic)
	if err == nil && q.Traffic.Matrix != nil {
		if problem := q.Refusal(s.placed); problem != "" {
			err = cli.InFlag("placement", core.Invalid(s.placementText, "%s", problem).Hinted(tasksHint))
		}
	}
	return q, err
}

// placedProblemUnder is placedProblem with a function that returns the routing if neither a record nor --routing says
// it. A reply routing alone is refused then.
func (s *subject) placedProblemUnder(ctx context.Context, files []string, other func(t *core.Torus) routing.Routing) (
	q objective.Problem, p core.Placement, err error) {
	if len(files) > 0 || s.routingText != "" {
		return s.placedProblem(ctx, files)
	}
	if err = s.read(ctx, "torus", "placement"); err == nil && s.axes["reply-routing"] != nil &&
		*s.axes["reply-routing"] != "" {
		err = cli.Errorf("--reply-routing %q: --routing is missing", *s.axes["reply-routing"]).
			Hinted("without both, requests and replies go by the same routing")
	}
	if err == nil {
		q, err = s.loadProblem(ctx, other(s.network))
	}
	return q, s.placed, err
}

// givenPlacement reads the placement alone, of a record or of the flags.
func (s *subject) givenPlacement(ctx context.Context, files []string) (core.Placement, error) {
	if len(files) == 0 {
		err := s.read(ctx, "torus", "placement")
		return s.placed, err
	}
	_, p, err := s.placedProblem(ctx, files)
	return p, err
}

// problems reads --torus, --routing and --size, one number or a range.
func (s *subject) problems(ctx context.Context) ([]objective.Problem, error) {
	names := []string{"torus", "size", "routing"}
	if s.limit != nil || s.asksMatrix() {
		names = []string{"torus", "routing"}
	}
	if err := s.read(ctx, names...); err != nil {
		return nil, err
	}
	if err := routing.Complete(s.chosen); err != nil {
		return nil, cli.InFlag("routing", err)
	}
	base, err := s.readAxes(ctx, objective.Problem{Routing: s.chosen, Limit: s.limit}, objective.GroupTraffic,
		objective.GroupConditions, objective.GroupRadius)
	switch {
	case err != nil || s.limit != nil:
		return []objective.Problem{base}, err
	case base.Traffic.Matrix != nil && s.sizeText != "":
		return nil, cli.Errorf("--size does not go with a traffic matrix, which has its tasks").Hinted("omit --size")
	case base.Traffic.Matrix != nil:
		return []objective.Problem{base}, cli.InFlag("traffic", base.CheckRoom())
	}
	least, most, err := texts.ParseSizes(s.network, s.sizeText)
	if err != nil {
		return nil, cli.InFlag("size", err)
	}
	if _, err := base.WithSize(s.network.N()).WithNear(objective.Near{Radius: base.Radius}); err != nil {
		return nil, cli.InFlag("radius", err)
	}
	if _, err := base.WithSize(s.network.N()).WithNear(objective.Near{Distance: base.Distance}); err != nil {
		return nil, cli.InFlag("distance", err)
	}
	var list []objective.Problem
	for n := least; n <= most; n++ {
		p, err := base.WithSize(n).WithNodes(base.Fixed.Nodes(), base.Forbidden.Nodes())
		if err != nil {
			return nil, cli.InFlag("size", err)
		}
		if p, err = p.WithNear(base.Near); err != nil {
			return nil, cli.InFlag("size", err)
		}
		list = append(list, p)
	}
	return list, nil
}

// key returns the network that was read with traffic and conditions, as the keys of cells have them. A routing of the
// replies that is that of --routing is not in them.
func (s *subject) key(ctx context.Context) (string, error) {
	p := objective.Problem{Routing: routing.NewUDR(s.network, routing.TieBoth)}
	var err error
	if s.asks(objective.GroupTraffic) && s.routingText != "" {
		err = s.readRouting(ctx)
		p.Routing = s.chosen
	}
	if err == nil {
		p, err = s.readAxes(ctx, p, objective.GroupTraffic, objective.GroupConditions)
	}
	return p.Where(), err
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
	seed        uint64
	time        time.Duration // 0: not given
	evaluations int64
	workers     int
}

func (e *effort) register(cmd *cobra.Command) {
	e.seed = 1
	addFlags(cmd, []flag{
		{&e.seed, "seed", "seed of all random choices"},
		{&e.time, "time", "time to spend on each problem: 90s, 5m, 8h"},
		{&e.evaluations, "evaluations", "placements to evaluate for each problem; makes a run repeatable"},
	}...)
	cli.WorkersFlag(cmd, &e.workers, "; with --evaluations the result does not depend on them")
}

// read validates the flags. A budget without time and evaluations gets a standard time, 0 for no limit.
func (e *effort) read(cmd *cobra.Command, standard time.Duration) (work.Budget, error) {
	b := work.Budget{Seed: e.seed, Time: e.time, Evaluations: e.evaluations}
	if e.time == 0 && e.evaluations == 0 {
		b.Time = standard
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
	known   []string // what may be used: none, the atlas, files
	out     string
	inStore bool // a store holds the records: no file is made up for them
}

func (q *question) register(cmd *cobra.Command) {
	q.mostNodes = manyNodes
	q.flags(cmd, "torus", "network", "size", "routing", "traffic", "conditions", "radius", "json")
	q.effort.register(cmd)
	cmd.Flags().StringSliceVar(&q.known, "known", []string{knownAtlas},
		"where to start from: atlas, the one of the program; none; or records and answers to --below, of smaller sizes or "+
			"of routings with the same loads, whose proofs may be used; may be given several times")
	addFlags(cmd, flag{&q.out, "out",
		"file for the record (default: a new file named after the problem, none with --json)"})
}

// Words that --known takes beside files.
const (
	knownAtlas = "atlas"
	knownNone  = "none"
)

// readKnown has a session use what --known names.
func (q *question) readKnown(ctx context.Context, s *work.Session) error {
	s.Known = &work.Known{}
	for _, name := range q.known {
		switch {
		case name == knownNone && len(q.known) > 1:
			return cli.Errorf("--known %s: none excludes other values", strings.Join(q.known, ","))
		case name == knownAtlas:
			s.Atlas = atlas.ShippedOf
		case name != knownNone:
			if err := s.Known.ReadFile(ctx, name, q.workers); err != nil {
				return cli.InFlag("known", err)
			}
		}
	}
	return nil
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
		err = cli.Errorf("--out %q: one file cannot hold the records of %d sizes; omit --out and each gets a file of "+
			"its own", q.out, len(list))
	case q.out != "":
		err = disk.CheckTarget(q.out)
	case !asksJSON(cmd):
		err = disk.CheckTarget(work.RecordBase(list[0], list[0].Size, b.Seed) + ".json")
	}
	return list, b, err
}

// allPaths is the routing under which a search with a free routing looks for placements to begin with.
const allPaths = "udr:tie=both"

// command returns a command with its use, what it does in a line, and the arguments that it takes (nil: any). Its help
// is in docs/reference.md.
func command(use, short string, args cobra.PositionalArgs, run func(cmd *cobra.Command,
	args []string) error) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, Args: args, RunE: run}
}

// A flag is one of a command: a pointer to its value, which has the default, its name, and what it is for.
type flag struct {
	to          any
	name, usage string
}

// addFlags adds flags to a command. It panics if a value is of another type than the cases have.
func addFlags(cmd *cobra.Command, list ...flag) {
	flags := cmd.Flags()
	for _, f := range list {
		switch to := f.to.(type) {
		case *string:
			flags.StringVar(to, f.name, *to, f.usage)
		case *bool:
			flags.BoolVar(to, f.name, *to, f.usage)
		case *int:
			flags.IntVar(to, f.name, *to, f.usage)
		case *int64:
			flags.Int64Var(to, f.name, *to, f.usage)
		case *uint64:
			flags.Uint64Var(to, f.name, *to, f.usage)
		case *[]string:
			flags.StringArrayVar(to, f.name, *to, f.usage)
		case *time.Duration:
			cli.TimeFlag(flags, to, f.name, f.usage)
		default:
			panic("leeway: no flag has the type of --" + f.name)
		}
	}
}
