package atlas_test

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/objective"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/check"
	"leeway/results/compose"
	"leeway/results/store"
	"leeway/search/refuters"
	"leeway/search/searchtest"
)

// A truth is what brute force finds of a problem.
type truth struct {
	problem objective.Problem
	best    core.Placement
	optimum *big.Rat
	worst   core.Placement // one of the largest E_max
	load    *big.Rat       // of worst
}

// truthOf evaluates every placement naively.
func truthOf(p objective.Problem) truth {
	w := truth{problem: p}
	for s, v := range searchtest.Placements(p) {
		if w.optimum == nil || v.Cmp(w.optimum) < 0 {
			w.best, w.optimum = s, v
		}
		if w.load == nil || v.Cmp(w.load) > 0 {
			w.worst, w.load = s, v
		}
	}
	return w
}

// shown is a proof by the steps of an engine, right exactly if the value is not above the optimum and some engine has
// the name.
func shown(below *big.Rat, engine string) *results.Proof {
	return &results.Proof{Kind: results.ProofSteps, Engine: engine, Below: below.RatString()}
}

// record is the true record, proved.
func (w truth) record(t testing.TB) results.Record {
	return claim(t, w.problem.Routing, w.best, w.optimum, w.optimum, shown(w.optimum, ""))
}

// poison puts a wrong claim about a problem into a store in one of many ways, unless the store refuses it.
func poison(t *testing.T, rng *rand.Rand, s *store.Store, path string, w, next truth) {
	t.Helper()
	p := w.problem
	between := new(big.Rat).Add(w.optimum, w.load)
	between.Mul(between, big.NewRat(1, 2)) // above the optimum unless all loads are equal
	of := compose.KeyOf(p)
	where := `(SELECT id FROM problems WHERE torus = '` + of.Torus + `' AND routing = '` + of.Routing + `' AND size = ` +
		fmt.Sprint(of.Size) + `)`
	switch rng.IntN(13) {
	case 0: // a false lower bound
		s.AddRecord(claim(t, p.Routing, w.worst, w.load, between, nil))
	case 1: // a false optimum
		s.AddRecord(claim(t, p.Routing, w.worst, w.load, w.load, shown(w.load, "")))
	case 2: // a wrong load
		s.AddRecord(claim(t, p.Routing, w.worst, new(big.Rat).Mul(w.optimum, big.NewRat(1, 2)), new(big.Rat), nil))
	case 3: // a wrong load, proved
		low := new(big.Rat).Mul(w.optimum, big.NewRat(1, 2))
		s.AddRecord(claim(t, p.Routing, w.worst, low, low, shown(low, "")))
	case 4:
		s.AddBound(of, store.Bound{Value: between, Reason: "a lie"})
	case 5:
		s.AddBound(of, store.Bound{Value: w.load, Reason: "steps: none is below", Proof: shown(w.load, "")})
	case 6: // derived from a false bound of this size
		s.AddBound(of, store.Bound{Value: w.load, Reason: "steps: none is below", Proof: shown(w.load, "")})
		proof := shown(w.load, "")
		proof.Kind, proof.Basis, proof.Size = results.ProofMonotone, results.ProofSteps, &p.Size
		if next.load.Cmp(w.load) >= 0 {
			r := claim(t, next.problem.Routing, next.worst, next.load, w.load, nil)
			if next.load.Cmp(w.load) == 0 {
				r.Status, r.Proof = results.StatusOptimal, proof
			} else {
				r.BoundProof = proof
			}
			s.AddRecord(r)
		}
	case 7: // a false proof of the truth
		s.AddRecord(claim(t, p.Routing, w.best, w.optimum, w.optimum, shown(w.optimum, "nobody")))
	case 8: // a false upper bound on the size
		r := claim(t, p.Routing, w.worst, w.load, new(big.Rat), nil)
		limit := w.load.RatString()
		r.LoadLimit, r.UpperBound = &limit, &p.Size
		s.AddRecord(r)
	case 9: // rows that are not what they say
		s.AddRecord(claim(t, p.Routing, w.worst, w.load, new(big.Rat), nil))
		byHand(t, path, `UPDATE records SET numerator = '1', denominator = '1000' WHERE problem = `+where)
	case 10:
		s.AddRecord(claim(t, p.Routing, w.worst, w.load, new(big.Rat), nil))
		byHand(t, path, `UPDATE records SET json = '{"schema":' WHERE problem = `+where)
	case 11: // bounds that cannot be read
		s.AddBound(of, store.Bound{Value: new(big.Rat).Mul(w.optimum, big.NewRat(1, 2)), Reason: "a lie"})
		byHand(t, path, `UPDATE bounds SET numerator = 'many', proof = '{' WHERE problem = `+where)
	case 12: // contradictions by hand, and references that lead astray
		s.AddRecord(claim(t, p.Routing, w.best, w.optimum, new(big.Rat), nil))
		s.AddRecord(claim(t, p.Routing, w.worst, w.load, new(big.Rat), nil))
		byHand(t, path, `INSERT OR IGNORE INTO bounds (problem, numerator, denominator, reason, proof, added)
			VALUES (`+where+`, '1000', '7', 'margin', '', '')`)
		byHand(t, path, `UPDATE problems SET best = (SELECT max(id) FROM records WHERE problem = problems.id),
			bound = (SELECT max(id) FROM bounds WHERE problem = problems.id)`)
	}
}

// TestMergeTakesTheTruthOnly poisons stores in every way above: another store that takes in what they hold, and what a
// true one holds, in either order, says the truth at the end, and nothing else.
func TestMergeTakesTheTruthOnly(t *testing.T) {
	coretest.Alone(t)
	var all [][]truth
	for _, c := range []struct {
		torus, way string
		from, to   int
	}{{"2x4", "udr:tie=both", 2, 6}, {"3x3", "odr:tie=plus", 2, 6}, {"7", "udr:tie=plus", 2, 5},
		{"2x4", "avoid:tie=both", 2, 5}, {"2x4:open=1", "odr:tie=both", 2, 6}} {
		var list []truth
		for n := c.from; n <= c.to; n++ {
			list = append(list, truthOf(problem(t, c.torus, c.way, n)))
		}
		all = append(all, list)
	}
	for seed := range uint64(coretest.Cases(60, 20)) {
		rng := rand.New(rand.NewPCG(seed, 11))
		list := all[rng.IntN(len(all))]
		poisoned, lies := newStore(t, "poisoned.store")
		for range 1 + rng.IntN(6) {
			i := rng.IntN(len(list) - 1)
			poison(t, rng, poisoned, lies, list[i], list[i+1])
		}
		whole, truths := newStore(t, "true.store")
		for _, w := range list {
			add(t, whole, w.record(t))
		}
		s, path := newStore(t, "merged.store")
		files := []string{lies, truths}
		for _, i := range rng.Perm(2) {
			if m := merge(t, s, files[i]); files[i] == truths && len(m.Faults) > 0 {
				t.Errorf("seed %d: %v", seed, m.Faults)
			}
		}
		for _, w := range list {
			of := compose.KeyOf(w.problem)
			best, ok, err := s.Best(of)
			if err != nil || !ok || best.MaxLoad != w.optimum.RatString() || best.Status != results.StatusOptimal {
				t.Errorf("seed %d, %s: best %s %s, %v, want %s", seed, w.problem, best.MaxLoad, best.Status, err,
					w.optimum.RatString())
			}
			b, _, err := s.Bound(of)
			if err != nil || b.Value.Cmp(w.optimum) != 0 {
				t.Errorf("seed %d, %s: bound %v, %v, want %s", seed, w.problem, b.Value, err, w.optimum.RatString())
			}
		}
		a := view(t, path)
		cells, _ := a.Cells(atlas.Filter{})
		found, err := a.Verify(context.Background(), cells, 1, check.Options{Produce: refuters.Produce}, nil)
		for _, f := range found {
			if f.Verdict.Verdict != check.Valid || f.ProofVerdict != check.Verified {
				t.Errorf("seed %d, %s: %v", seed, f.Key(), f.Reasons)
			}
		}
		faults, damage := s.Verify()
		if err != nil || damage != nil || len(faults) > 0 || len(cells) != len(list) {
			t.Fatalf("seed %d: %d cells, %v, %v, %v", seed, len(cells), err, faults, damage)
		}
	}
}

// TestConflict: of two claims that contradict each other the first stays, and the second is refused with both named.
func TestConflict(t *testing.T) {
	w := truthOf(problem(t, "2x4", "udr:tie=both", 3))
	for name, first := range map[string]results.Record{
		"the truth": w.record(t),
		"a lie":     claim(t, w.problem.Routing, w.worst, w.load, w.load, shown(w.load, "")),
	} {
		s, path := newStore(t, "a.store")
		add(t, s, first)
		second := w.record(t)
		if name == "the truth" {
			second = claim(t, w.problem.Routing, w.worst, w.load, w.load, shown(w.load, ""))
		}
		_, err := s.AddRecord(second)
		var conflict *store.ConflictError
		if !errors.As(err, &conflict) || !strings.Contains(err.Error(), path) {
			t.Errorf("after %s: %v", name, err)
		}
		best, _, err := s.Best(compose.KeyOf(w.problem))
		if err != nil || best.MaxLoad != first.MaxLoad || best.Status != first.Status {
			t.Errorf("after %s: %s %s, %v", name, best.MaxLoad, best.Status, err)
		}
	}
}
