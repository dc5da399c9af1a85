// Package schedule answers questions about complete exchange: it makes a schedule, has the checker follow it, and
// writes the files that are asked for. It knows no flags and prints nothing; cmd/leeway/exchange.go does both.
package schedule

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"time"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/exchange"
	"leeway/objective/exchange/signals"
	"leeway/objective/exchange/steps"
	"leeway/objective/exchange/wormhole"
	"leeway/results"
	"leeway/results/check"
	"leeway/results/check/documents"
	"leeway/results/check/sat"
	"leeway/results/disk"
	"leeway/results/schedules"
	"leeway/search/fewest"
)

// The algorithms besides the plans for tori, which are ring, t1, c1, t4 and c64.
const (
	Auto    = "auto"
	Product = "product"
	Pack    = "pack"
	SAT     = "sat"
)

// Algorithms lists the names of all algorithms.
var Algorithms = []string{"t4", "t1", "c1", "c64", "ring", Product, Pack, SAT, Auto}

// ModelOf returns the model that an algorithm is for, "" for Auto and unknown ones.
func ModelOf(algorithm string) exchange.Model {
	switch algorithm {
	case Product, Pack, SAT:
		return exchange.StoreAndForward
	case "t4", "t1", "c1", "c64", "ring":
		return exchange.Wormhole
	}
	return ""
}

// MaxFollowed is the largest number of processors of which all blocks are followed or written.
const MaxFollowed = 1 << 12

// A Question asks for a schedule. Its parts must go together; what the torus or the sides rule out is found by
// Answer.
type Question struct {
	Torus     *core.Torus       // nil for a product of graphs
	Network   *steps.Network    // on which blocks move in steps; nil: wormhole routing
	Placement *core.Placement   // nil: all nodes
	Routing   routing.Routing   // of a placement, by wormhole routing or with all ports: nil for any paths
	Traffic   objective.Traffic // of a placement, with all ports
	Direct    bool              // of a placement, by wormhole routing: sends may turn
	Ranked    bool              // likewise: the fastest on the machine, not the one of least transmission
	Algorithm string            // of a placement by wormhole routing it does not matter
	Variant   *wormhole.Variant // of a plan: nil is the published one, and either with Auto
	Machine   wormhole.Machine
	Solver    Solver // of the algorithm SAT
	Sync      bool   // find barriers and signals
}

// A Solver says how the algorithm SAT looks for fewer steps.
type Solver struct {
	Program string        // the outside solver; "": the one that is built in
	Proof   string        // the file for its proof; "": it is checked and thrown away
	Time    time.Duration // 0: no limit
	Observe func(steps int)
}

// A PartError is an error about one part of a question: torus, graph, placement or sync.
type PartError struct {
	Part string
	Err  error
}

func (e *PartError) Error() string { return e.Part + " " + e.Err.Error() }

func (e *PartError) Unwrap() error { return e.Err }

// partError returns an error as one about a part, nil if there is none.
func partError(part string, err error) error {
	if err == nil {
		return nil
	}
	return &PartError{part, err}
}

// An Answer is a schedule with what is known about it.
type Answer struct {
	Document Document
	question Question
	schedule exchange.Schedule
	plan     *wormhole.Plan    // of a whole torus by wormhole routing, else nil
	packing  *wormhole.Packing // of a placement by wormhole routing, else nil
	least    int               // with a packing: a bound on the transmission besides those of the checker
	refuted  *refutation       // by a solver, nil if there is none
}

// A refutation is the word of a solver that one step less is impossible. Its proof lies in a folder of its own until
// it is checked.
type refutation struct{ engine, folder, proof string }

// Answer makes the schedule and checks it. Errors about the question are *PartError; others say that a schedule of
// this program is wrong, or that the context ended.
func (q Question) Answer(ctx context.Context) (*Answer, error) {
	a := &Answer{question: q, Document: Document{Schema: "leeway/exchange/1", Model: exchange.Wormhole}}
	d := &a.Document
	if q.Torus == nil {
		d.Graph = q.Network.String()
	} else {
		if q.Torus.HasDimensions() {
			d.Torus = q.Torus.Dims()
		}
		if !q.Torus.Plain() {
			d.Network, d.Title = q.Torus.String(), q.Torus.Title()
		}
	}
	if q.Placement != nil {
		size := q.Placement.Size()
		d.Processors = &size
	}
	var err error
	switch {
	case q.Network != nil:
		err = a.takeSteps(ctx)
	case q.Placement != nil:
		err = partError("placement", a.takePacking())
	default:
		err = partError("torus", a.takePlan())
	}
	if err == nil && q.Sync {
		var s signals.Sync
		s, err = signals.Synchronise(a.schedule)
		d.Sync, err = &s, partError("sync", err)
	}
	if err == nil {
		err = a.check(ctx)
	}
	return a, err
}

// takePlan makes the plan for the whole torus; with Auto the fastest that fits, of the variant if one is given.
func (a *Answer) takePlan() (err error) {
	q, d := a.question, &a.Document
	if q.Algorithm == Auto {
		r, err := wormhole.Rank(q.Torus, q.Machine)
		if err != nil {
			return err
		}
		a.plan = r.Best(func(s wormhole.Ranked) bool {
			return s.Plan != nil && (q.Variant == nil || s.Plan.Variant() == *q.Variant)
		}).Plan
		d.setRanking(r)
	} else {
		axes := map[string]int{"ring": 1, "c1": 3}[q.Algorithm] // 0: any number, or known to the plan
		if axes != 0 && axes != q.Torus.D() {
			return &core.InputError{Text: q.Torus.String(), Problem: fmt.Sprintf("%s is for tori with %s, this one has %d",
				q.Algorithm, map[int]string{1: "one axis", 3: "three axes"}[axes], q.Torus.D()),
				Hint: "t1 takes every torus, one axis after the other"}
		}
		make, variant := wormhole.ByAxes, wormhole.Published
		switch q.Algorithm {
		case "t4":
			make = wormhole.T4
		case "c64":
			make = wormhole.C64
		}
		if q.Variant != nil {
			variant = *q.Variant
		}
		if a.plan, err = make(q.Torus, variant); err != nil {
			return err
		}
	}
	a.schedule = a.plan.Schedule()
	cost := a.plan.Cost()
	d.Algorithm, d.Variant, d.Independent = a.plan.Name(), a.plan.Variant().String(), &cost.Independent
	a.setCost(cost.Startups, cost.Transmission)
	d.setBounds(exchange.WormholeBounds(q.Torus, core.Range(q.Torus.N())))
	return nil
}

// takePacking makes the exchange of a placement by wormhole routing: the packing, with sends that turn if these are
// allowed, or, if schedules are to be ranked, the fastest of all that there are. Its costs are those that the checker
// finds.
func (a *Answer) takePacking() error {
	q, d := a.question, &a.Document
	k, err := wormhole.Pack(q.Routing, *q.Placement)
	if err != nil {
		return err
	}
	a.packing, d.Algorithm, d.Routing = &k, Pack, q.Routing.String()
	d.DirectPhases, d.DirectLowerBound, d.DirectReason = &k.Phases, &k.LowerBound, k.Why
	best := wormhole.Ranked{Name: wormhole.RankedPacking}
	var relayed exchange.Schedule
	switch {
	case q.Ranked:
		relayed = k.Relayed()
		r := k.RankAmong(relayed, q.Machine, q.Direct)
		best = r.Best(func(s wormhole.Ranked) bool { return q.Direct || s.Name != wormhole.RankedDirect })
		d.setRanking(r)
	case q.Direct:
		best.Name = wormhole.RankedDirect
	default:
		relayed = k.Relayed()
	}
	switch {
	case best.Plan != nil:
		a.schedule, a.least = wormhole.Restrict(best.Plan.Schedule(), q.Placement.Nodes()), k.StraightBound()
		d.Algorithm, d.Variant = best.Plan.Name(), best.Variant()
	case best.Name == wormhole.RankedDirect:
		a.schedule, a.least = k.Direct, k.LowerBound
	default:
		a.schedule, a.least = relayed, k.RelayedBound()
	}
	return nil
}

// takeSteps makes a schedule in steps.
func (a *Answer) takeSteps(ctx context.Context) error {
	q, d := a.question, &a.Document
	name, p, err := q.stepPlan(ctx)
	if err != nil {
		return err
	}
	if q.Algorithm == SAT {
		name = SAT
		if p, err = a.lookForFewer(ctx, p); err != nil {
			return err
		}
	}
	a.schedule = p.Schedule
	bound := p.Bounds[0]
	if p.Optimal && bound.Name != steps.PathBound { // which a schedule alone does not show
		a.schedule.Proof = &exchange.Proof{Kind: exchange.ByBound, Engine: "bound", Below: p.Steps,
			Bound: bound.Name, Weights: bound.Weights}
	}
	d.Algorithm, d.Model, d.Steps, d.Latency = name, q.Network.Model(), &p.Steps, q.latency(p.Steps, p.Steps)
	d.LowerBound = map[string]int64{"steps": int64(bound.Steps)}
	d.BoundReason, d.Optimal, d.Proof, d.InvariantSteps = bound.Name, p.Optimal, a.schedule.Proof, p.Invariant
	if q.Routing != nil {
		d.Routing = q.Routing.String()
	}
	if !q.Traffic.ToAll() {
		d.Traffic, d.Unit, d.TrafficTitle = q.Traffic.String(), results.FormatFraction(q.Traffic.Unit()), q.Traffic.String()
		if m := q.Traffic.Matrix; m != nil {
			d.Traffic, d.MatrixSHA256, d.TrafficTitle = objective.MatrixTraffic, m.SHA256(), m.Title()
		}
	}
	for _, b := range p.Bounds {
		if b.Name == exchange.CongestionBound && d.LoadBound == "" {
			d.LoadBound = results.FormatFraction(new(big.Rat).Mul(b.Value, q.Traffic.Unit()))
		}
	}
	return nil
}

// stepPlan returns the schedule that is asked for with its algorithm; for Auto that of fewer steps, A2 among equals.
func (q Question) stepPlan(ctx context.Context) (string, *steps.Plan, error) {
	part, participants := "graph", []int(nil)
	if q.Torus != nil {
		part = "torus"
	}
	if q.Placement != nil {
		part, participants = "placement", q.Placement.Nodes()
	}
	switch {
	case q.Network.Model() == exchange.AllPort:
		placed := core.MustPlacement(q.Torus, core.Range(q.Torus.N()))
		if q.Placement != nil {
			placed = *q.Placement
		}
		p, err := steps.AllPort(ctx, q.Network, q.Traffic, placed, q.Routing)
		if err != nil {
			return "", nil, partError(part, err)
		}
		return p.Schedule.Name, p, nil
	case q.Placement != nil || q.Algorithm == Pack:
		p, err := steps.Pack(q.Network, participants)
		return Pack, p, partError(part, err)
	}
	p, err := steps.ProductA2(q.Network)
	if err != nil || q.Algorithm == Product || p.Optimal {
		return Product, p, partError(part, err)
	}
	if packed, err := steps.Pack(q.Network, nil); err == nil && packed.Steps < p.Steps {
		return Pack, packed, nil // too large to be packed is not a fault of the question
	}
	return Product, p, nil
}

// builtIn is the engine of the algorithm SAT without an outside solver.
const builtIn = "gini"

// lookForFewer returns a plan of fewer steps if a solver finds one, and keeps a refutation.
func (a *Answer) lookForFewer(ctx context.Context, p *steps.Plan) (*steps.Plan, error) {
	folder, err := os.MkdirTemp("", "leeway-exchange-")
	if err != nil {
		return nil, err
	}
	s, r := a.question.Solver, refutation{engine: builtIn, folder: folder}
	params := fewest.Params{Plan: p, Solver: fewest.Gini, Name: SAT, Observe: s.Observe}
	if s.Program != "" {
		r.engine, r.proof = filepath.Base(s.Program), filepath.Join(folder, "steps.lrat")
		params.Solver = fewest.External(s.Program, r.proof)
	}
	if s.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, s.Time)
		defer cancel()
	}
	out, err := fewest.Fewest(ctx, params)
	if err != nil || !out.Refuted {
		return out.Plan, errors.Join(err, os.RemoveAll(folder))
	}
	a.refuted = &r
	return out.Plan, nil
}

// processors returns how many nodes exchange.
func (a *Answer) processors() int {
	if a.schedule.Participants != nil {
		return len(a.schedule.Participants)
	}
	return a.schedule.Nodes()
}

// check fills in what a check of the schedule says: the checker follows all blocks, or, where these are too many, the
// plan those of one source of each translation class. It fails if the schedule is wrong, or when the context ends.
func (a *Answer) check(ctx context.Context) error {
	if a.processors() <= MaxFollowed {
		return a.checkAll(ctx)
	}
	sizes, err := a.plan.RunClasses()
	var tooLarge *core.InputError
	switch {
	case errors.As(err, &tooLarge):
		a.Document.CheckedBy = ByFormula
		return nil
	case err != nil:
		return err
	}
	total := 0
	for _, size := range sizes {
		total += size
	}
	return a.confirm(ByClasses, len(sizes), total)
}

// checkAll gives the schedule to the checker, and the direct packing too, whose phases are announced.
func (a *Answer) checkAll(ctx context.Context) error {
	if a.packing != nil && a.schedule.Name != a.packing.Direct.Name {
		s := a.packing.Direct
		if v := documents.Exchange(s.Head, schedules.WithContext(ctx, s.Phases)); ctx.Err() == nil &&
			(v.Verdict != check.Valid || v.Phases != a.packing.Phases) {
			return fmt.Errorf("the packing with sends that turn is wrong: %s", v.Reason)
		}
	}
	v := documents.Exchange(a.schedule.Head, schedules.WithContext(ctx, a.schedule.Phases))
	switch {
	case ctx.Err() != nil:
		return errors.New("stopped before the schedule was checked")
	case v.Verdict != check.Valid:
		return fmt.Errorf("the schedule %s is wrong: %s", a.schedule.Name, v.Reason)
	case a.packing != nil:
		a.setCost(v.Phases, int(v.Transmission))
		a.Document.setBounds(v.LowerBound.Phases, max(v.LowerBound.Transmission, int64(a.least)))
	}
	if p := a.schedule.Proof; p != nil {
		if problem := documents.NoFewerSteps(ctx, "", a.schedule.Head); problem != "" {
			return fmt.Errorf("that no schedule has fewer than %d steps is not confirmed: %s", p.Below, problem)
		}
	}
	return a.confirm(ByChecker, v.Phases, int(v.Transmission))
}

// confirm records that a check found the schedule right, with the figures announced.
func (a *Answer) confirm(by string, phases, transmission int) error {
	d := &a.Document
	wantPhases, wantTransmission := d.Startups, d.Transmission
	if d.Steps != nil {
		wantPhases, wantTransmission = d.Steps, d.Steps
	}
	if phases != *wantPhases || transmission != *wantTransmission {
		return fmt.Errorf("the schedule %s has %d phases and transmission %d, announced as %d and %d", a.schedule.Name,
			phases, transmission, *wantPhases, *wantTransmission)
	}
	yes := true
	d.Delivered, d.LinkDisjoint = &yes, &yes
	if d.Model != exchange.AllPort {
		d.OnePort = &yes
	}
	d.Simulated, d.CheckedBy = true, by
	return nil
}

// Finish checks the proof of a solver and gives it its place, then writes the files: the schedule, and the list of
// sends and receives of each rank; "" for none. Errors are those of writing files, a *PartError about ranks, and
// others that say which proof is wrong.
func (a *Answer) Finish(ctx context.Context, scheduleFile, ranksFile string) error {
	if err := a.settle(ctx); err != nil {
		return err
	}
	if a.Document.Status = results.StatusFeasible; a.Document.Optimal {
		a.Document.Status = results.StatusOptimal
	}
	if scheduleFile != "" {
		if err := schedules.WriteFile(scheduleFile, a.schedule.Head,
			schedules.WithContext(ctx, a.schedule.Phases)); err != nil {
			return err
		}
	}
	if ranksFile != "" {
		return schedules.WriteRanks(ranksFile, a.schedule.Head, schedules.WithContext(ctx, a.schedule.Phases))
	}
	return nil
}

// settle checks the proof of a solver and gives it its place, or notes that there is none.
func (a *Answer) settle(ctx context.Context) error {
	r, d := a.refuted, &a.Document
	if r == nil {
		return nil
	}
	defer os.RemoveAll(r.folder)
	if r.proof == "" {
		d.SolverClaim = &solverClaim{Engine: r.engine, Below: *d.Steps}
		return nil
	}
	data, err := os.ReadFile(r.proof)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(data)
	proof := &exchange.Proof{Kind: results.ProofUnsat, Engine: r.engine, Below: *d.Steps, Format: sat.FormatLRAT,
		File: filepath.Base(r.proof), SHA256: hex.EncodeToString(sum[:])}
	a.schedule.Proof, d.Proof = proof, proof
	if problem := documents.NoFewerSteps(ctx, r.folder, a.schedule.Head); problem != "" {
		if ctx.Err() != nil {
			return errors.New("stopped before the proof was checked")
		}
		return fmt.Errorf("the proof of %s that there are no %d steps is wrong: %s", r.engine, *d.Steps-1, problem)
	}
	d.LowerBound["steps"], d.BoundReason, d.Optimal = int64(*d.Steps), results.ProofUnsat, true
	proof.File = ""
	if target := a.question.Solver.Proof; target != "" {
		proof.File = filepath.Base(target)
		return disk.WriteFile(target, data)
	}
	return nil
}

// latency returns startups t_s + transmission b t_x as text.
func (q Question) latency(startups, transmission int) string {
	return q.Machine.Latency(big.NewInt(int64(startups)), big.NewInt(int64(transmission))).RatString()
}

// setCost sets what a schedule by wormhole routing costs.
func (a *Answer) setCost(startups, transmission int) {
	d := &a.Document
	d.Startups, d.Transmission, d.Latency = &startups, &transmission, a.question.latency(startups, transmission)
}
