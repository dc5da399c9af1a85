package encode

import (
	"cmp"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/encode/card"
	"leeway/encode/cnf"
	"leeway/objective"
)

// pairRules has a variable that must hold with both nodes of a pair, and one "at
// most" constraint for each link over the pairs that use it. What is always true
// is left out: links whose pairs stay within the limit all together. Pairs that
// pass it alone are forbidden and counted nowhere.
type pairRules struct {
	model     *Model
	forbidden []bool // by displacement: such pairs pass the limit alone
	links     []linkRule
}

// A linkRule is the constraint of all links of one port.
type linkRule struct {
	port  int
	loads []pairLoad
	most  *card.AtMost
}

// pairRules returns the rules over pairs for a limit in units of 1/D.
func (m *Model) pairRules(units int64) (*pairRules, error) {
	r := &pairRules{model: m, forbidden: make([]bool, m.torus.N())}
	for _, loads := range m.loads {
		for _, l := range loads {
			if l.weight > units {
				r.forbidden[m.torus.Displacement(l.a, l.b)] = true
				r.forbidden[m.torus.Displacement(l.b, l.a)] = true
			}
		}
	}
	for port := range m.loads {
		if m.idle[port] {
			continue
		}
		if err := r.addLinks(port, units); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// addLinks adds the rule of the links of one port, if they need one.
func (r *pairRules) addLinks(port int, units int64) error {
	var loads []pairLoad
	var weights []int64
	divisor := int64(0)
	for _, l := range r.model.loads[port] {
		if !r.forbidden[r.model.torus.Displacement(l.a, l.b)] {
			loads = append(loads, l)
			weights = append(weights, l.weight)
			divisor = core.GCD(divisor, l.weight)
		}
	}
	for i := range weights {
		weights[i] /= divisor
	}
	most, err := card.NewAtMost(weights, units/max(divisor, 1), MaxClauses/int64(r.model.torus.N()))
	if err != nil {
		return &cnf.SizeError{What: r.model.problem.String(), Limit: MaxClauses}
	}
	if !most.Holds() {
		r.links = append(r.links, linkRule{port: port, loads: loads, most: most})
	}
	return nil
}

func (r *pairRules) write(b *cnf.Builder, nodes []int) {
	card.ExactlyK(b, nodes, r.model.problem.Size)
	r.writeLinks(b, r.writePairs(b, nodes))
}

// writePairs writes the forbidden pairs, and a variable that must hold with both
// nodes for every pair that some link rule counts.
func (r *pairRules) writePairs(b *cnf.Builder, nodes []int) *pairVars {
	counted := make([]bool, len(nodes)) // by displacement
	for _, rule := range r.links {
		for _, l := range rule.loads {
			counted[r.model.torus.Displacement(l.a, l.b)] = true
			counted[r.model.torus.Displacement(l.b, l.a)] = true
		}
	}
	pairs := &pairVars{n: len(nodes), variable: make([]int, len(nodes)*len(nodes))}
	for q := range nodes {
		for p := range q {
			switch x := r.model.torus.Displacement(p, q); {
			case r.forbidden[x]:
				b.Clause(-nodes[p], -nodes[q])
			case counted[x]:
				y := b.Var()
				b.Clause(-nodes[p], -nodes[q], y)
				pairs.set(p, q, y)
			}
		}
	}
	return pairs
}

// writeLinks writes the rule of every port for every node that a link leaves.
func (r *pairRules) writeLinks(b *cnf.Builder, pairs *pairVars) {
	for _, rule := range r.links {
		literals := make([]int, len(rule.loads))
		for from := range r.model.torus.N() {
			if b.Err() != nil {
				return
			}
			for i, l := range rule.loads {
				literals[i] = pairs.of(r.model.sums.At(from, l.a), r.model.sums.At(from, l.b))
			}
			rule.most.Write(b, literals)
		}
	}
}

// pairVars holds the variable of every unordered pair.
type pairVars struct {
	n        int
	variable []int
}

func (v *pairVars) set(p, q, y int) { v.variable[p*v.n+q], v.variable[q*v.n+p] = y, y }
func (v *pairVars) of(p, q int) int { return v.variable[p*v.n+q] }

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
	den := objective.Denominator(r)
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
