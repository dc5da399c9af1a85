package main

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"leeway/cmd/work"
	"leeway/core"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results"
)

// subject holds the flags that say what a command is about.
type subject struct {
	torusText, placementText, routingText, sizeText string
	chosen                                          routing.Routing // what routing read, nil before
	mostNodes                                       int             // that the command treats; 0: all that a torus may have
}

// manyNodes is the limit of commands that keep tables over the links of a torus.
const manyNodes = 1 << 20

const (
	torusUsage     = "sides of the torus: 8x8, 4x6x3, 30, or 8^3 for 8x8x8"
	placementUsage = "placement: full, linear, multilinear:t=2, spaced:t=2, residues:c=1,1:m=8:r=0,4, random:n=16:seed=7, nodes:0,0+1,3 or @file.json"
	routingUsage   = "routing: odr, odr:order=1,0, udr, orders:01+10, avoid or minimal, each with :tie=plus or :tie=both, or @table.json"
	sizeUsage      = "number of processors, or a range A..B"
)

func (s *subject) torusFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.torusText, "torus", "", torusUsage)
}

func (s *subject) placementFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.placementText, "placement", "", placementUsage)
}

func (s *subject) routingFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.routingText, "routing", "", routingUsage)
}

func (s *subject) sizeFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.sizeText, "size", "", sizeUsage)
}

// torus reads --torus.
func (s *subject) torus() (*core.Torus, error) {
	if s.torusText == "" {
		return nil, usagef("the flag --torus is missing")
	}
	t, err := core.ParseTorus(s.torusText)
	if err == nil && s.mostNodes > 0 && t.N() > s.mostNodes {
		return nil, usagef("--torus %s: %d nodes, more than the %d that this command treats", t, t.N(), s.mostNodes)
	}
	return t, inFlag("torus", err)
}

// routing reads --routing for t, opening the table of the form @file.json.
func (s *subject) routing(ctx context.Context, t *core.Torus) (routing.Routing, error) {
	if s.routingText == "" {
		return nil, usagef("the flag --routing is missing")
	}
	r, err := readRouting(ctx, t, s.routingText)
	s.chosen = r
	return r, inFlag("routing", err)
}

func readRouting(ctx context.Context, t *core.Torus, text string) (routing.Routing, error) {
	name, isFile := strings.CutPrefix(text, "@")
	if !isFile {
		return routing.Parse(t, text)
	}
	table, err := results.ReadTableFile(ctx, name, t)
	if err != nil {
		return nil, err // not the nil table, which is no nil routing
	}
	return table, nil
}

// placement reads --placement for t, opening the file of the form @file.json. If
// a routing was read before, it must have paths for all pairs.
func (s *subject) placement(ctx context.Context, t *core.Torus) (core.Placement, error) {
	p, err := s.anyPlacement(ctx, t)
	if err == nil && s.chosen != nil {
		err = inFlag("routing", routing.Covers(s.chosen, p))
	}
	return p, err
}

func (s *subject) anyPlacement(ctx context.Context, t *core.Torus) (core.Placement, error) {
	if s.placementText == "" {
		return core.Placement{}, usagef("the flag --placement is missing")
	}
	name, isFile := strings.CutPrefix(s.placementText, "@")
	if !isFile {
		p, err := family.Parse(t, s.placementText)
		return p, inFlag("placement", err)
	}
	p, err := results.ReadPlacementFile(ctx, name, t)
	return p, inFlag("placement", err)
}

// instance reads --torus, --routing and --placement.
func (s *subject) instance(ctx context.Context) (routing.Routing, core.Placement, error) {
	t, err := s.torus()
	if err != nil {
		return nil, core.Placement{}, err
	}
	r, err := s.routing(ctx, t)
	if err != nil {
		return nil, core.Placement{}, err
	}
	p, err := s.placement(ctx, t)
	if err == nil {
		err = work.Enough(t, "evaluating a placement under "+r.String(), work.EvaluationBytes(r, p.Size()))
	}
	return r, p, err
}

// sizes reads --size, one number or a range.
func (s *subject) sizes(t *core.Torus) ([]int, error) {
	if s.sizeText == "" {
		return nil, usagef("the flag --size is missing")
	}
	a, b, ok := readRange(s.sizeText)
	if !ok {
		return nil, usagef("--size %q: not a whole number or a range A..B", s.sizeText)
	}
	if a < 1 || b > t.N() || a > b {
		return nil, usagef("--size %q: sizes lie in 1..%d, the nodes of torus %s, a range from low to high", s.sizeText, t.N(), t)
	}
	var sizes []int
	for n := a; n <= b; n++ {
		sizes = append(sizes, n)
	}
	return sizes, nil
}

// readRange reads a whole number, or two as A..B.
func readRange(text string) (low, high int, ok bool) {
	first, last, isRange := strings.Cut(text, "..")
	if !isRange {
		last = first
	}
	low, errLow := strconv.Atoi(first)
	high, errHigh := strconv.Atoi(last)
	return low, high, errLow == nil && errHigh == nil
}

// problems reads --torus, --routing and --size.
func (s *subject) problems(ctx context.Context) ([]objective.Problem, error) {
	t, err := s.torus()
	if err != nil {
		return nil, err
	}
	r, err := s.routing(ctx, t)
	if err != nil {
		return nil, err
	}
	if err := routing.Complete(r); err != nil {
		return nil, inFlag("routing", err)
	}
	sizes, err := s.sizes(t)
	if err != nil {
		return nil, err
	}
	problems := make([]objective.Problem, len(sizes))
	for i, n := range sizes {
		if problems[i], err = objective.NewProblem(r, n); err != nil {
			return nil, inFlag("size", err)
		}
	}
	return problems, nil
}

// effort holds the flags that say how hard to look.
type effort struct {
	seedText    string
	timeText    string
	evaluations int64
	workers     int
	none        bool // no worker of its own is enough
}

func (e *effort) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&e.seedText, "seed", "1", "seed of all random choices")
	cmd.Flags().StringVar(&e.timeText, "time", "", "time to spend on each problem: 90s, 5m, 8h")
	cmd.Flags().Int64Var(&e.evaluations, "evaluations", 0, "placements to evaluate for each problem; makes a run repeatable")
	cmd.Flags().IntVarP(&e.workers, "workers", "j", runtime.NumCPU(), "workers; changes the speed, not the result of a run by evaluations")
}

// read validates the flags.
func (e *effort) read(cmd *cobra.Command) (work.Budget, error) {
	b := work.Budget{Evaluations: e.evaluations}
	var err error
	if b.Seed, err = strconv.ParseUint(e.seedText, 10, 64); err != nil {
		return b, usagef("--seed %q: not a whole number in 0..%d", e.seedText, uint64(math.MaxUint64))
	}
	if e.timeText != "" {
		if b.Time, err = readTime(e.timeText); err != nil {
			return b, err
		}
	}
	if cmd.Flags().Changed("evaluations") && b.Evaluations < 1 {
		return b, usagef("--evaluations %d: at least 1 is needed", b.Evaluations)
	}
	if e.workers < 1 && !(e.none && e.workers == 0) {
		return b, usagef("-j %d: at least 1 worker is needed", e.workers)
	}
	runtime.GOMAXPROCS(max(1, e.workers)) // methods and engines that run side by side share them
	return b, nil
}

// maxWorkers is the most workers of any command: more than most machines have cores, and few
// enough that what each of them keeps fits into memory.
const maxWorkers = 1024

// fewWorkers refuses a value of -j that is too large, of any command.
func fewWorkers(cmd *cobra.Command) error {
	n, err := cmd.Flags().GetInt("workers")
	if err != nil || n <= maxWorkers { // the error says that there is no such flag
		return nil
	}
	return &usageError{err: usagef("-j %d: at most %d workers", n, maxWorkers), hint: fmt.Sprintf("this machine has %d cores", runtime.NumCPU())}
}

// readTime reads the value of --time.
func readTime(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	switch {
	case err != nil:
		return 0, &usageError{err: fmt.Errorf("--time %q: not a time", text), hint: "write for instance 90s, 5m or 8h"}
	case d <= 0:
		return 0, usagef("--time %q: the time must be above 0", text)
	}
	return d, nil
}

// A question holds the flags that search and prove share: what is asked, how hard to look,
// and where the answers go.
type question struct {
	subject
	effort
	out    string
	asJSON bool
	// inStore says that a store holds the records: no file is made up for them.
	inStore bool
}

func (q *question) register(cmd *cobra.Command) {
	q.mostNodes = manyNodes
	q.torusFlag(cmd)
	q.sizeFlag(cmd)
	q.routingFlag(cmd)
	q.effort.register(cmd)
	cmd.Flags().StringVar(&q.out, "out", "", "file for the record (default: a new file named after the problem, none with --json)")
	cmd.Flags().BoolVar(&q.asJSON, "json", false, "print one JSON document")
}

// read validates everything before any work starts.
func (q *question) read(cmd *cobra.Command) ([]objective.Problem, work.Budget, error) {
	problems, err := q.problems(cmd.Context())
	if err != nil {
		return nil, work.Budget{}, err
	}
	b, err := q.effort.read(cmd)
	if err != nil {
		return nil, b, err
	}
	switch {
	case q.out != "" && len(problems) > 1:
		err = usagef("--out %q: one file cannot hold the records of %d sizes; leave --out away and each gets a file of its own", q.out, len(problems))
	case q.out != "":
		err = results.CheckTarget(q.out)
	case !q.asJSON:
		err = results.CheckTarget(recordBase(problems[0], b.Seed) + ".json")
	}
	return problems, b, err
}

// recordBase returns the name of a record file without its ending.
func recordBase(p objective.Problem, seed uint64) string {
	return fileBase(p.Torus(), p.Size, p.Routing.String(), seed)
}

// fileBase is recordBase for a routing in the words of the command line.
func fileBase(t *core.Torus, size int, routing string, seed uint64) string {
	r := strings.NewReplacer(":", "-", "=", "-", "+", "-", ",", "").Replace(routing)
	return fmt.Sprintf("leeway-%s-n%d-%s-seed%d", t, size, r, seed)
}

// allPaths is the routing under which placements to begin with are looked for.
const allPaths = "udr:tie=both"
