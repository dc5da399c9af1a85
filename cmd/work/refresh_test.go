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

// TestRefreshBySteps: cells that a bound proves are proved again by steps, which the checker follows, once.
func TestRefreshBySteps(t *testing.T) {
	p := searchtest.Problem("4x5:bandwidth=2,1", "odr", 5)
	task := Task{Problem: p, Budget: Budget{Seed: 1}, Proof: &Proof{Engine: EngineAuto}}
	record := solve(t, &Session{Workers: 1}, task)
	record.Proof = &results.Proof{Kind: results.ProofBound, Below: record.MaxLoad}
	record.BoundReason = "margin"
	record.ClaimSHA256 = record.Hash()
	path := filepath.Join(t.TempDir(), "s.store")
	again(t, path, func(s *Session) {
		if _, err := s.Store.AddRecord(record); err != nil {
			t.Fatal(err)
		}
		for round, want := range []Refreshed{{Stepped: 1, Tried: 1}, {}} {
			sum, failed, err := s.Refresh(t.Context(), path, time.Minute, func(_, _ int, _, _ atlas.Cell) {})
			if err != nil || failed > 0 || sum != want {
				t.Fatalf("round %d: %+v, %d failed, error %v", round, sum, failed, err)
			}
		}
		best, _, err := s.Store.Best(compose.KeyOf(task.Problem))
		if err != nil || best.Proof.Kind != results.ProofSteps || best.MaxLoad != record.MaxLoad {
			t.Fatalf("%+v, error %v", best.Proof, err)
		}
		data := coretest.Must(layout.Encode(best))
		v := documents.Document(t.Context(), data, "", check.Options{Workers: 1, Produce: refuters.Produce})
		if v.Verdict != check.Valid {
			t.Error(v)
		}
	})
}
