package work

import (
	"path/filepath"
	"testing"
	"time"

	"leeway/core/coretest"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/check"
	"leeway/results/check/documents"
	"leeway/results/compose"
	"leeway/results/layout"
	"leeway/search/refuters"
	"leeway/search/searchtest"
)

// TestRefreshBySteps: cells that a bound proves, or steps that nobody has counted, are proved again by steps, which the
// checker follows, once, if they have the words.
func TestRefreshBySteps(t *testing.T) {
	p := searchtest.Problem("4x5:bandwidth=2,1", "odr", 5)
	task := Task{Problem: p, Budget: Budget{Seed: 1}, Proof: &Proof{Engine: EngineAuto}}
	record := solve(t, &Session{Workers: 1}, task)
	record.BoundReason = "margin"
	bound := &results.Proof{Kind: results.ProofBound, Below: record.MaxLoad}
	uncounted := &results.Proof{Kind: results.ProofSteps, Engine: record.Proof.Engine, Below: record.MaxLoad}
	for _, record.Proof = range []*results.Proof{bound, uncounted} {
		record.ClaimSHA256 = record.Hash()
		refreshed(t, task, record)
	}
}

// refreshed tests that a refreshed store has the record of a task with counted steps as its proof.
func refreshed(t *testing.T, task Task, record results.Record) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.store")
	again(t, path, func(s *Session) {
		if _, err := s.Store.AddRecord(record); err != nil {
			t.Fatal(err)
		}
		for round, want := range []Refreshed{{}, {Stepped: 1, Tried: 1}, {}} {
			words := []string{"minimal", "odr", ""}[round]
			sum, failed, err := s.Refresh(t.Context(), path, words, time.Minute, func(_, _ int, _, _ atlas.Cell) {})
			if err != nil || failed > 0 || sum != want {
				t.Fatalf("round %d: %+v, %d failed, error %v", round, sum, failed, err)
			}
		}
		best, _, err := s.Store.Best(compose.KeyOf(task.Problem))
		if err != nil || best.Proof.Kind != results.ProofSteps || best.Proof.Steps == nil || best.MaxLoad != record.MaxLoad {
			t.Fatalf("%+v, error %v", best.Proof, err)
		}
		data := coretest.Must(layout.Encode(best))
		v := documents.Document(t.Context(), data, "", check.Options{Workers: 1, Produce: refuters.Produce})
		if v.Verdict != check.Valid {
			t.Error(v)
		}
	})
}
