package objective_test

import (
	"math/big"
	"testing"
	"time"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
)

// pairLister is the evaluator that a careful programmer writes first: link lists
// per displacement, computed once, added up for every ordered pair. Node sums
// are tabled, so that a pair costs its links and nothing else. It is what the
// evaluator by marginals is compared with.
type pairLister struct {
	torus *core.Torus
	lists [][]weighted
	sums  [][]uint16 // sums[p][x] is the node p + x
	load  []int64
}

type weighted struct {
	port, from uint16
	weight     int64
}

func newPairLister(r routing.Routing) *pairLister {
	t := r.Torus()
	l := &pairLister{torus: t, lists: make([][]weighted, t.N()), sums: make([][]uint16, t.N()),
		load: make([]int64, t.M())}
	for q := 1; q < t.N(); q++ {
		f := r.Flow(0, q, nil)
		for _, s := range f.Shares {
			l.lists[q] = append(l.lists[q], weighted{port: uint16(int(s.Link) / t.N()),
				from: uint16(int(s.Link) % t.N()), weight: s.Num.Int64()})
		}
	}
	for p := range t.N() {
		l.sums[p] = make([]uint16, t.N())
		for x := range t.N() {
			l.sums[p][t.Displacement(p, x)] = uint16(x)
		}
	}
	return l
}

func (l *pairLister) evaluate(nodes []int) []int64 {
	clear(l.load)
	n := l.torus.N()
	delta := make([]uint16, n) // displacements from the current processor
	for _, p := range nodes {
		row := l.sums[p]
		for x, v := range row {
			delta[v] = uint16(x)
		}
		for _, q := range nodes {
			for _, w := range l.lists[delta[q]] {
				l.load[int(w.port)*n+int(row[w.from])] += w.weight
			}
		}
	}
	return l.load
}

// BenchmarkAgainstPairs reports how many times faster a full evaluation is than
// the pair lister, both timed in this run.
func BenchmarkAgainstPairs(b *testing.B) {
	for _, c := range []struct{ torus, placement, routing string }{
		{"8x8", "spaced:t=2", "udr:tie=both"},
		{"16^3", "linear", "odr"},
		{"16^3", "linear", "udr"},
		{"16^3", "linear", "udr:tie=both"},
		{"16^3", "full", "odr"},
	} {
		b.Run(c.torus+"/"+c.placement+"/"+c.routing, func(b *testing.B) {
			r, p := instance(c.torus, c.placement, c.routing)
			slow := newPairLister(r)
			nodes := p.Nodes()
			started, rounds := time.Now(), 0
			for rounds == 0 || time.Since(started) < 200*time.Millisecond {
				slow.evaluate(nodes)
				rounds++
			}
			perSlow := float64(time.Since(started).Nanoseconds()) / float64(rounds)
			e := objective.NewEvaluator(r)
			loads := e.Loads(p)
			for l, v := range slow.load { // the comparison is worth nothing if they disagree
				if want := new(big.Rat).SetFrac(big.NewInt(v), r.Denominator()); loads.At(core.Link(l)).Cmp(want) != 0 {
					b.Fatalf("link %d: %s, pairs give %s", l, loads.At(core.Link(l)), want)
				}
			}
			for b.Loop() {
				e.Loads(p)
			}
			perFast := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
			b.ReportMetric(perSlow, "pairs-ns/op")
			b.ReportMetric(perSlow/perFast, "times-faster")
			b.ReportMetric(perFast/float64(r.Torus().M()), "ns/link")
		})
	}
}
