package congestion_test

import (
	"math/big"
	"testing"

	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/congestion"

	"leeway/core"
)

// linearProgram returns the value of the dual program under a traffic without symmetry and with
// a row for every path: maximise the sum of theta over messages, where theta of one from p to q
// is at most the weight of each path from p to q and all weights, times bandwidths, sum to
// at most 1.
func linearProgram(p core.Placement, traffic objective.Traffic) *big.Rat {
	links := p.Torus().M()
	all := routing.NewMinimal(p.Torus(), routing.TieBoth)
	var rows [][]int64 // coefficients of weights, then of thetas
	var messages [][2]int
	for m := range (objective.Problem{Routing: all, Terms: objective.Terms{Traffic: traffic}}).Messages(p) {
		for range m.Count {
			messages = append(messages, [2]int{m.From, m.To})
		}
	}
	pairs := len(messages)
	total := make([]int64, links+pairs)
	for l := range links {
		if p.Torus().HasLink(core.Link(l)) {
			total[l] = int64(p.Torus().LinkBandwidth(core.Link(l)))
		}
	}
	rows = append(rows, total)
	theta := links
	for _, m := range messages {
		for path := range all.Paths(m[0], m[1], nil) {
			row := make([]int64, links+pairs)
			row[theta] = 1
			for _, l := range path {
				row[l] = -1
			}
			rows = append(rows, row)
		}
		theta++
	}
	return maximise(rows, links)
}

// maximise is the textbook tableau with Bland's rule: the sum of the variables
// from first on, at most 1 in row 0 and at most 0 in the others.
func maximise(rows [][]int64, first int) *big.Rat {
	vars, m := len(rows[0]), len(rows)
	table := make([][]*big.Rat, m+1)
	for i := range table {
		table[i] = make([]*big.Rat, vars+m+1)
		for j := range table[i] {
			table[i][j] = new(big.Rat)
			if i < m && j < vars {
				table[i][j].SetInt64(rows[i][j])
			}
		}
		if i < m {
			table[i][vars+i].SetInt64(1)
		}
	}
	table[0][vars+m].SetInt64(1)
	basic := make([]int, m)
	for i := range basic {
		basic[i] = vars + i
	}
	for j := first; j < vars; j++ {
		table[m][j].SetInt64(-1)
	}
	for {
		enter := 0
		for enter < vars+m && table[m][enter].Sign() >= 0 {
			enter++
		}
		if enter == vars+m {
			return table[m][vars+m]
		}
		leave := -1
		var least *big.Rat
		for i := range m {
			if table[i][enter].Sign() > 0 {
				ratio := new(big.Rat).Quo(table[i][vars+m], table[i][enter])
				if c := compare(ratio, least); c < 0 || c == 0 && basic[i] < basic[leave] {
					leave, least = i, ratio
				}
			}
		}
		eliminate(table, leave, enter)
		basic[leave] = enter
	}
}

func compare(ratio, least *big.Rat) int {
	if least == nil {
		return -1
	}
	return ratio.Cmp(least)
}

func eliminate(table [][]*big.Rat, leave, enter int) {
	pivot := new(big.Rat).Set(table[leave][enter])
	for _, x := range table[leave] {
		x.Quo(x, pivot)
	}
	for i := range table {
		factor := new(big.Rat).Set(table[i][enter])
		if i == leave || factor.Sign() == 0 {
			continue
		}
		for j, x := range table[leave] {
			if x.Sign() != 0 {
				table[i][j].Sub(table[i][j], new(big.Rat).Mul(factor, x))
			}
		}
	}
}

// TestAgainstLinearProgram compares the exact method, with symmetry, with the
// program that has every path of every pair.
func TestAgainstLinearProgram(t *testing.T) {
	for i := range 600 {
		rng := coretest.Rng(42, i)
		torus := coretest.Torus(rng, 12)
		switch i % 4 {
		case 1, 3:
			torus = coretest.Opened(rng, torus)
		case 2:
			torus = coretest.Twisted(rng, 12)
		}
		p := family.Draw(torus, min(2+rng.IntN(3), torus.N()), rng)
		want := linearProgram(p, objective.Traffic{})
		if r := solve(t, p, methods["exact"]); r.Lower.Cmp(want) != 0 || r.Upper.Cmp(want) != 0 {
			t.Fatalf("case %d, %s %v: %s to %s, want %s", i, torus, p.Nodes(), r.Lower.RatString(),
				r.Upper.RatString(), want.RatString())
		}
		if r := solve(t, p, methods["guess"]); r.Lower.Cmp(want) > 0 || r.Upper.Cmp(want) < 0 {
			t.Fatalf("case %d, %s %v: guess has %s to %s around %s", i, torus, p.Nodes(), r.Lower.RatString(),
				r.Upper.RatString(), want.RatString())
		}
	}
}

// TestClientsAgainstLinearProgram does the same under client traffic, with requests and replies of other lengths, and
// compares with the naive E_max of random routings of both.
func TestClientsAgainstLinearProgram(t *testing.T) {
	turned := 0
	for i := range coretest.Cases(200, 60) {
		rng := coretest.Rng(43, i)
		torus := coretest.AnyNetwork(rng, 8)
		p := family.Draw(torus, 1+rng.IntN(min(3, torus.N())), rng)
		traffic := objective.Traffic{Request: rng.IntN(3), Reply: 1 + rng.IntN(2)}
		if traffic.Request == traffic.Reply {
			turned++
		}
		want := linearProgram(p, traffic)
		for name, o := range methods {
			r := coretest.Must(congestion.SolveTraffic(t.Context(), p, traffic, o))
			if r.Lower.Cmp(want) > 0 || r.Upper.Cmp(want) < 0 || name == "exact" && !r.Optimal {
				t.Fatalf("case %d, %s %v %v: %s has %s to %s, want %s", i, torus, traffic, p.Nodes(), name, r.Lower.RatString(),
					r.Upper.RatString(), want.RatString())
			}
		}
		q := objective.Problem{Routing: coretest.Orders(rng, torus), Size: p.Size()}
		if traffic.Request > 0 {
			traffic.Replies = coretest.Orders(rng, torus)
		}
		if most, _ := coretest.Must(q.WithTraffic(traffic)).Naive(p).Max(); most.Cmp(want) < 0 {
			t.Fatalf("case %d: a routing has %s, below %s", i, most.RatString(), want.RatString())
		}
	}
	if turned == 0 {
		t.Error("no case of as many messages both ways")
	}
}

// TestMatrixAgainstLinearProgram does the same with what tasks send each other, several of which may be on a node.
func TestMatrixAgainstLinearProgram(t *testing.T) {
	loaded := 0
	for i := range coretest.Cases(200, 60) {
		rng := coretest.Rng(44, i)
		torus := coretest.AnyNetwork(rng, 8)
		at := make([]int, 2+rng.IntN(4))
		var pairs [][2]int
		var amounts []*big.Rat
		for task := range at {
			at[task] = rng.IntN(torus.N())
			if other := rng.IntN(len(at)); other != task {
				pairs = append(pairs, [2]int{task, other})
				amounts = append(amounts, big.NewRat(int64(1+rng.IntN(3)), int64(1+rng.IntN(2))))
			}
		}
		m := coretest.Must(objective.NewMatrix(len(at), pairs, amounts, func(int) string { return "" }))
		p, traffic := coretest.Must(core.PlaceTasks(torus, at)), objective.Traffic{Matrix: m, PerNode: len(at)}
		want := linearProgram(p, traffic)
		want.Mul(want, big.NewRat(1, m.Den))
		loaded += want.Sign()
		for name, o := range methods {
			r := coretest.Must(congestion.SolveTraffic(t.Context(), p, traffic, o))
			if r.Lower.Cmp(want) > 0 || r.Upper.Cmp(want) < 0 || name == "exact" && !r.Optimal {
				t.Fatalf("case %d, %s %s at %v: %s has %s to %s, want %s", i, torus, m, at, name, r.Lower.RatString(),
					r.Upper.RatString(), want.RatString())
			}
		}
	}
	if loaded < 30 {
		t.Errorf("only %d cases with loads", loaded)
	}
}
