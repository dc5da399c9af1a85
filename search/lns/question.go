package lns

import (
	"context"
	"slices"

	"leeway/encode/card"
	"leeway/search/sat"
)

// maxClauses bounds a formula.
const maxClauses = 200_000

// A question asks for a completion of a part of a placement within a limit.
type question struct {
	fixed      []int // nodes that keep their processors
	free       int   // processors to place
	candidates []int // nodes for them; each within the limit with the fixed ones
	removed    []int // those that may not all come back; nil if they may
	limit      int32 // on every load, in units of 1/D
}

// A formula is a question as clauses. Variable i+1 says that candidate i carries a
// processor. A set of candidates that passes the limit on some link makes a clause: pairs
// at once, larger ones when a model holds them.
type formula struct {
	*question
	flows   flows
	clauses *sat.Growing
	base    []int32   // loads of the fixed processors
	around  [][]int32 // by candidate: what it exchanges with them
}

// newFormula writes that as many candidates as asked for carry processors, and that no
// two of them do that pass the limit together. around is what each candidate exchanges
// with the fixed processors.
func newFormula(q *question, f flows, base []int32, around [][]int32) *formula {
	n := len(q.candidates)
	m := &formula{question: q, flows: f, clauses: sat.NewGrowing("a neighbourhood", n, maxClauses), base: base, around: around}
	nodes := make([]int, n)
	var removed []int
	for i, v := range q.candidates {
		nodes[i] = i + 1
		if slices.Contains(q.removed, v) {
			removed = append(removed, -i-1)
		}
	}
	card.ExactlyK(m.clauses.Builder, nodes, q.free)
	if len(q.removed) > 0 && len(removed) == q.free {
		m.clauses.Clause(removed...)
	}
	m.writePairs()
	return m
}

// writePairs forbids the pairs that pass the limit.
func (m *formula) writePairs() {
	loads := make([]int32, m.flows.Links())
	for i, v := range m.candidates {
		for j, w := range m.candidates[:i] {
			for l := range loads {
				loads[l] = m.base[l] + m.around[i][l] + m.around[j][l]
			}
			m.flows.Add(loads, v, w, 1)
			if slices.Max(loads) > m.limit {
				m.clauses.Clause(-i-1, -j-1)
			}
		}
	}
}

// answer looks for a completion with at most the given number of calls of the solver,
// and returns it with the calls made, at least one. Without one, open tells that the
// calls or the clauses did not suffice to say whether there is any.
func (m *formula) answer(ctx context.Context, most int) (nodes []int, calls int, open bool) {
	for calls < most && ctx.Err() == nil {
		calls++
		switch m.clauses.Call() {
		case sat.Refuted:
			return nil, calls, false
		case sat.Found:
			chosen := m.model()
			if !m.forbid(chosen) {
				return m.completion(chosen), calls, false
			}
			if m.clauses.Err() != nil {
				return nil, calls, true
			}
		}
	}
	return nil, calls, true
}

// completion returns the fixed nodes and the candidates chosen.
func (m *formula) completion(chosen []int) []int {
	nodes := slices.Clone(m.fixed)
	for _, i := range chosen {
		nodes = append(nodes, m.candidates[i])
	}
	return nodes
}

// model returns the candidates that the solver chose, by their places in the list.
func (m *formula) model() []int {
	var chosen []int
	for i := range m.candidates {
		if m.clauses.Holds(i + 1) {
			chosen = append(chosen, i)
		}
	}
	return chosen
}

// forbid writes, for every link that passes the limit with the candidates chosen, that
// not all of a smallest part of them which passes it there come together. It reports
// whether there are such links.
func (m *formula) forbid(chosen []int) bool {
	loads := slices.Clone(m.base)
	joint := map[int32][]part{}
	for k, i := range chosen {
		for l, load := range m.around[i] {
			loads[l] += load
		}
		for h, j := range chosen[:k] {
			m.flows.Each(m.candidates[i], m.candidates[j], func(link, load int32) {
				loads[link] += load
				joint[link] = append(joint[link], part{k, h, load})
			})
		}
	}
	over := false
	for link, load := range loads {
		if load > m.limit {
			over = true
			m.clauses.Clause(m.culprits(chosen, link, load-m.limit, joint[int32(link)])...)
		}
	}
	return over
}

// A part is what the candidates at two places of a choice bring to a link.
type part struct {
	i, j   int
	weight int32
}

// culprits returns the clause against a part of the candidates chosen from which none can
// be left out, given by how much the link passes the limit with all. Those that bring
// least are left out first.
func (m *formula) culprits(chosen []int, link int, excess int32, joint []part) []int {
	var clause []int
	gone := make([]bool, len(chosen))
	for range chosen {
		at, least := -1, excess
		for k, i := range chosen {
			if gone[k] {
				continue
			}
			brings := m.around[i][link]
			for _, p := range joint {
				if p.i == k && !gone[p.j] || p.j == k && !gone[p.i] {
					brings += p.weight
				}
			}
			if brings < least {
				at, least = k, brings
			}
		}
		if at < 0 {
			break
		}
		gone[at] = true
		excess -= least
	}
	for k, i := range chosen {
		if !gone[k] {
			clause = append(clause, -i-1)
		}
	}
	return clause
}
