package card

import "leeway/encode/cnf"

// ExactlyK writes that exactly k of the literals hold, by a sequential counter
// (C. Sinz, Towards an optimal CNF encoding of Boolean cardinality constraints,
// CP 2005) in both directions. A k outside 0..len(literals) gives the clause
// that cannot hold. It takes about k len(literals) variables and four times as
// many clauses.
func ExactlyK(b *cnf.Builder, literals []int, k int) {
	n := len(literals)
	if k < 0 || k > n {
		b.Clause()
		return
	}
	// count[j] holds when at least j of the literals so far do. It is a
	// constant where the rest decides: j = 0 holds, more than there are fails,
	// and fewer than the remaining ones can bring to k must hold.
	count := make([]entry, k+2)
	count[0] = entry{fixed: true, value: true}
	for j := 1; j <= k+1; j++ {
		count[j] = entry{fixed: true}
	}
	for i, x := range literals {
		next := make([]entry, k+2)
		for j := range next {
			next[j] = count[j]
			switch {
			case j == 0:
			case j <= k-(n-1-i):
				next[j] = entry{fixed: true, value: true}
			case j <= min(i+1, k):
				next[j] = entry{variable: b.Var()}
			}
		}
		for j := 1; j <= k+1; j++ {
			step(b, x, count[j-1], count[j], next[j])
		}
		count = next
	}
}

// An entry of the counter is a variable or a constant.
type entry struct {
	variable int
	fixed    bool
	value    bool
}

// step writes next = old or (x and less): j are reached if they were before, or
// if x is the one missing.
func step(b *cnf.Builder, x int, less, old, next entry) {
	clause(b, old.not(), next)
	clause(b, less.not(), next, literal(-x))
	clause(b, next.not(), less)
	clause(b, next.not(), old, literal(x))
}

func literal(l int) entry { return entry{variable: l} }

func (e entry) not() entry {
	return entry{variable: -e.variable, fixed: e.fixed, value: !e.value}
}

// clause writes the entries as a clause, without the constants.
func clause(b *cnf.Builder, entries ...entry) {
	literals := make([]int, 0, 3)
	for _, e := range entries {
		if e.fixed && e.value {
			return
		}
		if !e.fixed {
			literals = append(literals, e.variable)
		}
	}
	b.Clause(literals...)
}
