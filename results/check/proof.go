package check

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/core/sides"
	"leeway/objective"
	"leeway/results"
	"leeway/results/check/kernel"
	"leeway/results/check/meter"
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
	case c.reaches(p):
		if problem := c.verifier.problem(c.routing, c.record.Size, c.maxLoad, p); problem != "" {
			c.proofFault("%s", problem)
		}
	}
	if c.proof == Absent {
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
	switch v, err := results.ParseFraction(p.Below); {
	case err != nil:
		c.proofFault("below: %v", err)
	case v.Cmp(c.maxLoad) != 0:
		c.proofFault("below is %s, max_load is %s", p.Below, c.record.MaxLoad)
	}
	return c.proof != Wrong
}

// foreignField returns the name of a field of a proof that does not belong to its kind, "" where there is no such field
// or the kind is unknown: nobody checks such a field, and a reader could take it for a part of the claim.
func foreignField(p *results.Proof) string {
	kind, monotone := p.Kind, p.Kind == results.ProofMonotone
	if monotone {
		kind = p.Basis
	}
	unsat, steps := kind == results.ProofUnsat, kind == results.ProofSteps
	if !unsat && !steps && kind != results.ProofBound {
		return ""
	}
	for _, f := range []struct {
		name          string
		there, belong bool
	}{
		{"file", p.File != "", unsat || steps},
		{"sha256", p.SHA256 != "", unsat || steps},
		{"format", p.Format != "", unsat}, {"symmetry", p.Symmetry != nil, unsat},
		{"steps", p.Steps != nil, steps}, {"bytes", p.Bytes != nil, steps}, {"placed", p.Placed != nil, steps},
		{"basis", p.Basis != "", monotone}, {"size", p.Size != nil, monotone},
		{"routing", p.Routing != "", monotone}, {"torus", p.Torus != "", monotone},
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
	terms   objective.Terms // of the document that is read
	free    *routing.Free   // the same
	notes   []string        // remarks on what was verified
	slices  []Accepted      // by which steps were followed that engines wrote
	placed  *kernel.Result  // of the last proof that lists placements, nil for others
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
	if p.Below != below.RatString() {
		return fmt.Sprintf("it is about values below %q, not below %s", p.Below, below.RatString())
	}
	if least := v.terms.Fixed.Count(); n < least {
		return fmt.Sprintf("there is no placement of %d processors with %d fixed nodes", n, least)
	}
	if err := routing.Complete(r); err != nil && v.free == nil && p.Kind == results.ProofSteps {
		return err.Error()
	}
	q := objective.Problem{Routing: r, Terms: objective.Terms{Traffic: v.terms.Traffic}}
	switch {
	case v.free != nil && p.Kind != results.ProofSteps && p.Kind != results.ProofBound:
		return fmt.Sprintf("a proof of kind %q is about one routing and says nothing of a free one", p.Kind)
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
	if v.options.Kept == nil || routing.Tabled(q.Routing) || p.NamesFile() {
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
	switch {
	case p.Kind == results.ProofBound:
		if best := closedForm(v.meter, v.asked(q, n), below); best.Cmp(below) < 0 {
			return said{problem: fmt.Sprintf("the closed form is %s", best.RatString())}
		}
		return said{}
	case p.Kind == results.ProofSteps:
		return v.stepsProblem(q, n, below, p)
	}
	judge := v.options.Kinds[p.Kind]
	if judge == nil {
		return said{problem: fmt.Sprintf("its kind %q is unknown", p.Kind)}
	}
	question, err := v.question(q, n)
	if err != nil {
		return said{problem: err.Error()}
	}
	question.Free = v.free
	return said{problem: judge(v.meter, v.folder, question, below, p)}
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
	case *p.Size < n && v.terms.Near.Asked():
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
		if t := v.terms.Traffic; t.Clients() && (t.Request != t.Reply || t.Replies != nil) {
			return "a proof about another routing is about messages both ways alike: equal requests and replies by one routing"
		}
		other, err := routing.Parse(r.Torus(), p.Routing)
		if err != nil {
			return err.Error()
		}
		if r.DependsOnPlacement() || other.DependsOnPlacement() {
			return "a proof about another routing is used where paths do not depend on the placement"
		}
		if problem := sameLoadsOn(v.meter, other, r, core.Range(r.Torus().N())); problem != "" {
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
	c := v.terms
	if c.Traffic.Clients() || c.Fixed.Count()+c.Forbidden.Count() > 0 || c.Near.Asked() {
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
	image := sides.SameGraph(t, r.Torus())
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
	if err := cmp.Or(routing.Complete(r), routing.Complete(other)); err != nil {
		return err.Error()
	}
	taken := core.NewSet(other.Torus().N())
	for _, v := range image {
		if taken.Has(v) {
			return "two nodes have one image"
		}
		taken.Add(v)
	}
	listed := func(r routing.Routing, p, q int, at func(v int) int) (paths int64, uses map[[2]int]int64) {
		uses = map[[2]int]int64{}
		for path, weight := range m.Paths(r, p, q, nil) {
			paths += weight
			m.ChargeAll(8, len(path))
			for _, l := range path {
				from, to := r.Torus().LinkEnds(l)
				uses[[2]int{at(from), at(to)}] += weight
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
