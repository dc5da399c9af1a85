package atlas_test

import (
	"context"
	"errors"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/check"
	"leeway/results/compose"
	"leeway/results/disk"
	"leeway/results/layout"
	"leeway/results/store"
	"leeway/search/refuters"
)

// TestMergeBounds: bounds without a placement are handed over when their proof can be repeated, and verified as such.
func TestMergeBounds(t *testing.T) {
	proved := coretest.Must(disk.ReadRecordFile(t.Context(), validRecords+"4x4-4-steps.json"))
	value, _ := new(big.Rat).SetString(proved.MaxLoad)
	from, path := newStore(t, "from.store")
	bounds := map[texts.Key]store.Bound{
		{Torus: "4x4", Routing: proved.Routing, Size: 4}: {Value: value, Reason: "steps: none is below",
			Proof: proved.Proof},
		{Torus: "4x4", Routing: "odr:tie=plus", Size: 3}: {Value: big.NewRat(1, 2), Reason: "degree"},
		// 2 others over 4 links
		{Torus: "4x4", Routing: "odr:tie=plus", Size: 4}: {Value: big.NewRat(1, 1),
			Reason: "degree, rounded up to a whole number"},
		{Torus: "4x4", Routing: "udr:tie=plus", Size: 3}: {Value: big.NewRat(10, 1), Reason: "degree"},
		{Torus: "4x4", Routing: "minimal:tie=both", Size: 3}: {Value: value, Reason: "steps: none is below",
			Proof: proved.Proof},
	}
	for k, b := range bounds {
		coretest.Try(from.AddBound(compose.KeyOf(problem(t, k.Torus, k.Routing, k.Size)), b))
	}
	into, merged := newStore(t, "into.store")
	if m := merge(t, into, path); len(m.Taken) != 3 || len(m.Faults) != 2 || m.Left != 0 {
		t.Errorf("%+v", m)
	}
	answered, _ := newStore(t, "answered.store")
	for round, s := range []*store.Store{answered, answered, into} { // answers of prove --below say it with a proof each
		taken := []int{3, 0, 2}[round]
		if m := merge(t, s, answers(t, bounds)); len(m.Taken) != taken || m.Known != 3-taken || len(m.Faults) != 2 {
			t.Errorf("round %d: %+v", round, m)
		}
	}
	if m := merge(t, into, path); len(m.Taken) != 0 || m.Known != 3 {
		t.Errorf("again: %+v", m)
	}
	a := view(t, merged)
	cells, total := a.Cells(atlas.Filter{})
	found, err := a.Verify(context.Background(), cells, 1, check.Options{Produce: refuters.Produce}, nil)
	if err != nil || total != 3 {
		t.Fatalf("%d cells, %v", total, err)
	}
	for _, f := range found {
		if f.Status != atlas.Bounded || f.Verdict.Verdict != check.Valid || f.ProofVerdict != check.Verified ||
			f.LowerBound != bounds[f.Key()].Value.RatString() {
			t.Errorf("%+v", f)
		}
	}
	if b, ok, err := into.Bound(compose.KeyOf(problem(t, "4x4", proved.Routing, 4))); !ok || err != nil ||
		b.Proof == nil {
		t.Errorf("the proof is lost: %+v %v", b, err)
	}
}

// answers writes bounds as answers of prove --below over several sizes and returns the file.
func answers(t *testing.T, bounds map[texts.Key]store.Bound) string {
	t.Helper()
	var items []results.Below
	for k, b := range bounds {
		d := compose.NewBelow(problem(t, k.Torus, k.Routing, k.Size), b.Value)
		if b.Proof != nil {
			d.Infeasible(*b.Proof)
		} else {
			d.Infeasible(results.Proof{Kind: results.ProofBound, Below: d.Below})
		}
		items = append(items, d)
	}
	text := coretest.Must(layout.Encode(map[string]any{"items": items}))
	file := filepath.Join(t.TempDir(), "answers.json")
	coretest.Try(os.WriteFile(file, text, 0o644))
	return file
}

// TestMergeAnswers: the bound of an answer raises that of a record in the store, and an answer that proves nothing is
// refused.
func TestMergeAnswers(t *testing.T) {
	p := problem(t, "4x4", "odr:tie=plus", 3)
	into, path := newStore(t, "into.store")
	add(t, into, record(t, p.Routing, family.Random(p.Torus(), 3, 1)))
	key := texts.Key{Torus: "4x4", Routing: "odr:tie=plus", Size: 3}
	half := store.Bound{Value: big.NewRat(1, 2), Reason: "degree"} // 2 others over 4 links
	if m := merge(t, into, answers(t, map[texts.Key]store.Bound{key: half})); len(m.Taken) != 1 || len(m.Faults) > 0 {
		t.Errorf("%+v", m)
	}
	if c, ok := view(t, path).Cell(key); !ok || c.LowerBound != "1/2" || c.Status != atlas.Feasible {
		t.Errorf("%+v", c)
	}
	unknown := compose.NewBelow(p, big.NewRat(3, 4))
	feasible := unknown
	feasible.Feasible(family.Random(p.Torus(), 3, 1), big.NewRat(1, 2))
	for _, d := range []results.Below{unknown, feasible} {
		text := coretest.Must(layout.Encode(d))
		file := filepath.Join(t.TempDir(), "answer.json")
		coretest.Try(os.WriteFile(file, text, 0o644))
		var refused *results.ReadError
		_, err := atlas.Merge(t.Context(), into, file, check.Options{Produce: refuters.Produce})
		if !errors.As(err, &refused) || refused.File != file ||
			!strings.Contains(refused.Problem, d.Status) {
			t.Errorf("%s: %v", d.Status, err)
		}
	}
}

// TestMergeBoundConflict: a bound that contradicts a placement in the store is never taken in, whichever is wrong.
func TestMergeBoundConflict(t *testing.T) {
	p := problem(t, "4x4", "udr:tie=both", 4)
	from, path := newStore(t, "from.store")
	coretest.Try(from.AddBound(compose.KeyOf(p), store.Bound{Value: big.NewRat(3, 4), Reason: "degree"}))
	into, other := newStore(t, "into.store")
	linear := coretest.Must(family.Parse(p.Torus(), "linear"))
	lie := record(t, p.Routing, linear)
	lie.MaxLoad, lie.LowerBound = "1/2", "0"
	lie.ClaimSHA256 = lie.Hash()
	add(t, into, lie)
	if m := merge(t, into, path); len(m.Taken) != 0 || len(m.Faults) != 1 || !strings.Contains(m.Faults[0], "1/2") {
		t.Errorf("%s: %+v", other, m)
	}
	into, other = newStore(t, "sound.store")
	right := record(t, p.Routing, linear)
	add(t, into, right)
	coretest.Try(from.AddBound(compose.KeyOf(p), store.Bound{Value: big.NewRat(7, 1), Reason: "degree"}))
	if m := merge(t, into, path); len(m.Taken) != 0 || len(m.Faults) != 1 {
		t.Errorf("%s: %+v", other, m)
	}
	if best, _, err := into.Best(compose.KeyOf(p)); err != nil || best.MaxLoad != right.MaxLoad {
		t.Errorf("%+v, %v", best, err)
	}
}

// TestMergeStopped: a merge that is stopped leaves a store with which the next goes on.
func TestMergeStopped(t *testing.T) {
	_, path := filled(t)
	into, _ := newStore(t, "into.store")
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	m, err := atlas.Merge(ended, into, path, check.Options{Workers: 2, Produce: refuters.Produce})
	if !errors.Is(err, context.Canceled) || m.Left == 0 || len(m.Taken) > 0 || len(m.Faults) > 0 {
		t.Errorf("%+v %v", m, err)
	}
	if again := merge(t, into, path); again.Left != 0 || len(again.Taken)+again.Known != m.Left+m.Known {
		t.Errorf("%+v after %+v", again, m)
	}
}

// TestVerifyStopped: verdicts of the cells that were done are kept.
func TestVerifyStopped(t *testing.T) {
	_, path := filled(t)
	a := view(t, path)
	cells, _ := a.Cells(atlas.Filter{})
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	found, err := a.Verify(ctx, cells, 1, check.Options{Produce: refuters.Produce}, func(done int) {
		if done == 3 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || len(found) != 3 {
		t.Errorf("%d verdicts, %v", len(found), err)
	}
}

// TestMergeNulls: null results keep seed, budget, evaluations and date through a file and into another store.
func TestMergeNulls(t *testing.T) {
	p := problem(t, "5x5", "udr", 6)
	s, path := newStore(t, "a.store")
	add(t, s, record(t, p.Routing, family.Random(p.Torus(), 6, 1)))
	hour, most := "60m", int64(1000)
	want := []store.Null{{Method: "local", Seed: 7, Budget: results.Budget{Time: &hour}, Evaluations: 999, Best: "3",
		Added: "2026-01-02T03:04:05Z"},
		{Goal: "prove", Method: "prove", Seed: 1, Budget: results.Budget{Evaluations: &most}, Added: "2026-01-03T00:00:00Z"}}
	for _, n := range want {
		coretest.Try(s.AddNull(compose.KeyOf(p), n))
	}
	data, _, err := view(t, path).Encode(atlas.Filter{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "atlas.jsonl")
	coretest.Try(os.WriteFile(file, data, 0o644))
	into, _ := newStore(t, "b.store")
	merge(t, into, file)
	if got, err := into.Nulls(compose.KeyOf(p)); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
}
