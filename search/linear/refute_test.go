package linear

import (
	"context"
	"errors"
	"math/big"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/encode"
	"leeway/encode/opb"
	"leeway/encode/veripb"
	"leeway/objective"
	"leeway/search/searchtest"
)

// randomProblem returns a problem on a small network, with fixed and forbidden nodes now and then.
func randomProblem(i int) (objective.Problem, bool) {
	rng := coretest.Rng(57, i)
	t := coretest.AnyNetwork(rng, 12)
	p := searchtest.ConditionedOn(rng, t)
	return p, !p.Routing.DependsOnPlacement() && !p.Traffic.Clients()
}

// TestAgainstAllPlacements: at the optimum there is a proof, above it a placement, on random small networks.
func TestAgainstAllPlacements(t *testing.T) {
	tried := 0
	for i := range coretest.Cases(300, 60) {
		p, ok := randomProblem(i)
		if !ok {
			continue
		}
		tried++
		best := searchtest.Optimum(p)
		_, proof, err := Refute(t.Context(), p, best)
		if err != nil {
			t.Fatalf("%s below %s: %v", p, best.RatString(), err)
		}
		if err := proof.Write(&strings.Builder{}, veripb.V2); err != nil {
			t.Fatalf("%s below %s: %v", p, best.RatString(), err)
		}
		above := new(big.Rat).Add(best, big.NewRat(1, 100000))
		if _, _, err := Refute(t.Context(), p, above); !errors.Is(err, ErrSatisfiable) {
			t.Fatalf("%s below %s: %v", p, above.RatString(), err)
		}
	}
	if tried < 40 {
		t.Errorf("only %d problems", tried)
	}
}

// TestStepsHold: where there are placements below the value, all that was derived before one was found holds for each
// of them, extended by the definitions: sums, cuts and learned clauses alike.
func TestStepsHold(t *testing.T) {
	steps := 0
	for i := range coretest.Cases(200, 40) {
		p, ok := randomProblem(i)
		if !ok {
			continue
		}
		below := new(big.Rat).Add(searchtest.Optimum(p), big.NewRat(int64(i%3), 2))
		below.Add(below, big.NewRat(1, 1000))
		r := newReasoner(coretest.Must(opb.New(t.Context(), p, below, opb.Options{})))
		s := newSolver(r.proof, r.vars)
		c := &cuts{reasoner: r, solver: s, known: map[string]bool{}}
		c.setBorders()
		s.order = r.decisions()
		if s.addAll(r.all()) != noRow {
			t.Fatalf("%s below %s: a row fails", p, below.RatString())
		}
		if found, err := s.solve(t.Context(), c.cut); !found || err != nil {
			t.Fatalf("%s below %s: %v %v", p, below.RatString(), found, err)
		}
		for _, x := range s.rows { // those that were not needed either
			if x != nil && x.id == 0 {
				x.id = x.derive()
			}
		}
		steps += r.proof.Steps()
		for mask := uint64(0); mask < 1<<p.Torus().N(); mask++ {
			placement := core.MustPlacement(p.Torus(), core.Set{mask}.Nodes())
			if placement.Size() != p.Size || !p.Admits(placement) {
				continue
			}
			if most, _ := objective.Naive(p.Routing, placement).Max(); most.Cmp(below) >= 0 {
				continue
			}
			value := r.extended(placement)
			for id := 1; id <= r.given+r.proof.Steps(); id++ {
				if row := r.proof.Row(veripb.ID(id)); !holds(row, value) {
					t.Fatalf("%s below %s: step %d, %v, fails for %v", p, below.RatString(), id, row, placement.Nodes())
				}
			}
		}
	}
	if steps < 1000 {
		t.Errorf("only %d steps", steps)
	}
}

// extended returns the values of all variables for a placement.
func (r *reasoner) extended(s core.Placement) []bool {
	value := make([]bool, r.vars+1)
	for _, p := range s.Nodes() {
		value[r.node(p)] = true
		for _, q := range s.Nodes() {
			if p < q {
				value[r.model.PairVar(p, q)] = true
			}
		}
	}
	for _, slabs := range r.slabs {
		for _, sl := range slabs {
			n := 0
			for _, v := range sl.nodes {
				if value[r.node(v)] {
					n++
				}
			}
			for c, z := range sl.counts {
				value[z] = c > 0 && n >= c
			}
		}
	}
	return value
}

func holds(r veripb.Row, value []bool) bool {
	sum := int64(0)
	for _, t := range r.Terms {
		if value[max(t.Literal, -t.Literal)] == (t.Literal > 0) {
			sum += t.Coef
		}
	}
	return sum >= r.Degree
}

// TestForcedRows: the row that the solver propagates is the one that comes into the proof, for all counts.
func TestForcedRows(t *testing.T) {
	seen := 0
	for i := range coretest.Cases(120, 30) {
		p, ok := randomProblem(i)
		if !ok {
			continue
		}
		rng := coretest.Rng(58, i)
		r := newReasoner(coretest.Must(opb.New(t.Context(), p, searchtest.Optimum(p), opb.Options{})))
		if len(r.links) == 0 {
			continue
		}
		c := &cuts{reasoner: r}
		c.setBorders()
		for d := range p.Torus().D() {
			for _, b := range append(append(c.whole[d], c.planes[d]...), c.lines[d]...) {
				var counts []int
				for _, s := range r.slabs[d] {
					counts = append(counts, rng.IntN(len(s.counts)))
				}
				f := r.force(b, counts)
				if f.row.Degree <= 0 {
					continue
				}
				seen++
				got := r.proof.Row(r.derive(f))
				if len(got.Terms) != len(f.row.Terms) || got.Degree != f.row.Degree {
					t.Fatalf("%s, counts %v: %v, derived %v", p, counts, f.row, got)
				}
				for j := range got.Terms {
					if got.Terms[j] != f.row.Terms[j] {
						t.Fatalf("%s, counts %v: %v, derived %v", p, counts, f.row, got)
					}
				}
			}
		}
	}
	if seen < 50 {
		t.Errorf("only %d rows", seen)
	}
}

func TestRefused(t *testing.T) {
	var unsupported *encode.UnsupportedError
	for _, text := range []string{"17x17 odr", "3x3 avoid"} {
		torus, r, _ := strings.Cut(text, " ")
		p := coretest.Must(objective.ParseProblem(torus, r, 3))
		if _, _, err := Refute(t.Context(), p, big.NewRat(1, 1)); !errors.As(err, &unsupported) {
			t.Errorf("%s: %v", text, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := coretest.Must(objective.ParseProblem("4x4x4", "udr:tie=both", 10))
	if _, _, err := Refute(ctx, p, big.NewRat(7, 4)); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}
