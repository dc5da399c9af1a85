package check

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"time"

	"leeway/core"
	"leeway/core/labels"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results"
	"leeway/results/check/kernel"
	"leeway/results/check/meter"
)

// record returns the verdict about the record that data spells. Everything is recomputed and every fault is listed, not
// only the first. Cost: that of the naive evaluator, plus that of the proof.
func record(data []byte, verify *verifier) Verdict {
	m := verify.meter
	var r results.Record
	var err error
	m.Foreign(ReadingSteps(data), func() { r, err = results.ReadRecord(data) })
	if err != nil {
		return Undecided(err)
	}
	c := &checker{record: r, proof: Absent, verifier: verify, meter: m}
	if ended := m.Run(func() { err = c.run() }); ended != nil {
		err = ended
	}
	switch {
	case err != nil && len(c.faults) == 0:
		v := Undecided(err)
		if r.Proof == nil {
			v.ProofVerdict = Absent
		}
		return v
	case err != nil: // what was found before stays wrong
		c.note("%v", err)
		if IsLimit(err) && r.Proof != nil && c.proof == Absent {
			c.proof = Limit
		}
	}
	for _, text := range verify.notes {
		c.note("%s", text)
	}
	v := Verdict{Verdict: Valid, ProofVerdict: c.proof, Reasons: append(c.faults, c.notes...)}
	if len(c.faults) > 0 {
		v.Verdict = Wrong
	}
	if v.Reasons == nil {
		v.Reasons = []string{} // a list is never null
	}
	return v
}

// A checker gathers what is wrong with one record.
type checker struct {
	assigned  *objective.Problem // that of a matrix; nil: the record is about a placement
	record    results.Record
	torus     *core.Torus
	routing   routing.Routing
	free      *routing.Free // what routing was chosen from; nil: it was given
	placement core.Placement
	terms     objective.Terms
	maxLoad   *big.Rat // as claimed; nil if it is not a fraction
	proof     string
	placed    *kernel.Result // by the proof, nil if it lists no placements
	verifier  *verifier
	meter     *meter.Meter
	faults    []string
	notes     []string
}

func (c *checker) fault(format string, args ...any) {
	c.faults = append(c.faults, fmt.Sprintf(format, args...))
}

func (c *checker) note(format string, args ...any) {
	c.notes = append(c.notes, "note: "+fmt.Sprintf(format, args...))
}

// run checks the parts, each as far as those before let it. An error means that the record is too large to be
// recomputed.
func (c *checker) run() error {
	c.maxLoad = c.fraction("max_load", c.record.MaxLoad)
	c.checkText()
	if !c.checkProblem() {
		if c.record.Proof != nil {
			c.proofFault("it is about no problem")
		}
		return nil
	}
	if c.assigned != nil {
		c.checkAssigned()
		return nil
	}
	if c.checkNodes() {
		c.checkChoice()
		if err := c.checkLoad(); err != nil {
			return err
		}
		c.checkDistance()
	}
	if err := c.checkBaseline(); err != nil {
		return err
	}
	if err := c.checkOptimality(); err != nil {
		return err
	}
	c.checkCertificate()
	c.checkUpper()
	if len(c.faults) == 0 && c.free == nil {
		c.checkOptima()
	}
	return nil
}

// checkAssigned has a record about an assignment of tasks checked.
func (c *checker) checkAssigned() {
	if c.verifier.options.Assigned == nil {
		c.fault("this checker reads no assignments of tasks")
		return
	}
	faults, ofProof := c.verifier.options.Assigned(c.meter, *c.assigned, c.record)
	c.faults = append(c.faults, faults...)
	for _, problem := range ofProof {
		c.proofFault("%s", problem)
	}
	if c.record.Proof != nil && len(c.faults) == 0 {
		c.proof = Verified
	}
}

// fraction reads a fraction of the record, nil if the text is not one.
func (c *checker) fraction(name, text string) *big.Rat {
	v, err := results.ParseFraction(text)
	switch {
	case err != nil:
		c.fault("%s: %v", name, err)
		return nil
	case v.Sign() < 0:
		c.fault("%s %s is below 0", name, text)
		return nil
	}
	return v
}

// checkText checks what stands for itself.
func (c *checker) checkText() {
	r := c.record
	if want := r.Hash(); r.ClaimSHA256 != want {
		c.fault("claim_sha256 is %q, the claim has %s", r.ClaimSHA256, want)
	}
	if cell := labels.Cell(r.Where(), cmp.Or(r.RoutingChoice, r.Routing), r.Size); r.Label != "" {
		if own, _, ok := labels.Split(r.Label); !ok || own != cell {
			c.fault("label is %q, the record is about %s", results.Shorten(r.Label), cell)
		}
	}
	if started, err := time.Parse(time.RFC3339, r.Started); err != nil || started.Location() != time.UTC {
		c.fault("started %q is not a time in RFC 3339, UTC", r.Started)
	}
	if r.Status != results.StatusOptimal && r.Status != results.StatusFeasible {
		c.fault("status %q is neither optimal nor feasible", r.Status)
	}
	c.checkClaims()
	if f := r.FoundBy; f.Evaluations < 0 || f.Seconds < 0 {
		c.fault("found_by has %d evaluations in %v seconds: neither can be below 0", f.Evaluations, f.Seconds)
	}
	if e := r.Budget.Evaluations; e != nil && *e < 0 {
		c.fault("budget evaluations %d is below 0", *e)
	}
	if text := r.Budget.Time; text != nil {
		if d, err := time.ParseDuration(*text); err != nil || d < 0 {
			c.fault("budget time %q is not a time of at least 0, such as 90s", *text)
		}
	}
}

// checkClaims checks what engines say without a proof: it must not contradict the record, and stays their word.
func (c *checker) checkClaims() {
	if s := c.record.SolverClaim; s != nil {
		problem, note := solverClaim(*s, c.maxLoad)
		if problem != "" {
			c.fault("%s", problem)
		}
		c.note("%s", note)
	}
	if s := c.record.SymmetryClaim; s != nil {
		c.fraction("symmetry_claim below", s.Below)
		switch {
		case s.Order < 1:
			c.fault("symmetry_claim order %d is below 1", s.Order)
		case s.Nodes < 0:
			c.fault("symmetry_claim nodes %d is below 0", s.Nodes)
		}
		c.note("symmetry_claim is not checked: it is the word of the engine %q", s.Engine)
	}
}

// solverClaim says what is wrong with the word of a solver that no placement has E_max below a value, where one has the
// given load (nil: none is known), and in any case that it is not checked.
func solverClaim(s results.SolverClaim, load *big.Rat) (problem, note string) {
	note = fmt.Sprintf("solver_claim is not checked: it is the word of the engine %q", s.Engine)
	switch below, err := results.ParseFraction(s.Below); {
	case err != nil:
		problem = "solver_claim below: " + err.Error()
	case below.Sign() < 0:
		problem = fmt.Sprintf("solver_claim below %s is below 0", s.Below)
	case load != nil && load.Cmp(below) < 0:
		problem = fmt.Sprintf("solver_claim: the placement has E_max %s, so it is not so that none is below %s",
			load.RatString(), s.Below)
	}
	return problem, note
}

// checkProblem reads torus and routing and reports whether both exist.
func (c *checker) checkProblem() bool {
	var err error
	if c.torus, err = c.record.ReadGrid(); err != nil {
		c.fault("torus: %v", err)
		return false
	}
	if c.routing, err = c.meter.ReadRouting(c.record, c.torus); err != nil {
		c.fault("routing: %v", err)
		return false
	}
	if !c.readChoice() {
		return false
	}
	if canonical := c.routing.String(); canonical != c.record.Routing {
		c.fault("routing %q is not in canonical form, which is %q", c.record.Routing, canonical)
	}
	p, problem := Setting(objective.Problem{Routing: c.routing, Free: c.free, Size: c.record.Size}, c.record.Setting)
	if problem != "" {
		c.fault("%s", problem)
		return false
	}
	c.terms = p.Terms
	if p.Traffic.Matrix != nil {
		c.assigned = &p
	} else if c.record.Assignment != nil {
		c.fault("an assignment belongs to a matrix")
	}
	if c.verifier != nil {
		c.verifier.terms = p.Terms
	}
	return true
}

// problem returns routing and traffic of the record.
func (c *checker) problem() objective.Problem {
	return objective.Problem{Routing: c.routing, Terms: objective.Terms{Traffic: c.terms.Traffic}}
}

// checkNodes reports whether the nodes form a placement of the stated size on the torus.
func (c *checker) checkNodes() bool {
	nodes := c.record.Nodes
	if c.record.Size != len(nodes) {
		c.fault("size is %d, but there are %d nodes", c.record.Size, len(nodes))
	}
	for i := 1; i < len(nodes); i++ {
		switch order := slices.Compare(nodes[i-1], nodes[i]); {
		case order > 0:
			c.fault("nodes are not sorted: %s stands before %s", core.JoinInts(nodes[i-1], ","), core.JoinInts(nodes[i], ","))
		case order == 0:
			c.fault("node %s stands twice", core.JoinInts(nodes[i], ","))
		}
	}
	p, err := core.PlacementFromCoords(c.torus, nodes)
	if err != nil {
		c.fault("nodes: %v", err)
		return false
	}
	if problem := Broken(c.terms, p); problem != "" {
		c.fault("nodes: %s", problem)
	}
	c.placement = p
	return c.record.Size == len(nodes)
}

// checkLoad recomputes E_max.
func (c *checker) checkLoad() error {
	most, note, err := MaxLoad(c.meter, c.problem(), c.placement)
	if err != nil {
		return err
	}
	if note != "" {
		c.note("%s", note)
	}
	if c.maxLoad != nil && most.Cmp(c.maxLoad) != 0 {
		c.fault("max_load is %s, recomputed it is %s", c.record.MaxLoad, most.RatString())
	}
	return nil
}

// checkDistance recomputes the mean distance and reads the second key of the search.
func (c *checker) checkDistance() {
	r := c.record
	if r.Then != "" && (r.Then != results.ThenDistance || r.MeanDistance == "") {
		c.fault("then is %q: the only second key is %q, with mean_distance", r.Then, results.ThenDistance)
	}
	if r.MeanDistance == "" {
		return
	}
	if !c.terms.Traffic.Clients() {
		c.fault("mean_distance and then are for client traffic")
		return
	}
	total := int64(0)
	c.meter.ChargeAll(4, c.torus.D(), c.torus.N(), c.placement.Size())
	for _, v := range c.placement.Nodes() {
		for w := range c.torus.N() {
			total += int64(c.torus.LeeDistance(v, w))
		}
	}
	pairs := int64(c.placement.Size()) * int64(c.torus.N()-1)
	claimed := c.fraction("mean_distance", r.MeanDistance)
	if claimed == nil || pairs == 0 {
		return
	}
	if mean := big.NewRat(total, pairs); mean.Cmp(claimed) != 0 {
		c.fault("mean_distance is %s, recomputed it is %s", r.MeanDistance, mean.RatString())
	}
}

// readChoice reads from which restrictions the table of the record was chosen, if it was, and reports whether that can
// be read.
func (c *checker) readChoice() bool {
	if c.record.RoutingChoice == "" {
		return true
	}
	f, free, err := routing.FreeOn(c.torus, c.record.RoutingChoice)
	_, table := c.routing.(*routing.Table)
	switch {
	case err != nil:
		c.fault("routing_choice: %v", err)
	case !free:
		c.fault("routing_choice %q is no free routing", c.record.RoutingChoice)
	case !table:
		c.fault("routing_choice is %q, but the routing is not a table", c.record.RoutingChoice)
	default:
		if c.record.Optima != nil || c.record.Orbits != nil || c.record.Labelled != nil || c.record.OptimaOrbits != nil {
			c.fault("optima, orbits and labelled_count are counted for a given routing only")
		}
		c.free = &f
		if c.verifier != nil {
			c.verifier.free = &f
		}
		return true
	}
	return false
}

// checkChoice sees that the table leaves every ordered pair of processors as many paths as it must.
func (c *checker) checkChoice() {
	table, ok := c.routing.(*routing.Table)
	if c.free == nil || !ok || c.uncovered(table) {
		return // checkLoad says which pair has no paths
	}
	all := routing.NewUDR(c.torus, routing.TieBoth)
	available := map[int]int{} // by how the ends lie apart
	for _, from := range c.placement.Nodes() {
		c.meter.Charge(int64(c.placement.Size()))
		for _, to := range c.placement.Nodes() {
			if from == to {
				continue
			}
			v := meter.Apart(c.torus, from, to)
			if available[v] == 0 {
				for range c.meter.Paths(all, 0, v, nil) {
					available[v]++
				}
			}
			if have := len(table.Choices(from, to)); !c.free.Allows(have, available[v]) {
				c.fault("the pair %s to %s has %d of %d paths, against routing_choice %s",
					core.JoinInts(c.torus.Coords(from), ","), core.JoinInts(c.torus.Coords(to), ","), have, available[v], c.free)
				return
			}
		}
	}
}

// uncovered reports whether a table misses a pair of processors.
func (c *checker) uncovered(table *routing.Table) bool {
	c.meter.ChargeAll(c.placement.Size(), c.placement.Size())
	return routing.Covers(table, c.placement) != nil
}

// maxSureBaseline is the most nodes of a torus on which every search evaluates the baseline, however little
// time it has.
const maxSureBaseline = 1024

// checkBaseline recomputes the baseline and its E_max: the linear placement of the same size, or the multiple linear
// one, with all coefficients 1. Where the routing does not cover it, as a table by pair that was made for one
// placement, or the conditions do not admit it, there is none.
func (c *checker) checkBaseline() error {
	have := c.record.Baseline
	c.meter.ChargeAll(2, c.torus.N())
	name, p := baselineOf(c.torus, c.record.Size)
	if name != "" {
		c.meter.ChargeAll(p.Size(), p.Size())
		if routing.Covers(c.routing, p) != nil || Broken(c.terms, p) != "" {
			name = ""
		}
	}
	switch {
	case name == "" && have != nil:
		c.fault("baseline is %q, but no linear or multilinear placement has %d processors on %s that the "+
			"routing covers and the conditions admit", have.Placement, c.record.Size, c.torus)
		return nil
	case name == "":
		return nil
	case have == nil && c.record.Budget.Time != nil && c.torus.N() > maxSureBaseline: // it may not have been over in time
		c.note("baseline is not there: it would be %s", name)
		return nil
	case have == nil:
		c.fault("baseline is missing: it should be %q", name)
		return nil
	case have.Placement != name:
		c.fault("baseline placement is %q, it should be %q", have.Placement, name)
		return nil
	}
	most, _, err := MaxLoad(c.meter, c.problem(), p)
	if err != nil {
		return err
	}
	if claimed := c.fraction("baseline max_load", have.MaxLoad); claimed != nil && claimed.Cmp(most) != 0 {
		c.fault("baseline max_load is %s, recomputed it is %s", have.MaxLoad, most.RatString())
	}
	return nil
}

// baselineOf returns the baseline with n processors and its text, "" if there is none: sides must be equal and n a
// multiple t k^(d-1), 1 <= t <= k. It consists of the nodes whose coordinates add up to less than t, modulo k.
func baselineOf(t *core.Torus, n int) (string, core.Placement) {
	k, common := t.Common()
	if !common || n < 1 || n > t.N() || n%(t.N()/k) != 0 {
		return "", core.Placement{}
	}
	times := n / (t.N() / k)
	var nodes []int
	for v := range t.N() {
		sum := 0
		for j := range t.D() {
			sum += t.Coord(v, j)
		}
		if sum%k < times {
			nodes = append(nodes, v)
		}
	}
	p := core.MustPlacement(t, nodes)
	if times == 1 {
		return "linear", p
	}
	return fmt.Sprintf("multilinear:t=%d", times), p
}
