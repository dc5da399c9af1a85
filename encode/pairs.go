package encode

import (
	"cmp"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/core/routing"
)

// A pairLoad is what an unordered pair of nodes, a < b, puts on one link, in
// units of 1/D.
type pairLoad struct {
	a, b   int
	weight int64
}

// pairLoads returns, by port, what every pair puts on the link that leaves node
// 0 by that port, heaviest first. The loads of the other links are translates
// of these. It returns false when the loads of a port together pass 62 bits.
// Cost O(N) flows and O(M N) pairs at most.
func pairLoads(r routing.Routing) ([][]pairLoad, bool) {
	t := r.Torus()
	ports := make([][]pairLoad, t.Degree())
	sums := make([]*big.Int, t.Degree())
	for i := range sums {
		sums[i] = new(big.Int)
	}
	for q := 1; q < t.N(); q++ {
		back := t.Displacement(q, 0)
		if back < q {
			continue // the pairs at displacement q are those at displacement -q
		}
		for link, weight := range jointLoads(r, q) {
			// The link leaves node from when the pair is 0, q; move it to node 0.
			from, port := int(link)%t.N(), int(link)/t.N()
			a, b := t.Displacement(from, 0), t.Displacement(from, q)
			if back == q && a > b {
				continue // where q = -q, the pair stands at two links of its own
			}
			sums[port].Add(sums[port], weight)
			ports[port] = append(ports[port], pairLoad{a: min(a, b), b: max(a, b), weight: weight.Int64()})
		}
	}
	for i := range ports {
		if sums[i].BitLen() > 62 {
			return nil, false
		}
		sortLoads(ports[i])
	}
	return ports, true
}

// jointLoads returns what nodes 0 and q send each other, in units of 1/D.
func jointLoads(r routing.Routing, q int) map[core.Link]*big.Int {
	den := r.Denominator()
	loads := map[core.Link]*big.Int{}
	for _, f := range []routing.Flow{r.Flow(0, q, nil), r.Flow(q, 0, nil)} {
		unit := new(big.Int).Div(den, f.Den)
		for _, s := range f.Shares {
			w := new(big.Int).Mul(s.Num, unit)
			if have := loads[s.Link]; have != nil {
				w.Add(w, have)
			}
			loads[s.Link] = w
		}
	}
	return loads
}

// sortLoads puts equal weights together, which merges states of the counters,
// and fixes the sequence of clauses.
func sortLoads(loads []pairLoad) {
	slices.SortFunc(loads, func(x, y pairLoad) int {
		return cmp.Or(cmp.Compare(y.weight, x.weight), cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
	})
}
