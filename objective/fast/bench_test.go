package fast_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/fast"
)

func instance(torus, placement, routingText string) (routing.Routing, core.Placement) {
	t := coretest.Must(core.ParseNetwork(torus))
	p := coretest.Must(family.Parse(t, placement))
	r := coretest.Must(routing.Parse(t, routingText))
	return r, p
}

// BenchmarkEvaluate is the cost of one full evaluation per directed link.
func BenchmarkEvaluate(b *testing.B) {
	for _, torus := range []string{"8x8", "8x8:open=0,1", "4^3", "6^3", "8^3", "16^3", "16^3:open=0,1,2", "32^3", "64^3",
		"64^3:open=0,1,2", "6^4",
		"2^18"} {
		texts := []string{"odr", "udr", "udr:tie=both", "orders:012+210", "orders:012+120+201",
			"orders:012+120+201:tie=both", "orders:012+021+102+120+201"}
		switch {
		case strings.HasPrefix(torus, "8x8"):
			texts = texts[:3]
		case torus == "6^4":
			texts = []string{"odr", "udr", "orders:0123+1230+2301"}
		case torus == "2^18":
			texts = texts[:1]
		}
		for _, text := range texts {
			r, p := instance(torus, "linear", text)
			b.Run(fmt.Sprintf("%s/%s", torus, text), func(b *testing.B) {
				e := fast.NewEvaluator(objective.Problem{Routing: r})
				for b.Loop() {
					e.Loads(p)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(r.Torus().M()), "ns/link")
			})
		}
	}
}

// BenchmarkSwap is the cost of one exact evaluation of a swap, and of making one.
func BenchmarkSwap(b *testing.B) {
	for _, c := range []struct {
		torus, routing string
		n              int
	}{{"8x8", "udr:tie=both", 16}, {"8x8:open=0,1", "udr:tie=both", 16}, {"4^3", "udr:tie=both", 16},
		{"6^3", "udr:tie=both", 36},
		{"10x10", "odr", 20}, {"8x8", "minimal", 16}, {"16^3", "udr", 256}} {
		r, p := instance(c.torus, fmt.Sprintf("random:n=%d:seed=1", c.n), c.routing)
		inc := coretest.Must(fast.NewIncremental(objective.Problem{Routing: r}, c.n))
		nodes, set := p.Nodes(), p.Set()
		inc.Reset(nodes)
		rng := rand.New(rand.NewPCG(1, 1))
		pick := func() (out, in int) {
			for in = rng.IntN(r.Torus().N()); set.Has(in); in = rng.IntN(r.Torus().N()) {
			}
			return nodes[rng.IntN(len(nodes))], in
		}
		name := fmt.Sprintf("%s/n=%d/%s", c.torus, c.n, c.routing)
		b.Run("try/"+name, func(b *testing.B) {
			for b.Loop() {
				inc.TrySwap(pick())
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mswaps/s")
		})
		b.Run("make/"+name, func(b *testing.B) {
			for b.Loop() {
				out, in := pick()
				inc.Swap(out, in)
				inc.Undo()
			}
		})
	}
}

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
			e := fast.NewEvaluator(objective.Problem{Routing: r})
			loads := e.Loads(p)
			for l, v := range slow.load { // the comparison is worth nothing if they disagree
				if want := new(big.Rat).SetFrac(big.NewInt(v), r.Denominator()); loads.Load(core.Link(l)).Cmp(want) != 0 {
					b.Fatalf("link %d: %s, pairs give %s", l, loads.Load(core.Link(l)), want)
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
