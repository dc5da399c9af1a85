package objective_test

import (
	"errors"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/texts"
)

// random returns a matrix with some demands of random fractions.
func random(rng *rand.Rand, tasks int) *objective.Matrix {
	var pairs [][2]int
	var amounts []*big.Rat
	for from := range tasks {
		for to := range tasks {
			if from != to && rng.IntN(3) == 0 {
				pairs = append(pairs, [2]int{from, to})
				amounts = append(amounts, big.NewRat(int64(rng.IntN(7)), int64(1+rng.IntN(4))))
			}
		}
	}
	return coretest.Must(objective.NewMatrix(tasks, pairs, amounts, func(int) string { return "" }))
}

// TestTaskLoads: by the definition, the sum over demands of the amount times the part of the paths that use a link.
func TestTaskLoads(t *testing.T) {
	for i := range coretest.Cases(100, 30) {
		rng := coretest.Rng(3501, i)
		in := coretest.RandomOn(rng, coretest.AnyNetwork(rng, 16))
		if in.Routing.DependsOnPlacement() || routing.Complete(in.Routing) != nil {
			continue
		}
		m := random(rng, 1+rng.IntN(in.Torus.N()))
		p := coretest.Must(objective.Problem{Routing: in.Routing}.WithTraffic(objective.Traffic{Matrix: m}))
		at := rng.Perm(in.Torus.N())[:m.Tasks]
		placed := coretest.Must(p.Place(at))
		if problem := p.Refusal(placed); problem != "" {
			t.Fatal(problem)
		}
		if read := coretest.Must(objective.ParseTraffic(p.Traffic.String())); read.Matrix.SHA256() != m.SHA256() {
			t.Fatalf("case %d: %s reads as %s", i, p.Traffic, read)
		}
		loads := p.Naive(placed)
		for l := range in.Torus.M() {
			if !in.Torus.HasLink(core.Link(l)) {
				continue
			}
			sum := new(big.Rat)
			for _, d := range m.Demands {
				total, through := int64(0), int64(0)
				for path, weight := range in.Routing.Paths(at[d.From], at[d.To], nil) {
					total += weight
					for _, link := range path {
						if int(link) == l {
							through += weight
						}
					}
				}
				share := big.NewRat(through, total)
				sum.Add(sum, share.Mul(share, big.NewRat(d.Amount, m.Den)))
			}
			_, port := in.Torus.LinkFrom(core.Link(l))
			sum.Quo(sum, big.NewRat(int64(in.Torus.Bandwidth(port.Dim)), 1))
			if loads.Load(core.Link(l)).Cmp(sum) != 0 {
				t.Fatalf("case %d: link %d has %v, want %s", i, l, loads.Load(core.Link(l)), sum)
			}
		}
	}
}

// TestMatricesOfTraffic: a uniform matrix is traffic from all to all, and a matrix of two blocks is that of clients.
func TestMatricesOfTraffic(t *testing.T) {
	for i := range coretest.Cases(60, 20) {
		rng := coretest.Rng(3502, i)
		in := coretest.RandomOn(rng, coretest.AnyNetwork(rng, 12))
		if in.Routing.DependsOnPlacement() || routing.Complete(in.Routing) != nil {
			continue
		}
		n := in.Torus.N()
		p := objective.Problem{Routing: in.Routing}
		compare := func(q objective.Problem, s core.Placement, at []int, amount func(from, to int) int64) {
			t.Helper()
			var pairs [][2]int
			var amounts []*big.Rat
			for from := range at {
				for to := range at {
					if from != to {
						pairs, amounts = append(pairs, [2]int{from, to}), append(amounts, big.NewRat(amount(from, to), 3))
					}
				}
			}
			m := coretest.Must(objective.NewMatrix(len(at), pairs, amounts, func(int) string { return "" }))
			with := coretest.Must(p.WithTraffic(objective.Traffic{Matrix: m}))
			loads := with.Naive(coretest.Must(with.Place(at)))
			have, _ := loads.Max()
			want, _ := q.Naive(s).Max()
			if have.Mul(have, big.NewRat(3, 1)).Cmp(want) != 0 {
				t.Fatalf("case %d, %s: %s by the matrix, %s without", i, q, have, want)
			}
		}
		s := in.Placement
		if s.Size() > 0 {
			compare(p, s, s.Nodes(), func(int, int) int64 { return 1 })
		}
		traffic := objective.Traffic{Request: rng.IntN(3), Reply: 1 + rng.IntN(3)}
		q := coretest.Must(p.WithTraffic(traffic))
		at := make([]int, n)
		for v := range at {
			at[v] = v
		}
		between, _ := traffic.Amounts(s)
		compare(q, s, at, between)
	}
}

// TestPatterns: the loads of patterns on 8x8 under XY that textbooks have. On the mesh transpose loads the links at the
// corners of the diagonal with k-1, bit complement those of the middle with k/2; on the torus tornado sends k/2-1 hops
// one way in each dimension, and neighbour one.
func TestPatterns(t *testing.T) {
	for _, c := range []struct{ network, pattern, load string }{
		{"8x8:open=0,1", "transpose", "7"}, {"8x8:open=0,1", "bit-complement", "4"}, {"8x8", "tornado", "3"},
		{"8x8", "neighbour", "1"}, {"8", "tornado", "3"}, {"5", "tornado", "2"},
		// From rows below r to column 0 above it go (8-r)8 nodes times r messages, and 4 more to node 0: r = 2.
		{"8x8:open=0,1", "hot-spot", "288"}, {"8x8:open=0,1", "uniform", "128"},
	} {
		torus, r := coretest.Parse(c.network, "odr")
		if torus.D() == 2 {
			r = coretest.Must(routing.Parse(torus, "odr:order=1,0"))
		}
		m := coretest.Must(texts.ParsePattern(torus, "pattern:"+c.pattern))
		p := coretest.Must(objective.Problem{Routing: r}.WithTraffic(objective.Traffic{Matrix: m}))
		loads := p.Naive(coretest.Must(p.Place(core.Range(torus.N()))))
		if most, _ := loads.Max(); most.RatString() != c.load {
			t.Errorf("%s on %s: %s, want %s", c.pattern, c.network, most.RatString(), c.load)
		}
	}
	torus := core.MustTorus(2, 2, 2)
	for pattern, want := range map[string]string{
		"bit-complement": "[[0,7,\"1\"],[1,6,\"1\"],[2,5,\"1\"],[3,4,\"1\"],[4,3,\"1\"],[5,2,\"1\"],[6,1,\"1\"],[7,0,\"1\"]]",
		"bit-reversal":   "[[1,4,\"1\"],[3,6,\"1\"],[4,1,\"1\"],[6,3,\"1\"]]",
		"shuffle":        "[[1,2,\"1\"],[2,4,\"1\"],[3,6,\"1\"],[4,1,\"1\"],[5,3,\"1\"],[6,5,\"1\"]]",
	} {
		m := coretest.Must(texts.ParsePattern(torus, "pattern:"+pattern))
		if !strings.Contains(string(m.Text()), want) {
			t.Errorf("%s: %s, want %s", pattern, m.Text(), want)
		}
	}
}

// TestMatrixErrors: what is wrong is named with its place.
func TestMatrixErrors(t *testing.T) {
	one := big.NewRat(1, 1)
	for _, c := range []struct {
		pairs   [][2]int
		amounts []*big.Rat
		want    string
	}{
		{[][2]int{{0, 1}, {0, 3}}, []*big.Rat{one, one}, "tasks are 0..2"},
		{[][2]int{{0, 1}, {1, 1}}, []*big.Rat{one, one}, "sends to itself"},
		{[][2]int{{0, 2}, {0, 1}}, []*big.Rat{one, big.NewRat(-1, 2)}, "negative"},
		{[][2]int{{0, 1}, {0, 1}}, []*big.Rat{one, one}, "first in line 0"},
	} {
		_, err := objective.NewMatrix(3, c.pairs, c.amounts, func(i int) string { return "line " + string(rune('0'+i)) })
		var e *core.InputError
		if !errors.As(err, &e) || e.Text != "line 1" || !strings.Contains(e.Problem, c.want) {
			t.Errorf("%v: %v, want %q in line 1", c.pairs, err, c.want)
		}
	}
	m := coretest.Must(objective.NewMatrix(5, [][2]int{{0, 1}}, []*big.Rat{one}, nil))
	p := objective.Problem{Routing: routing.NewUDR(core.MustTorus(2, 2), routing.TiePlus)}
	if err := coretest.Must(p.WithTraffic(objective.Traffic{Matrix: m})).CheckRoom(); err == nil ||
		!strings.Contains(err.Error(), "room for 4") {
		t.Errorf("5 tasks on 4 nodes: %v", err)
	}
	p = coretest.Must(p.WithTraffic(objective.Traffic{Matrix: m, PerNode: 2}))
	for text, want := range map[string]string{"0=0,0+4=1,1": "", "5=0,0": "tasks are", "0=2,0": "outside",
		"0,0": "task is fixed", "0=0,0+0=1,1": "twice"} {
		for _, a := range objective.Axes {
			if a.Name != "fixed" {
				continue
			}
			q, err := a.Read(p, text)
			if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("fixed %s: %v, want %q", text, err, want)
			}
			if err == nil && a.Text(q) != text {
				t.Errorf("fixed %s prints as %s", text, a.Text(q))
			}
		}
	}
	large := core.MustTorus(17, 17)
	for _, c := range []struct {
		pattern, want string
	}{{"pattern:transpose", ""}, {"pattern:uniform", "more than the 1048576 that a record holds"}} {
		q := objective.Problem{Routing: routing.NewUDR(large, routing.TiePlus)}
		q = coretest.Must(q.WithTraffic(objective.Traffic{Matrix: coretest.Must(texts.ParsePattern(large, c.pattern))}))
		if err := q.CheckRoom(); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.pattern, err, c.want)
		}
	}
	crowded := coretest.Must(p.Place([]int{0, 0, 0, 1, 2}))
	if problem := p.Refusal(crowded); !strings.Contains(problem, "more than 2 tasks") {
		t.Error(problem)
	}
}
