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
	forbidden []bool // by pairClass: such pairs pass the limit alone
	links     []linkRule
	clauses   int64 // of the links
}

// A linkRule is the constraint of all links of one class.
type linkRule struct {
	linkClass // with the pairs that are counted
	most      *card.AtMost
}

// pairClass returns a number below B N, B being the number of bases, that pairs of nodes have in common exactly if
// a translation takes one to the other: without open dimensions the displacement.
func (m *Model) pairClass(p, q int) int {
	return m.base[p]*m.torus.N() + m.torus.Displacement(m.torus.ClosedPart(p), q)
}

// pairRules returns the rules over pairs for a limit in units of 1/D.
func (m *Model) pairRules(units int64, w *core.Watch) (*pairRules, error) {
	r := &pairRules{model: m, forbidden: m.marked(func(l pairLoad) bool { return l.weight > units }, m.classes)}
	for _, class := range m.classes {
		if class.idle {
			continue
		}
		if err := r.addLinks(class, units, w); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// marked returns, by pairClass, the pairs of which some load on a link of the classes is wanted.
func (m *Model) marked(wanted func(pairLoad) bool, classes []linkClass) []bool {
	marks := make([]bool, len(m.torus.Bases())*m.torus.N())
	for _, class := range classes {
		for _, l := range class.loads {
			if wanted(l) {
				marks[m.pairClass(l.a, l.b)], marks[m.pairClass(l.b, l.a)] = true, true
			}
		}
	}
	return marks
}

// addLinks adds the rule of the links of one class, if they need one.
func (r *pairRules) addLinks(class linkClass, units int64, w *core.Watch) error {
	var loads []pairLoad
	var weights []int64
	divisor := int64(0)
	for _, l := range class.loads {
		if !r.forbidden[r.model.pairClass(l.a, l.b)] {
			loads = append(loads, l)
			weights = append(weights, l.weight)
			divisor = core.GCD(divisor, l.weight)
		}
	}
	for i := range weights {
		weights[i] /= divisor
	}
	links := int64(len(r.model.shifts))
	room := MaxClauses / links
	if !r.model.torus.Closed() { // no link needs that much more than most
		room = min(room, 4*MaxClauses/int64(r.model.torus.N()))
	}
	most, err := card.NewAtMost(w, weights, units/max(divisor, 1), room)
	if err != nil {
		return r.model.tooLarge(err)
	}
	if r.clauses += links * most.Clauses(); r.clauses > MaxClauses {
		return &cnf.SizeError{What: r.model.problem.String(), Limit: MaxClauses}
	}
	if class.loads = loads; !most.Holds() {
		r.links = append(r.links, linkRule{linkClass: class, most: most})
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
	counted := r.model.marked(func(pairLoad) bool { return true }, r.classes())
	pairs := &pairVars{n: len(nodes), variable: make([]int, len(nodes)*len(nodes))}
	for q := range nodes {
		for p := range q {
			switch x := r.model.pairClass(p, q); {
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

// classes returns the classes of links that have a rule, with the pairs that are counted.
func (r *pairRules) classes() (list []linkClass) {
	for _, rule := range r.links {
		list = append(list, rule.linkClass)
	}
	return list
}

// writeLinks writes the rule of every class for every link of it.
func (r *pairRules) writeLinks(b *cnf.Builder, pairs *pairVars) {
	for _, rule := range r.links {
		literals := make([]int, len(rule.loads))
		for _, by := range r.model.shifts {
			if b.Err() != nil {
				return
			}
			for i, l := range rule.loads {
				literals[i] = pairs.pair(r.model.sums.Node(by, l.a), r.model.sums.Node(by, l.b))
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

func (v *pairVars) set(p, q, y int)   { v.variable[p*v.n+q], v.variable[q*v.n+p] = y, y }
func (v *pairVars) pair(p, q int) int { return v.variable[p*v.n+q] }

// A pairLoad is what an unordered pair of nodes, a < b, puts on one link, in
// units of 1/D.
type pairLoad struct {
	a, b   int
	weight int64
}

// addLoads sets the classes of the links, by port and base, each with what every pair puts on its link at the base,
// heaviest first. The loads of its other links are translates of these. It says why it cannot: the loads of a link
// together pass 62 bits, or there are too many. Cost O(B N) flows, B being the number of bases.
func (m *Model) addLoads(w *core.Watch) error {
	t, bases := m.torus, m.torus.Bases()
	den := objective.Denominator(m.problem.Routing)
	switch {
	case den == nil:
		return m.unsupported("the loads have no common unit of reasonable size")
	case den.BitLen() > 61:
		return m.unsupported("the loads of pairs in common units pass 62 bits")
	}
	loads, sums, count := make([][]pairLoad, t.Degree()*len(bases)), make([]int64, t.Degree()*len(bases)), 0
	for _, p := range bases {
		for q := range t.N() {
			back := m.pairClass(q, p)
			if q == p || back < m.pairClass(p, q) {
				continue // a translation takes the pair q, p to one that comes before
			}
			loaded, err := m.jointLoads(p, q, den, w)
			if err != nil {
				return err
			}
			for link, weight := range loaded {
				// Move the link that the pair p, q uses so that it leaves a base.
				from, port := int(link)%t.N(), int(link)/t.N()
				by := t.ClosedPart(from)
				a, b := t.Displacement(by, p), t.Displacement(by, q)
				if back == m.pairClass(p, q) && a > b {
					continue // where a translation exchanges p and q, they stand at two links of the class
				}
				class := port*len(bases) + m.base[from]
				if sums[class] += weight; sums[class]>>62 > 0 {
					return m.unsupported("the loads of pairs in common units pass 62 bits")
				}
				loads[class] = append(loads[class], pairLoad{a: min(a, b), b: max(a, b), weight: weight})
				if count++; count > maxLoads {
					return m.unsupported("the network is too large: its links have more than %d loads of pairs", maxLoads)
				}
			}
		}
	}
	for class, list := range loads {
		port, from := class/len(bases), bases[class%len(bases)]
		if t.HasLink(core.Link(port*t.N() + from)) {
			sortLoads(list)
			m.classes = append(m.classes, linkClass{port: port, from: from, loads: list})
		}
	}
	return nil
}

// jointLoads returns what two nodes send each other, in units of 1/den: of a link with bandwidth b a message is
// 1/b of a unit of load. The error is that of the watch.
func (m *Model) jointLoads(p, q int, den *big.Int, w *core.Watch) (map[core.Link]int64, error) {
	loads := map[core.Link]int64{}
	for _, ends := range [2][2]int{{p, q}, {q, p}} {
		f, err := routing.FlowWatched(m.problem.Routing, ends[0], ends[1], nil, w)
		if err != nil {
			return nil, err
		}
		for l, load := range f.Units(m.torus, den) {
			loads[l] += load
		}
	}
	return loads, w.Err(watchedPair)
}

// watchedPair is what a watch counts the loads of a pair as, besides its flows.
const watchedPair = 100

// sortLoads puts equal weights together, which merges states of the counters,
// and fixes the sequence of clauses.
func sortLoads(loads []pairLoad) {
	slices.SortFunc(loads, func(x, y pairLoad) int {
		return cmp.Or(cmp.Compare(y.weight, x.weight), cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
	})
}
