package atlas_test

import (
	"context"
	"database/sql"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	_ "modernc.org/sqlite"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/check"
	"leeway/results/compose"
	"leeway/results/store"
	"leeway/search/refuters"
)

const validRecords = "../check/testdata/valid/"

// problem returns the problem that texts name.
func problem(t testing.TB, torus, way string, size int) objective.Problem {
	t.Helper()
	return coretest.Must(texts.Key{Torus: torus, Routing: way, Size: size}.Problem())
}

// record claims what the naive evaluator says of a placement, with a lower bound of 0.
func record(t testing.TB, r routing.Routing, p core.Placement) results.Record {
	t.Helper()
	most, _ := objective.Naive(r, p).Max()
	return claim(t, r, p, most, new(big.Rat), nil)
}

// claim makes a record of what is said of a placement.
func claim(t testing.TB, r routing.Routing, p core.Placement, load, lower *big.Rat,
	proof *results.Proof) results.Record {
	t.Helper()
	out := coretest.Must(compose.New(compose.Values{Routing: r, Placement: p, MaxLoad: load, LowerBound: lower,
		BoundReason: "degree", Proof: proof,
		Baseline: paper(r, p.Size()), FoundBy: results.FoundBy{Method: "test", Seed: 7},
		Provenance: results.Provenance{Version: "test", Started: "2026-11-21T12:00:00Z", Seed: 7}}))
	return out
}

// paper is the baseline that a record must name, by the naive evaluator.
func paper(r routing.Routing, size int) *results.Baseline {
	text, ok := family.Baseline(r.Torus(), size)
	if !ok {
		return nil
	}
	p, err := family.Parse(r.Torus(), text)
	if err != nil {
		panic(err)
	}
	most, _ := objective.Naive(r, p).Max()
	return &results.Baseline{Placement: text, MaxLoad: most.RatString()}
}

// newStore makes an empty store that lives as long as the test.
func newStore(t testing.TB, name string) (*store.Store, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	s := coretest.Must(store.Open(path))
	t.Cleanup(func() { s.Close() })
	return s, path
}

// add puts a record into a store.
func add(t testing.TB, s *store.Store, r results.Record) {
	t.Helper()
	coretest.Must(s.AddRecord(r))
}

// view opens the atlas of a store for the time of the test.
func view(t testing.TB, path string) *atlas.Atlas {
	t.Helper()
	a := coretest.Must(atlas.OpenStore(path))
	t.Cleanup(func() { a.Close() })
	return a
}

// byHand changes a store as no program would.
func byHand(t testing.TB, path, text string, args ...any) {
	t.Helper()
	db := coretest.Must(sql.Open("sqlite", path))
	defer db.Close()
	coretest.Must(db.Exec(text, args...))
}

// merge merges a file and wants no faults.
func merge(t testing.TB, into *store.Store, path string) atlas.Merged {
	t.Helper()
	m, err := atlas.Merge(context.Background(), into, path, check.Options{Workers: 2, Produce: refuters.Produce})
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return m
}

// filled makes a store of the valid records of the checker's tests, most with proofs, and of some random placements.
func filled(t testing.TB) (*store.Store, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "filled.store")
	filledOnce.Do(func() { filledText = fill(t) })
	coretest.Try(os.WriteFile(path, filledText, 0o644))
	s := coretest.Must(store.Open(path))
	t.Cleanup(func() { s.Close() })
	return s, path
}

// The store of filled: making it takes a while.
var (
	filledOnce sync.Once
	filledText []byte
)

// randomRecord returns the record of a random placement of any size that keeps to the conditions of a problem.
func randomRecord(t testing.TB, p objective.Problem, rng *rand.Rand) results.Record {
	t.Helper()
	nodes := p.Candidates()
	rng.Shuffle(len(nodes), func(i, j int) { nodes[i], nodes[j] = nodes[j], nodes[i] })
	least, _ := p.Sizes()
	nodes = append(nodes[:rng.IntN(len(nodes)+1)], p.Fixed.Nodes()...)
	if len(nodes) < least {
		nodes = append(nodes, p.Candidates()[0])
	}
	placement := core.MustPlacement(p.Torus(), nodes)
	most, _ := p.Naive(placement).Max()
	then := ""
	if p.Traffic.Clients() && rng.IntN(2) == 0 {
		then = results.ThenDistance
	}
	var baseline *results.Baseline
	if text, ok := family.Baseline(p.Torus(), placement.Size()); ok {
		if theirs, err := family.Parse(p.Torus(), text); err == nil && p.Admits(theirs) {
			load, _ := p.Naive(theirs).Max()
			baseline = &results.Baseline{Placement: text, MaxLoad: load.RatString()}
		}
	}
	r := coretest.Must(compose.New(compose.Values{Routing: p.Routing, Setting: compose.SettingOf(p), Placement: placement,
		MaxLoad: most, BoundReason: "degree",
		Baseline: baseline, FoundBy: results.FoundBy{Method: "test", Seed: 7},
		Then: then, Provenance: results.Provenance{Version: "test", Started: "2026-11-21T12:00:00Z", Seed: 7}}))
	return r
}

// fill returns the bytes of the store of filled.
func fill(t testing.TB) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "fill.store")
	s := coretest.Must(store.Open(path))
	for _, name := range []string{"2x3-2-mixed", "3x3x3-9-linear", "4x4-1-alone", "4x4-4-steps", "4x4-4-diagonal",
		"4x4x4-16-avoid", "5x5-10-monotone", "5x5-5-minimal",
		"5x5-9-counts", "5x5-9-orderly", "6x6-6-odr", "8x8-16-spaced"} {
		if m := merge(t, s, validRecords+name+".json"); len(m.Faults) > 0 {
			t.Fatal(m.Faults)
		}
	}
	rng := rand.New(rand.NewPCG(5, 0))
	for _, way := range []string{"odr:tie=plus", "udr:tie=both", "minimal:tie=both", "avoid:tie=both"} {
		for _, where := range []string{"3x4", "2x2x2", "2x3x4", "7",
			"3x4:open=0,1", "4x5:open=1:bandwidth=2,1", "4x4:open=0,1", "5x5:fixed=0,0+1,2",
			"3x4:open=0:fixed=0,1:forbidden=1,1+2,3", "3x4:traffic=clients:request=1:reply=2",
			"4x4:open=0,1:traffic=clients:request=2:reply=1:reply-routing=odr:order=1,0:tie=plus:fixed=0,0"} {
			if strings.Contains(where, "traffic") && way == "avoid:tie=both" {
				continue // its paths depend on the placement, which clients do not
			}
			for range 3 {
				add(t, s, randomRecord(t, problem(t, where, way, 1), rng))
			}
		}
	}
	coretest.Try(s.Close())
	return coretest.Must(os.ReadFile(path))
}

// keyOf returns a key.
func keyOf(torus, routing string, size int) texts.Key {
	return texts.Key{Torus: torus, Routing: routing, Size: size}
}
