package store_test

import (
	"errors"
	"math/big"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"testing"

	"leeway/core/coretest"
	"leeway/results"
	"leeway/results/compose"
	"leeway/results/store"
)

// A model is the obviously right twin: everything that was offered, in order, with
// the rules of AddRecord and AddBound read off their comments.
type model struct {
	kept   map[int][]results.Record
	best   map[int]results.Record
	bounds map[int][]store.Bound
}

func value(text string) *big.Rat {
	v, ok := new(big.Rat).SetString(text)
	if !ok {
		panic("no fraction: " + text)
	}
	return v
}

func (m *model) bound(size int) (best store.Bound, ok bool) {
	for _, b := range m.bounds[size] {
		if !ok || b.Value.Cmp(best.Value) > 0 || b.Value.Cmp(best.Value) == 0 && best.Proof == nil && b.Proof != nil {
			best, ok = b, true
		}
	}
	return best, ok
}

// clash reports whether something offered contradicts what is known.
func (m *model) clash(size int, load, lower *big.Rat) bool {
	b, bounded := m.bound(size)
	r, known := m.best[size]
	return load != nil && bounded && load.Cmp(b.Value) < 0 || known && lower.Cmp(value(r.MaxLoad)) > 0
}

func (m *model) addRecord(r results.Record) (kept bool) {
	m.addBound(r.Size, store.Bound{Value: value(r.LowerBound), Reason: r.BoundReason, Proof: r.Proof})
	have, known := m.best[r.Size]
	c := -1
	if known {
		c = value(r.MaxLoad).Cmp(value(have.MaxLoad))
	}
	if c > 0 || c == 0 && r.Proof == nil {
		return false
	}
	for _, old := range m.kept[r.Size] {
		if old.ClaimSHA256 == r.ClaimSHA256 && reflect.DeepEqual(old.Proof, r.Proof) {
			return false
		}
	}
	m.kept[r.Size] = append(m.kept[r.Size], r)
	if c < 0 || have.Proof == nil || *r.Proof.Steps < *have.Proof.Steps {
		m.best[r.Size] = r
	}
	return true
}

func (m *model) addBound(size int, b store.Bound) {
	m.bounds[size] = append(m.bounds[size], b)
}

// TestAgainstModel offers random records and bounds and compares what the store
// holds with the model, also after it was closed and opened again.
func TestAgainstModel(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 0))
	path := filepath.Join(t.TempDir(), "a.db")
	s := open(t, path)
	m := &model{kept: map[int][]results.Record{}, best: map[int]results.Record{}, bounds: map[int][]store.Bound{}}
	steps := 1500
	if testing.Short() {
		steps = 200
	}
	conflicts := 0
	for i := range steps {
		size := 2 + rng.IntN(12)
		load := big.NewRat(int64(20+rng.IntN(60)), int64(1+rng.IntN(3)))
		lower := new(big.Rat).Mul(load, big.NewRat(int64(rng.IntN(8)), 8))
		var proof *results.Proof
		if rng.IntN(4) == 0 {
			lower, proof = load, census(load, int64(rng.IntN(3)))
		}
		if rng.IntN(3) == 0 { // a bound alone
			b := store.Bound{Value: lower, Reason: "census", Proof: proof}
			err := s.AddBound(compose.KeyOf(problem(t, size)), b)
			if clash := m.clash(size, nil, lower); !agree(t, i, err, clash) {
				m.addBound(size, b)
			} else {
				conflicts++
			}
			continue
		}
		r := record(t, problem(t, size), load, lower, proof, uint64(rng.IntN(4)))
		kept, err := s.AddRecord(r)
		if agree(t, i, err, m.clash(size, load, lower)) {
			conflicts++
		} else if want := m.addRecord(r); kept != want {
			t.Fatalf("step %d: kept %v, want %v", i, kept, want)
		}
		if i%500 == 499 {
			coretest.Try(s.Close())
			s = open(t, path)
		}
	}
	if conflicts == 0 || conflicts == steps {
		t.Fatalf("%d conflicts in %d steps", conflicts, steps)
	}
	m.compare(t, s)
	sound(t, s)
}

// agree fails the test unless the error is a conflict exactly if one is due, and reports whether it is.
func agree(t *testing.T, step int, err error, clash bool) bool {
	t.Helper()
	var conflict *store.ConflictError
	if errors.As(err, &conflict) != clash || !clash && err != nil {
		t.Fatalf("step %d: %v, a conflict is due: %v", step, err, clash)
	}
	return clash
}

// compare compares all that the store holds with the model.
func (m *model) compare(t *testing.T, s *store.Store) {
	for size := 1; size < 16; size++ {
		p := compose.KeyOf(problem(t, size))
		have, ok, err := s.Best(p)
		want, known := m.best[size]
		if err != nil || ok != known || !reflect.DeepEqual(have, want) {
			t.Errorf("size %d: best is %v, %v, %v, want %v", size, have, ok, err, want)
		}
		list, err := s.Records(p)
		if err != nil || !reflect.DeepEqual(list, m.kept[size]) {
			t.Errorf("size %d: %d records, %v, want %d", size, len(list), err, len(m.kept[size]))
		}
		bound, ok, err := s.Bound(p)
		limit, bounded := m.bound(size)
		if err != nil || ok != bounded || bounded && (bound.Value.Cmp(limit.Value) != 0 || bound.Reason != limit.Reason ||
			!reflect.DeepEqual(bound.Proof, limit.Proof)) {
			t.Errorf("size %d: bound %v, %v, %v, want %v", size, bound, ok, err, limit)
		}
	}
	count := 0
	for r, err := range s.All() {
		if err != nil || !reflect.DeepEqual(r, m.best[r.Size]) {
			t.Errorf("size %d: %v", r.Size, err)
		}
		count++
	}
	if count != len(m.best) {
		t.Errorf("%d best records, want %d", count, len(m.best))
	}
}
