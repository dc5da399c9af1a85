package card

import "leeway/encode/cnf"

// Count returns, as an exact number, how many of the literals hold. It takes about
// len(literals)^2/2 variables and five times as many clauses.
func Count(b *cnf.Builder, literals []int) Unary {
	parts := make([]Unary, len(literals))
	for i, l := range literals {
		parts[i] = Unary{{Value: 1, Literal: l}}
	}
	return Total(b, parts, len(literals))
}

// Total returns the sum of exact numbers, cut off at most, as an exact number,
// adding one after the other (O. Bailleux and Y. Boufkhad, Efficient CNF encoding
// of Boolean cardinality constraints, CP 2003).
func Total(b *cnf.Builder, parts []Unary, most int) Unary {
	var sum Unary
	for i, part := range parts {
		if i == 0 && len(part) <= most {
			sum = part
			continue
		}
		sum = merged(b, sum, part, most)
	}
	return sum
}

// Equals writes that an exact number is n.
func Equals(b *cnf.Builder, u Unary, n int) {
	clause(b, u.atLeast(n))
	clause(b, u.atLeast(n+1).not())
}

// merged returns the sum of two exact numbers, cut off at most.
func merged(b *cnf.Builder, x, y Unary, most int) Unary {
	sum := make(Unary, min(len(x)+len(y), most))
	for i := range sum {
		sum[i] = Step{Value: int64(i + 1), Literal: b.Var()}
	}
	for i := range len(x) + 1 {
		for j := range len(y) + 1 {
			// At least i and at least j make at least i+j; at most i and at most
			// j make at most i+j.
			clause(b, x.atLeast(i).not(), y.atLeast(j).not(), sum.atLeast(min(i+j, most)))
			if i+j < len(sum) {
				clause(b, x.atLeast(i+1), y.atLeast(j+1), sum.atLeast(i+j+1).not())
			}
		}
	}
	ordered(b, sum)
	return sum
}

// atLeast returns whether an exact number is at least n; it never is beyond its
// last value.
func (u Unary) atLeast(n int) entry {
	switch {
	case n <= 0:
		return entry{fixed: true, value: true}
	case n > len(u):
		return entry{fixed: true}
	default:
		return literal(u[n-1].Literal)
	}
}
