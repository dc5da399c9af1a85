package encode

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/encode/card"
	"leeway/encode/cnf"
)

// nodeRules are those of client traffic: a processor loads a link by itself, so that every link is one "at most"
// constraint over the nodes. The placement has exactly Size processors, each of which brings a link at least what the
// node brings that brings it least. That is taken from all weights, and Size times from the limit: the diagram is
// smaller and propagates more. Links that all placements of the size keep to are left out, and so is a constraint that
// another link has too, as the links along the first dimension of odr do.
type nodeRules struct {
	model *Model
	links []nodeRule
}

// A nodeRule is one constraint: the sum of the weights of the nodes, heaviest first, and a limit.
type nodeRule struct {
	nodes []int
	most  *card.AtMost
}

// A nodeLoad is what a processor on a node puts on one link, in units of 1/D.
type nodeLoad struct {
	node   int
	weight int64
}

// maxNodeLoads bounds what is kept of nodes and the links that their messages use.
const maxNodeLoads = 1 << 23

// addNodeLoads sets, by link, what a processor on every node puts on it: all messages to and from a node that is no
// translate of others, and their translates. It fails with an *UnsupportedError or the error of the watch.
// Cost O(B N) flows, B being the number of bases.
func (m *Model) addNodeLoads(w *core.Watch) error {
	t, den := m.torus, m.problem.Denominator()
	if den == nil {
		return m.unsupported("the loads have no common unit of reasonable size")
	}
	m.nodeLoads = make([][]nodeLoad, t.M())
	count := 0
	for _, base := range t.Bases() {
		loads := map[core.Link]int64{}
		for message := range m.problem.Messages(core.MustPlacement(t, []int{base})) {
			flow, err := routing.FlowWatched(message.Routing, message.From, message.To, nil, w)
			if err != nil {
				return err
			}
			unit := new(big.Int).Mul(den, big.NewInt(message.Count))
			if unit.BitLen() > 62-bitsOfNodes {
				return m.unsupported("the loads of a processor in common units are too large")
			}
			for l, load := range flow.Units(t, unit) {
				loads[l] += load
			}
		}
		if count += len(loads) * len(m.shifts); count > maxNodeLoads {
			return m.unsupported("the network is too large: its links have more than %d loads of nodes", maxNodeLoads)
		}
		for link, weight := range loads {
			if weight>>(62-bitsOfNodes) > 0 {
				return m.unsupported("the loads of a processor in common units are too large")
			}
			from, at := int(link)%t.N(), int(link)-int(link)%t.N()
			for _, by := range m.shifts {
				l := at + m.sums.Node(by, from)
				m.nodeLoads[l] = append(m.nodeLoads[l], nodeLoad{node: m.sums.Node(by, base), weight: weight})
			}
		}
	}
	return nil
}

// bitsOfNodes is how many bits maxNodes has: the load of all processors may be longer by this many than that of one.
const bitsOfNodes = 12

// nodeFormula returns the formula of client traffic.
func (m *Model) nodeFormula(units int64, w *core.Watch) (*Formula, error) {
	rules, err := m.nodeRules(units, w)
	if err != nil {
		return nil, err
	}
	return m.measured(rules, w)
}

// nodeRules returns the rules over nodes for a limit in units of 1/D.
func (m *Model) nodeRules(units int64, w *core.Watch) (*nodeRules, error) {
	r, known, clauses := &nodeRules{model: m}, map[[sha256.Size]byte]bool{}, int64(0)
	for _, list := range m.nodeLoads {
		loads, limit := m.reduced(list, max(units, -1))
		key := sha256.New()
		for _, l := range append(loads, nodeLoad{weight: limit}) {
			_ = binary.Write(key, binary.LittleEndian, [2]int64{int64(l.node), l.weight})
		}
		if sum := [sha256.Size]byte(key.Sum(nil)); known[sum] {
			continue
		} else {
			known[sum] = true
		}
		rule, weights := nodeRule{}, []int64(nil)
		for _, l := range loads {
			rule.nodes, weights = append(rule.nodes, l.node), append(weights, l.weight)
		}
		var err error
		if rule.most, err = card.NewAtMost(w, weights, limit, MaxClauses-clauses); err != nil {
			return nil, m.tooLarge(err)
		}
		if !rule.most.Holds() {
			clauses += rule.most.Clauses()
			r.links = append(r.links, rule)
		}
	}
	return r, nil
}

// reduced returns the weights of a link, heaviest first, and the limit without what every placement of the size brings,
// divided by what the weights have in common.
func (m *Model) reduced(list []nodeLoad, limit int64) ([]nodeLoad, int64) {
	least, divisor := int64(0), int64(0)
	if len(list) == m.torus.N() {
		least = slices.MinFunc(list, func(a, b nodeLoad) int { return cmp.Compare(a.weight, b.weight) }).weight
	}
	var loads []nodeLoad
	for _, l := range list {
		if l.weight -= least; l.weight > 0 {
			loads = append(loads, l)
			divisor = core.GCD(divisor, l.weight)
		}
	}
	limit -= least * int64(m.problem.Size)
	if divisor > 1 && limit >= 0 {
		limit /= divisor
	}
	for i := range loads {
		loads[i].weight /= divisor
	}
	slices.SortFunc(loads, func(a, b nodeLoad) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.node, b.node))
	})
	return loads, limit
}

func (r *nodeRules) write(b *cnf.Builder, nodes []int) {
	card.ExactlyK(b, nodes, r.model.problem.Size)
	for _, rule := range r.links {
		if b.Err() != nil {
			return
		}
		literals := make([]int, len(rule.nodes))
		for i, v := range rule.nodes {
			literals[i] = nodes[v]
		}
		rule.most.Write(b, literals)
	}
}
