package check

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/core/symmetry"
	"leeway/objective"
	"leeway/results"
	"leeway/results/check/bounds"
	"leeway/results/check/census"
	"leeway/results/check/kernel"
	"leeway/results/check/meter"
	"leeway/results/check/sat"
	"leeway/results/check/shares"
)

// checkProof verifies the proof, if there is one, and sets its verdict.
func (c *checker) checkProof() {
	p := c.record.Proof
	switch {
	case p == nil:
		return
	case c.maxLoad == nil:
		c.proofFault("max_load is not a fraction")
	case !c.sizeOnTorus():
		c.proofFault("the size does not fit the torus")
	case c.free != nil && p.Kind == results.ProofSteps && c.reaches(p):
		c.verifier.free = c.free
		q := objective.FreeProblem(c.torus, *c.free)
		if problem := c.verifier.problem(q.Routing, c.record.Size, c.maxLoad, p); problem != "" {
			c.proofFault("%s", problem)
		}
	case c.free != nil && c.reaches(p):
		if problem := freeProblem(c.meter, c.torus, *c.free, c.record.Size, c.conditions, c.maxLoad,
			p); problem != "" {
			c.proofFault("%s", problem)
		}
	case c.reaches(p):
		if problem := c.verifier.problem(c.routing, c.record.Size, c.maxLoad, p); problem != "" {
			c.proofFault("%s", problem)
		}
	}
	if c.proof == Absent && !c.verifier.partial {
		c.proof = Verified
		if p.Kind == results.ProofSteps { // else the list is of another size
			c.placed = c.verifier.placed
		}
	}
}

// proofFault notes what is wrong with the proof.
func (c *checker) proofFault(format string, args ...any) {
	c.proof = Wrong
	c.fault("proof: "+format, args...)
}

// reaches notes a fault unless a proof is about max_load.
func (c *checker) reaches(p *results.Proof) bool {
	name, text := "below", p.Below
	if p.Kind == results.ProofBound {
		name, text = "value", p.Value
	}
	v, err := results.ParseFraction(text)
	switch {
	case err != nil:
		c.proofFault("%s: %v", name, err)
	case v.Cmp(c.maxLoad) != 0:
		c.proofFault("%s is %s, max_load is %s", name, text, c.record.MaxLoad)
	}
	return c.proof != Wrong
}

// freeProblem says why a proof does not show that no placement has E_max below the value under any restriction, "" if
// it does.
func freeProblem(m *meter.Meter, t *core.Torus, f routing.Free, n int, c census.Conditions, value *big.Rat,
	p *results.Proof) string {
	own, ok := bounds.DeriveFree(m, t, f, c.Fixed, c.Forbidden).Named(n, p.Bound, value)
	switch foreign := foreignField(p); {
	case foreign != "":
		return foreign
	case p.Kind != results.ProofBound:
		return fmt.Sprintf("a proof of kind %q is about one routing and says nothing of a free one", p.Kind)
	case !ok:
		return fmt.Sprintf("there is no checker for the bound %q of a free routing", p.Bound)
	case own.Cmp(value) < 0:
		return fmt.Sprintf("the bound %s of a free routing is %s, not %s", p.Bound, own.RatString(), value.RatString())
	}
	return ""
}

// countProblem says why a full count does not show that no placement of n processors has E_max below the value, or why
// the count given is wrong.
func countProblem(m *meter.Meter, p objective.Problem, n int, c census.Conditions, below *big.Rat,
	given *int64) string {
	count, problem := census.NoneBelow(m, p, n, c, below)
	switch {
	case problem != "":
		return problem
	case given == nil || count.Cmp(big.NewInt(*given)) != 0:
		return fmt.Sprintf("count should be %d: the placements that contain node 0, or all where translations are not "+
			"symmetries", count)
	}
	return ""
}

// foreignField says which field of a proof does not belong to its kind, "" if none does not or the kind is unknown:
// nobody checks such a field, and a reader could take it for a part of the claim.
func foreignField(p *results.Proof) string {
	kind, monotone := p.Kind, p.Kind == results.ProofMonotone
	if monotone {
		kind = p.Basis
	}
	bound, census, unsat := kind == results.ProofBound, kind == results.ProofCensus, kind == results.ProofUnsat
	steps := kind == results.ProofSteps
	if !bound && !census && !unsat && !steps {
		return ""
	}
	inSlices := census && p.Slices != nil
	for _, f := range []struct {
		name          string
		there, belong bool
	}{
		{"below", p.Below != "", monotone || !bound}, {"bound", p.Bound != "", bound}, {"value", p.Value != "", bound},
		{"count", p.Count != nil, census && !inSlices}, {"split", p.Split != nil, inSlices},
		{"nodes", p.Nodes != nil, inSlices},
		{"slices", p.Slices != nil, inSlices}, {"format", p.Format != "", unsat}, {"file", p.File != "", unsat || steps},
		{"sha256", p.SHA256 != "", unsat || steps}, {"steps", p.Steps != nil, steps}, {"bytes", p.Bytes != nil, steps},
		{"placed", p.Placed != nil, steps},
		{"symmetry", p.Symmetry != nil, unsat}, {"basis", p.Basis != "", monotone},
		{"size", p.Size != nil, monotone}, {"routing", p.Routing != "", monotone},
		{"torus", p.Torus != "", monotone},
	} {
		if f.there && !f.belong {
			return fmt.Sprintf("the field %s does not belong to it", f.name)
		}
	}
	return ""
}

// A verifier goes through proofs that no placement has E_max below a value.
type verifier struct {
	meter   *meter.Meter
	folder  string // of the files that proofs name
	options Options
	// conditions are those of the document that is read
	conditions census.Conditions
	traffic    objective.Traffic // the same
	free       *routing.Free     // nil: the routing is given
	slices     []SliceVerdict    // of the last census, if they are to be reported
	partial    bool              // slices were left out
	notes      []string          // remarks on what was verified
	placed     *kernel.Result    // of the last proof that lists placements, nil for others
}

// problem says why a proof does not show that no placement of n processors has E_max below the value, "" if it does.
// Cost: that of the proof.
func (v *verifier) problem(r routing.Routing, n int, below *big.Rat, p *results.Proof) string {
	if problem := foreignField(p); problem != "" {
		return problem
	}
	if below.Sign() < 0 {
		return fmt.Sprintf("it is about values below %s, and no load is below 0", below.RatString())
	}
	return v.kindProblem(r, n, below, p)
}

// kindProblem is problem but for fields that the kind of the proof does not have.
func (v *verifier) kindProblem(r routing.Routing, n int, below *big.Rat, p *results.Proof) string {
	if n < 1 || n > r.Torus().N() {
		return "there is no placement of the size"
	}
	if p.Kind != results.ProofBound && p.Below != below.RatString() {
		return fmt.Sprintf("it is about values below %q, not below %s", p.Below, below.RatString())
	}
	if least := v.conditions.Fixed.Count(); n < least {
		return fmt.Sprintf("there is no placement of %d processors with %d fixed nodes", n, least)
	}
	q := objective.Problem{Routing: r, Traffic: v.traffic}
	switch {
	case v.options.Stream != "":
		said := v.streamProblem(q, n, below, p, v.options.Stream)
		v.placed = said.placed
		return said.problem
	case p.Kind == results.ProofMonotone:
		return v.neighbourProblem(r, n, below, p)
	}
	said := v.unlessKept(q, n, below, p, func() said { return v.ownProblem(q, n, below, p) })
	if said.note != "" && !slices.Contains(v.notes, said.note) {
		v.notes = append(v.notes, said.note)
	}
	v.placed = said.placed
	return said.problem
}

// A said is what is wrong with a proof, "" if nothing is, and a remark on it, "" without one.
type said struct {
	problem, note string
	placed        *kernel.Result // of a proof that lists placements
}

// unlessKept returns what verify says of a proof, without a call of it if the proof was looked at before for another
// document. It charges the same in both cases. Files, and what is to be reported, are looked at each time.
func (v *verifier) unlessKept(q objective.Problem, n int, below *big.Rat, p *results.Proof, verify func() said) said {
	if _, table := q.Routing.(*routing.Table); v.options.Kept == nil || table || p.NamesFile() ||
		v.options.Report || v.options.Wanted != nil {
		return verify()
	}
	proof := *p
	proof.Basis, proof.Size, proof.Routing, proof.Torus = "", nil, "", ""
	proof.Below = below.RatString()
	text, err := json.Marshal(proof)
	if err != nil {
		return verify()
	}
	q = v.asked(q, n)
	return meter.Once(v.meter, fmt.Sprintf("proof %s %s %d %s", q.Where(), q.RoutingText(), n, text), verify)
}

// ownProblem is kindProblem for the kinds that are not about another size or routing.
func (v *verifier) ownProblem(q objective.Problem, n int, below *big.Rat, p *results.Proof) said {
	if p.Kind == results.ProofSteps {
		return v.stepsProblem(q, n, below, p)
	}
	return said{problem: v.plainProblem(q, n, below, p)}
}

// plainProblem is ownProblem for the kinds of which there are no remarks.
func (v *verifier) plainProblem(q objective.Problem, n int, below *big.Rat, p *results.Proof) string {
	r := q.Routing
	switch p.Kind {
	case results.ProofBound:
		value, err := results.ParseFraction(p.Value)
		if err != nil || value.Cmp(below) < 0 {
			return fmt.Sprintf("the bound %q does not reach %s", p.Value, below.RatString())
		}
		if v.traffic.Clients() {
			return bounds.ClientsProblem(v.meter, q, n, v.conditions.Fixed, v.conditions.Forbidden, p.Bound, value)
		}
		return bounds.Problem(v.meter, r, n, v.conditions.Fixed, v.conditions.Forbidden, p.Bound, value)
	case results.ProofCensus:
		if p.Slices != nil {
			return v.censusProblem(r, n, below, p)
		}
		return countProblem(v.meter, q, n, v.conditions, below, p.Count)
	case results.ProofUnsat:
		question, err := v.question(q, n)
		if err != nil {
			return err.Error()
		}
		return sat.PlacementProblem(v.meter, v.folder, question, below, p)
	}
	return fmt.Sprintf("its kind %q is unknown", p.Kind)
}

// neighbourProblem verifies a proof about a smaller size, or about a routing that loads every link as much: dropping a
// processor raises no load unless the paths depend on the processors.
func (v *verifier) neighbourProblem(r routing.Routing, n int, below *big.Rat, p *results.Proof) string {
	switch {
	case p.Size == nil:
		return "it does not say which size it is about"
	case *p.Size < 1 || *p.Size > n:
		return fmt.Sprintf("the size %d that it is about lies outside 1..%d", *p.Size, n)
	case *p.Size < n && r.DependsOnPlacement():
		return "under this routing loads can fall when a processor is added"
	case *p.Size < n && v.conditions.Near.Asked():
		return "one processor less may be too far from some nodes"
	case p.Basis == results.ProofMonotone:
		return "its basis is a neighbour again"
	}
	if p.Torus != "" {
		other, problem := v.elsewhere(r, p)
		if problem != "" {
			return problem
		}
		r = other
	} else if p.Routing != "" {
		if t := v.traffic; t.Clients() && (t.Request != t.Reply || t.Replies != nil) {
			return "a proof about another routing is about messages both ways alike: equal requests and replies by one routing"
		}
		other, err := routing.Parse(r.Torus(), p.Routing)
		if err != nil {
			return err.Error()
		}
		if problem := sameLoads(v.meter, r, other); problem != "" {
			return problem
		}
		r = other
	}
	basis := *p
	basis.Kind = p.Basis
	return v.kindProblem(r, *p.Size, below, &basis)
}

// elsewhere returns the routing on another torus that a proof is about, or says why that does not load every link of
// that torus as a routing loads its image, whatever the placement.
func (v *verifier) elsewhere(r routing.Routing, p *results.Proof) (other routing.Routing, problem string) {
	c := v.conditions
	if v.traffic.Clients() || c.Fixed.Count()+c.Forbidden.Count() > 0 || c.Near.Asked() {
		return nil, "a proof about another torus is about all to all, without conditions"
	}
	t, err := core.ParseNetwork(p.Torus)
	if err == nil {
		other, err = routing.Parse(t, cmp.Or(p.Routing, r.String()))
	}
	if err != nil {
		return nil, err.Error()
	}
	v.meter.ChargeAll(64, t.N())
	image := symmetry.SameGraph(t, r.Torus())
	switch {
	case image == nil:
		return nil, fmt.Sprintf("%s and %s are not the same graph with other sides", r.Torus(), t)
	case r.DependsOnPlacement() || other.DependsOnPlacement():
		return nil, "a proof about another torus is used where paths do not depend on the placement"
	}
	return other, sameLoadsOn(v.meter, other, r, image)
}

// sameLoadsOn says why a routing does not load every link as another routing loads its image on another torus, "" if it
// does: what each two nodes exchange is compared, by listed paths. image has a node of the other torus for each node of
// the routing's; that they are the same graph is not believed.
func sameLoadsOn(m *meter.Meter, r, other routing.Routing, image []int) string {
	taken := core.NewSet(other.Torus().N())
	for _, v := range image {
		if taken.Has(v) {
			return "two nodes have one image"
		}
		taken.Add(v)
	}
	listed := func(r routing.Routing, p, q int, at func(v int) int) (paths int64, uses map[[2]int]int64) {
		uses = map[[2]int]int64{}
		for path := range m.Paths(r, p, q, nil) {
			paths++
			m.ChargeAll(8, len(path))
			for _, l := range path {
				from, to := r.Torus().LinkEnds(l)
				uses[[2]int{at(from), at(to)}]++
			}
		}
		return paths, uses
	}
	for p := range image {
		for q := range image {
			if p == q {
				continue
			}
			a, here := listed(r, p, q, func(v int) int { return image[v] })
			b, there := listed(other, image[p], image[q], func(v int) int { return v })
			same := len(here) == len(there)
			for l, uses := range here {
				same = same && uses*b == there[l]*a
			}
			if !same {
				return fmt.Sprintf("nodes %s and %s of %s, and their images on %s, load links differently under %s and %s",
					core.JoinInts(r.Torus().Coords(p), ","), core.JoinInts(r.Torus().Coords(q), ","), r.Torus(),
					other.Torus(), r, other)
			}
		}
	}
	return ""
}

// sameLoads says why two routings do not load every link alike, whatever the placement, "" if they do: what node 0 and
// any other exchange is compared, by listed paths.
func sameLoads(m *meter.Meter, r, other routing.Routing) string {
	t := r.Torus()
	switch {
	case r.DependsOnPlacement() || other.DependsOnPlacement():
		return "a proof about another routing is used where paths do not depend on the placement"
	case !routing.Invariant(r) || !routing.Invariant(other):
		return "a proof about another routing is used where translations preserve the loads"
	}
	if r.String() == other.String() && !routing.ByPair(r) {
		if _, table := r.(*routing.Table); !table {
			return ""
		}
	}
	m.Need(shares.JointSteps * 2 * m.Between(t, []int{0}, core.Range(t.N()), meter.None/8/shares.JointSteps,
		func(v int) int64 { return int64(t.LeeDistance(0, v)) }))
	for d := 1; d < t.N(); d++ {
		if !maps.EqualFunc(shares.Joint(m, r, d), shares.Joint(m, other, d),
			func(a, b *big.Rat) bool { return a.Cmp(b) == 0 }) {
			return fmt.Sprintf("node 0 and node %s load links differently under %s and %s",
				core.JoinInts(t.Coords(d), ","), r, other)
		}
	}
	return ""
}
