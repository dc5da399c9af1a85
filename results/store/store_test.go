package store_test

import (
	"errors"
	"math/big"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/compose"
	"leeway/results/resultstest"
	"leeway/results/store"
)

// open opens a store that the end of the test closes.
func open(t testing.TB, path string) *store.Store {
	t.Helper()
	s := coretest.Must(store.Open(path))
	t.Cleanup(func() { s.Close() })
	return s
}

// problem returns a problem on 6x6.
func problem(t testing.TB, size int) objective.Problem {
	t.Helper()
	return coretest.Must(objective.NewProblem(routing.NewUDR(core.MustTorus(6, 6), routing.TieBoth), size))
}

// record returns a record of some placement; its load is what the caller says, since the store takes its word.
func record(t testing.TB, p objective.Problem, load, lower *big.Rat, proof *results.Proof, seed uint64) results.Record {
	t.Helper()
	nodes := rand.New(rand.NewPCG(seed, 0)).Perm(p.Torus().N())[:p.Size]
	placement := coretest.Must(core.NewPlacement(p.Torus(), nodes))
	return recordOf(t, p, placement, load, lower, proof, seed)
}

func recordOf(
	t testing.TB, p objective.Problem, placement core.Placement, load, lower *big.Rat, proof *results.Proof,
	seed uint64,
) results.Record {
	t.Helper()
	r := coretest.Must(compose.New(compose.Values{Routing: p.Routing, Setting: compose.SettingOf(p), Placement: placement,
		MaxLoad: load, LowerBound: lower, BoundReason: "degree", Proof: proof,
		FoundBy:    results.FoundBy{Method: "genetic", Seed: seed, Evaluations: 7},
		Provenance: results.Provenance{Version: "test", Started: "2026-11-21T00:00:00Z"}}))
	return r
}

func census(value *big.Rat, count int64) *results.Proof {
	return &results.Proof{Kind: results.ProofSteps, Engine: "orderly", Below: results.FormatFraction(value),
		Steps: &count, Bytes: &count, SHA256: strings.Repeat("0", 64)}
}

func sound(t testing.TB, s *store.Store) {
	t.Helper()
	faults, err := s.Verify()
	if err != nil || len(faults) > 0 {
		t.Fatalf("the store is not sound: %v, %v", faults, err)
	}
}

// TestAll changes the store while its records are listed.
func TestAll(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "a.db"))
	for size := 5; size > 0; size-- {
		if kept, err := s.AddRecord(record(t, problem(t, size), big.NewRat(9, 1), nil, nil, 1)); err != nil || !kept {
			t.Fatal(kept, err)
		}
	}
	want := 1
	for r, err := range s.All() {
		if err != nil || r.Size != want || r.MaxLoad != "9" {
			t.Fatalf("%v, size %d, load %s", err, r.Size, r.MaxLoad)
		}
		want++
		if kept, err := s.AddRecord(record(t, problem(t, 6-r.Size), big.NewRat(int64(r.Size), 1), nil, nil, 1)); err != nil ||
			!kept {
			t.Fatal(kept, err)
		}
		if r.Size == 4 {
			break
		}
	}
	sound(t, s)
}

// TestAllOptima: a record that lists all optima replaces a proved one, not the other way round.
func TestAllOptima(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "a.db"))
	p, load := problem(t, 3), big.NewRat(5, 2)
	plain := record(t, p, load, load, census(load, 1), 1)
	all := record(t, p, load, load, census(load, 1), 1)
	placement := coretest.Must(core.PlacementFromCoords(p.Torus(), all.Nodes))
	compose.AddOptima(&all, []core.Placement{placement}, 36)
	other := record(t, p, load, load, census(load, 2), 2)
	for i, r := range []results.Record{plain, all, other, plain, all, other} {
		if kept, err := s.AddRecord(r); err != nil || kept != (i < 3) {
			t.Fatalf("record %d: %v, %v", i, kept, err)
		}
	}
	if best, _, err := s.Best(compose.KeyOf(p)); err != nil || !reflect.DeepEqual(best, all) {
		t.Errorf("%v, %v", best, err)
	}
}

// TestDistance: of clients' records of one load and as much of a proof the nearest counts as the best, also after one
// was taken back. In a row of 4 an end is 2 from the others in the mean, a node in the middle 4/3.
func TestDistance(t *testing.T) {
	row := coretest.Must(texts.ParseMesh("4"))
	p := objective.Problem{Routing: routing.NewUDR(row, routing.TieBoth), Size: 1}
	p = coretest.Must(p.WithTraffic(objective.Traffic{Request: 1, Reply: 1}))
	nine := big.NewRat(9, 1)
	at := func(node int, load, lower *big.Rat, proof *results.Proof) results.Record {
		return recordOf(t, p, core.MustPlacement(row, []int{node}), load, lower, proof, 1)
	}
	s := open(t, filepath.Join(t.TempDir(), "a.store"))
	add := func(name string, r results.Record, wantKept, wantBest bool) {
		t.Helper()
		kept, err := s.AddRecord(r)
		best, _, also := s.Best(compose.KeyOf(p))
		if err != nil || also != nil || kept != wantKept || reflect.DeepEqual(best, r) != wantBest {
			t.Fatalf("%s: kept %v, best %v of distance %s, %v, %v",
				name, kept, best.Nodes, best.MeanDistance, err, also)
		}
	}
	add("an end", at(0, nine, nil, nil), true, true)
	add("the middle, nearer", at(1, nine, nil, nil), true, true)
	add("the other end, farther", at(3, nine, nil, nil), false, false)
	add("the middle, as near", at(2, nine, nil, nil), false, false)
	add("an end, proved", at(3, nine, nine, census(nine, 4)), true, true)
	add("the middle, proved", at(2, nine, nine, census(nine, 4)), true, true)
	add("the other end, proved", at(0, nine, nine, census(nine, 4)), true, false)
	sound(t, s)
}

// TestTables: records with different routing tables have one claim_sha256 and are different all the same.
func TestTables(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "a.db"))
	torus := core.MustTorus(3)
	for i, steps := range []int{1, -1} { // from 0 to 1, from 1 to 0
		path := routing.TablePath{Order: []int{0}, Steps: []int{steps}}
		table := coretest.Must(routing.NewTable(torus, true, []routing.TableEntry{{From: i, To: 1 - i,
			Paths: []routing.TablePath{path}}}))
		p := coretest.Must(objective.NewProblem(table, 1))
		r := record(t, p, new(big.Rat), nil, nil, 3)
		if kept, err := s.AddRecord(r); err != nil || !kept {
			t.Fatalf("table %d: %v, %v", i, kept, err)
		}
		if best, ok, err := s.Best(compose.KeyOf(p)); err != nil || !ok || !reflect.DeepEqual(best, r) {
			t.Errorf("table %d: %v, %v, %v", i, best, ok, err)
		}
	}
	sound(t, s)
}

func TestAddRecordRefuses(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "a.db"))
	for _, changes := range []string{`schema="leeway/record/2"`, "torus=[1]", `routing="udr"`, "size=5",
		`max_load="7"; stale`, `max_load="14/2"; stale`, `lower_bound="9"`, `lower_bound="x"`, `status="optimal"`,
		`status="optimal"; proof={"kind":"steps","engine":"orderly","below":"8","steps":1,"bytes":1,"sha256":"00"}`} {
		r := resultstest.Changed(record(t, problem(t, 4), big.NewRat(8, 1), big.NewRat(1, 1), nil, 1), changes)
		var input *core.InputError
		if kept, err := s.AddRecord(r); kept || !errors.As(err, &input) {
			t.Errorf("%s: %v, %v", changes, kept, err)
		}
	}
	for range s.All() {
		t.Error("a refused record was stored")
	}
}

// TestInterim: what a search has found on its way gives place to its end, whatever
// the nodes, but not to a worse record; an end never gives place to it.
func TestInterim(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "a.store"))
	p := problem(t, 9)
	five, six := big.NewRat(5, 1), big.NewRat(6, 1)
	steps := []struct {
		record  results.Record
		interim bool
		best    uint64 // seed of the best record after it
		records int
	}{
		{record(t, p, six, nil, nil, 1), true, 1, 1},
		{record(t, p, five, nil, nil, 2), true, 2, 2},
		{record(t, p, six, nil, nil, 3), false, 2, 1}, // worse than the best, but the end of some search
		{record(t, p, five, nil, nil, 4), false, 4, 1},
		{record(t, p, five, nil, nil, 5), true, 4, 1},
		{record(t, p, five, five, census(five, 3), 6), false, 6, 2},
	}
	for i, step := range steps {
		add := s.AddRecord
		if step.interim {
			add = s.AddInterim
		}
		coretest.Must(add(step.record))
		best, ok, err := s.Best(compose.KeyOf(p))
		if err != nil || !ok || best.FoundBy.Seed != step.best {
			t.Errorf("step %d: best is of seed %d, %v, want %d", i, best.FoundBy.Seed, err, step.best)
		}
		if list, err := s.Records(compose.KeyOf(p)); err != nil || len(list) != step.records {
			t.Errorf("step %d: %d records, %v, want %d", i, len(list), err, step.records)
		}
	}
	if faults, err := s.Verify(); err != nil || len(faults) > 0 {
		t.Errorf("%v, %v", faults, err)
	}
}

// TestVerifyFindsStrayReferences breaks what a problem says of its records and bounds.
func TestVerifyFindsStrayReferences(t *testing.T) {
	for _, damage := range []string{"best = NULL", "best = 99", "best = (SELECT max(id) FROM records)", "bound = 99"} {
		path := filepath.Join(t.TempDir(), "a.db")
		s := open(t, path)
		for size := range 2 {
			coretest.Must(s.AddRecord(record(t, problem(t, 3+size), big.NewRat(9, 1), nil, nil, 1)))
		}
		sound(t, s)
		pragma(t, path, "UPDATE problems SET "+damage+" WHERE size = 3")
		faults, err := s.Verify()
		if err != nil || len(faults) == 0 || faults[0].Problem != compose.KeyOf(problem(t, 3)) {
			t.Errorf("%s: %v, %v", damage, faults, err)
		}
	}
}
