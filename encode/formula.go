package encode

import (
	"math/big"

	"leeway/encode/card"
	"leeway/encode/cnf"
	"leeway/encode/symbreak"
)

// A Formula is the question of a model for one limit, measured and ready to be
// written as often as needed. It is immutable.
type Formula struct {
	model     *Model
	forbidden []bool // by displacement: such pairs pass the limit alone
	links     []linkRule
	vars      int
	clauses   int64
}

// A linkRule is the constraint of all links of one port.
type linkRule struct {
	port  int
	loads []pairLoad
	most  *card.AtMost
}

// Formula returns the formula "some placement has no load above limit". It fails
// with a *cnf.SizeError when it would have more than MaxClauses clauses, before
// it takes the memory. A negative limit gives a formula that cannot hold.
//
// What is always true is left out: links whose pairs stay within the limit all
// together. Pairs that pass it alone are forbidden and counted nowhere. Cost
// that of Write to a sink which does nothing.
func (m *Model) Formula(limit *big.Rat) (*Formula, error) {
	units := m.units(limit)
	f := &Formula{model: m, forbidden: make([]bool, m.torus.N())}
	for _, loads := range m.loads {
		for _, l := range loads {
			if l.weight > units {
				f.forbidden[m.torus.Displacement(l.a, l.b)] = true
				f.forbidden[m.torus.Displacement(l.b, l.a)] = true
			}
		}
	}
	for port := range m.loads {
		if err := f.addLinks(port, units); err != nil {
			return nil, err
		}
	}
	b := cnf.NewBuilder(nil, m.problem.String(), m.torus.N(), MaxClauses)
	f.write(b)
	f.vars, f.clauses = b.Vars(), b.Clauses()
	return f, b.Err()
}

// units returns the limit in units of 1/D, rounded down, cut off beyond all loads.
func (m *Model) units(limit *big.Rat) int64 {
	u := new(big.Int).Mul(limit.Num(), m.problem.Routing.Denominator())
	u.Div(u, limit.Denom())
	if most := big.NewInt(1 << 62); u.Cmp(most) > 0 {
		u = most
	}
	return u.Int64()
}

// addLinks adds the rule of the links of one port, if they need one.
func (f *Formula) addLinks(port int, units int64) error {
	var loads []pairLoad
	var weights []int64
	divisor := int64(0)
	for _, l := range f.model.loads[port] {
		if !f.forbidden[f.model.torus.Displacement(l.a, l.b)] {
			loads = append(loads, l)
			weights = append(weights, l.weight)
			divisor = gcd(divisor, l.weight)
		}
	}
	for i := range weights {
		weights[i] /= divisor
	}
	most, err := card.NewAtMost(weights, units/max(divisor, 1), MaxClauses/int64(f.model.torus.N()))
	if err != nil {
		return &cnf.SizeError{What: f.model.problem.String(), Limit: MaxClauses}
	}
	if !most.Holds() {
		f.links = append(f.links, linkRule{port: port, loads: loads, most: most})
	}
	return nil
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// Vars returns the number of variables.
func (f *Formula) Vars() int { return f.vars }

// Clauses returns the number of clauses.
func (f *Formula) Clauses() int64 { return f.clauses }

// Write writes the formula to the sink, always the same clauses in the same
// sequence. It stops at the first error of the sink and returns it.
func (f *Formula) Write(sink cnf.Sink) error {
	b := cnf.NewBuilder(sink, f.model.problem.String(), f.model.torus.N(), MaxClauses)
	f.write(b)
	return b.Err()
}

func (f *Formula) write(b *cnf.Builder) {
	nodes := make([]int, f.model.torus.N())
	for v := range nodes {
		nodes[v] = f.model.NodeVar(v)
	}
	card.ExactlyK(b, nodes, f.model.problem.Size)
	pairs := f.writePairs(b, nodes)
	f.writeLinks(b, pairs)
	if f.model.group != nil {
		symbreak.Orbit(b, f.model.group, nodes)
	}
}

// writePairs writes the forbidden pairs, and a variable that must hold with both
// nodes for every pair that some link rule counts.
func (f *Formula) writePairs(b *cnf.Builder, nodes []int) *pairVars {
	counted := make([]bool, len(nodes)) // by displacement
	for _, rule := range f.links {
		for _, l := range rule.loads {
			counted[f.model.torus.Displacement(l.a, l.b)] = true
			counted[f.model.torus.Displacement(l.b, l.a)] = true
		}
	}
	pairs := &pairVars{n: len(nodes), variable: make([]int, len(nodes)*len(nodes))}
	for q := range nodes {
		for p := range q {
			switch x := f.model.torus.Displacement(p, q); {
			case f.forbidden[x]:
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
func (f *Formula) writeLinks(b *cnf.Builder, pairs *pairVars) {
	for _, rule := range f.links {
		literals := make([]int, len(rule.loads))
		for _, sum := range f.model.sums {
			if b.Err() != nil {
				return
			}
			for i, l := range rule.loads {
				literals[i] = pairs.of(int(sum[l.a]), int(sum[l.b]))
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
