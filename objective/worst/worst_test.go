package worst_test

import (
	"math/big"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective/worst"
)

// shares returns what the messages from p to q put on links, path by path.
func shares(r routing.Routing, p, q int) map[core.Link]*big.Rat {
	t, total, loads := r.Torus(), int64(0), map[core.Link]*big.Rat{}
	for _, weight := range r.Paths(p, q, nil) {
		total += weight
	}
	for path, weight := range r.Paths(p, q, nil) {
		for _, l := range path {
			if loads[l] == nil {
				loads[l] = new(big.Rat)
			}
			loads[l].Add(loads[l], big.NewRat(weight, total*int64(t.LinkBandwidth(l))))
		}
	}
	return loads
}

// naive returns the largest load of a link over all permutations of nodes, each tried, from listed paths.
func naive(r routing.Routing, nodes []int) *big.Rat {
	most := new(big.Rat)
	loads := make([]*big.Rat, r.Torus().M())
	for l := range loads {
		loads[l] = new(big.Rat)
	}
	sent := make([][]map[core.Link]*big.Rat, len(nodes))
	for i, p := range nodes {
		for _, q := range nodes {
			sent[i] = append(sent[i], nil)
			if p != q {
				sent[i][len(sent[i])-1] = shares(r, p, q)
			}
		}
	}
	taken := make([]bool, len(nodes))
	var choose func(i int)
	choose = func(i int) {
		if i == len(nodes) {
			for _, load := range loads {
				if load.Cmp(most) > 0 {
					most = new(big.Rat).Set(load)
				}
			}
			return
		}
		for j := range nodes {
			if taken[j] {
				continue
			}
			taken[j] = true
			for l, share := range sent[i][j] {
				loads[l].Add(loads[l], share)
			}
			choose(i + 1)
			for l, share := range sent[i][j] {
				loads[l].Sub(loads[l], share)
			}
			taken[j] = false
		}
	}
	choose(0)
	return most
}

// checkCase checks a case by its permutation and its potentials.
func checkCase(t *testing.T, what string, r routing.Routing, nodes []int, c worst.Case) {
	t.Helper()
	to := slices.Sorted(slices.Values(c.To))
	if !slices.Equal(to, nodes) {
		t.Fatalf("%s: %v is no permutation of %v", what, c.To, nodes)
	}
	load := new(big.Rat)
	for i, p := range nodes {
		if p == c.To[i] {
			continue
		}
		if share := shares(r, p, c.To[i])[c.Link]; share != nil {
			load.Add(load, share)
		}
	}
	if load.Cmp(big.NewRat(c.Load, c.Den)) != 0 {
		t.Fatalf("%s: the permutation puts %s on link %d, not %d/%d", what, load.RatString(), c.Link, c.Load, c.Den)
	}
	for _, p := range c.Potentials {
		sum := int64(0)
		for i, u := range nodes {
			sum += p.Sends[i] + p.Receives[i]
			for j, v := range nodes {
				share := new(big.Rat)
				if u != v {
					if s := shares(r, u, v)[p.Link]; s != nil {
						share = s
					}
				}
				if share.Cmp(big.NewRat(p.Sends[i]+p.Receives[j], c.Den)) > 0 {
					t.Fatalf("%s: link %d carries %s of %d to %d, the potentials are %d and %d", what, p.Link, share.RatString(), u,
						v, p.Sends[i], p.Receives[j])
				}
			}
		}
		if sum > c.Load {
			t.Fatalf("%s: the potentials of link %d add up to %d, more than %d", what, p.Link, sum, c.Load)
		}
	}
}

// TestEveryPermutation compares with all permutations, on every kind of network and routing.
func TestEveryPermutation(t *testing.T) {
	for i := range coretest.Cases(800, 100) {
		rng := coretest.Rng(377, i)
		torus := coretest.AnyNetwork(rng, 16)
		if i%7 == 1 {
			torus = coretest.Given(rng, 9)
		}
		r := coretest.Routing(rng, torus)
		if r.DependsOnPlacement() {
			continue
		}
		if i%6 == 0 && torus.HasDimensions() {
			r = coretest.Table(rng, torus, !torus.Closed() || i%12 == 0)
		}
		e, err := worst.New(r)
		if err != nil {
			t.Fatalf("%s on %s: %v", r, torus, err)
		}
		for range 2 {
			s := family.Draw(torus, rng.IntN(min(torus.N(), 5)+1), rng)
			what := coretest.Instance{Torus: torus, Routing: r, Placement: s}.String()
			want, c := naive(r, s.Nodes()), e.Case(s.Nodes())
			if want.Cmp(big.NewRat(c.Load, c.Den)) != 0 || e.Load(s.Nodes(), 0) != c.Load {
				t.Fatalf("%s: %d/%d, all permutations have %s", what, c.Load, c.Den, want.RatString())
			}
			checkCase(t, what, r, s.Nodes(), c)
			if limit := 1 + rng.Int64N(c.Load+1); (e.Load(s.Nodes(), limit) >= limit) != (c.Load >= limit) {
				t.Fatalf("%s: %d is at least %d", what, c.Load, limit)
			}
		}
	}
}

// TestKnownWorstCases: on a torus of 8 x 8 with a processor on every node, the worst cases of the literature, 1 over
// their parts of the capacity (Towles and Dally, 2002; Singh et al., 2002), and those with ties that go one way, and on
// all shortest paths.
func TestKnownWorstCases(t *testing.T) {
	torus := core.MustTorus(8, 8)
	for text, want := range map[string]string{
		"odr:tie=plus": "4", "odr:tie=both": "7/2", "val": "2", "romm": "24/5", "minimal": "85/14",
	} {
		r := coretest.Must(routing.Parse(torus, text))
		c := coretest.Must(worst.New(r)).Case(core.Range(64))
		if have := big.NewRat(c.Load, c.Den).RatString(); have != want {
			t.Errorf("%s: %s, want %s", text, have, want)
		}
		if text == "odr:tie=both" {
			checkCase(t, text, r, core.Range(64), c)
		}
	}
	// Published with three digits: 0.313 of the capacity under RLB.
	c := coretest.Must(worst.New(coretest.Must(routing.Parse(torus, "rlb")))).Case(core.Range(64))
	if have := big.NewRat(c.Den, c.Load).FloatString(3); have != "0.313" {
		t.Errorf("rlb: %s of the capacity", have)
	}
}
