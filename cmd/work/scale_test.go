package work

import (
	"context"
	"fmt"
	"testing"

	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/objective/texts"
	"leeway/results/check"
	"leeway/results/layout"
	"leeway/search"
	"leeway/search/genetic"
	"leeway/search/local"
	"leeway/search/searchtest"
)

// BenchmarkScale is what docs/performance.md draws: cost against size. Names are kind/series/instance, and the metric
// size is the place on the axis.
func BenchmarkScale(b *testing.B) {
	b.Run("evaluate", evaluations)
	b.Run("search", searches)
	b.Run("prove", func(b *testing.B) { proofs(b, false) })
	b.Run("check", func(b *testing.B) { proofs(b, true) })
}

// evaluations are full evaluations of linear placements on k x k x k, by directed links.
func evaluations(b *testing.B) {
	for _, text := range []string{"odr", "udr", "udr:tie=both", "orders:012+120+201"} {
		for _, k := range []int{3, 4, 6, 8, 12, 16, 24, 32, 48, 64} {
			p := coretest.Must(texts.ParseProblem(fmt.Sprintf("%d^3", k), text, k*k))
			placement := coretest.Must(family.Parse(p.Torus(), "linear"))
			b.Run(fmt.Sprintf("%s/%d^3", text, k), func(b *testing.B) {
				e := fast.NewEvaluator(objective.Problem{Routing: p.Routing})
				for b.Loop() {
					e.Loads(placement)
				}
				b.ReportMetric(float64(p.Torus().M()), "size")
			})
		}
	}
}

// searches are evaluations within searches for 2k-1 processors on k x k, by directed links: a search, its start and its
// end included, divided by its evaluations.
func searches(b *testing.B) {
	const each = 100000
	for _, m := range []search.Method{local.Method{}, genetic.Method{}} {
		for _, text := range []string{"odr", "udr:tie=both"} {
			for _, k := range []int{4, 6, 8, 12, 16, 24, 32} {
				p := searchtest.Problem(fmt.Sprintf("%dx%d", k, k), text, 2*k-1)
				b.Run(fmt.Sprintf("%s %s/%dx%d", m.Name(), text, k, k), func(b *testing.B) {
					spent := int64(0)
					for b.Loop() {
						out := coretest.Must(m.Run(context.Background(),
							search.Params{Problem: p, Seed: 1, Evaluations: each, Workers: 1}))
						spent += out.Evaluations
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(spent), "ns/op")
					b.ReportMetric(float64(p.Torus().M()), "size")
				})
			}
		}
	}
}

// proofs are proofs of optima with the search before them, or what the checker needs for their records, by processors.
func proofs(b *testing.B, checked bool) {
	type series struct {
		engine, routing string
		where           func(n int) string
		sizes           []int
	}
	for _, s := range []series{
		{"counts", "udr:tie=both", func(n int) string { return fmt.Sprintf("%dx%d", n/2, n/2) }, []int{8, 12, 16, 20, 24}},
		{"counts", "odr", func(n int) string { return fmt.Sprintf("%dx%d", n/2, n/2) }, []int{8, 12, 16, 20}},
		{"orderly", "udr", func(int) string { return "6x6" }, []int{4, 6, 8, 10, 12, 14, 16}},
		{"counts", "udr:tie=both", func(int) string { return "4x4x4" }, []int{6, 8, 12, 16, 20, 24, 28}},
	} {
		for _, n := range s.sizes {
			b.Run(fmt.Sprintf("%s %s/%s n=%d", s.engine, s.routing, s.where(n), n), func(b *testing.B) {
				work := Session{Version: Version, Workers: 1, Known: &Known{}}
				task := Task{Problem: searchtest.Problem(s.where(n), s.routing, n), Budget: Budget{Seed: 1},
					Proof: &Proof{Engine: s.engine}}
				prove := func() []byte {
					answer, err := work.Solve(context.Background(), task)
					if err != nil || answer.Record == nil {
						b.Fatalf("%s: %v", task, err)
					}
					return coretest.Must(layout.Encode(answer.Record))
				}
				record := []byte(nil)
				if checked {
					record = prove()
				}
				for b.Loop() {
					if !checked {
						prove()
					} else if v := verdictOf(b, record); v.ProofVerdict != check.Verified {
						b.Fatal(v.Reasons)
					}
				}
				b.ReportMetric(float64(n), "size")
			})
		}
	}
}
