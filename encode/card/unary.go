package card

import (
	"slices"

	"leeway/encode/cnf"
)

// A Unary is a number that is 0 or one of the values listed, ascending: if it is
// at least Value, then Literal holds, and each literal implies the one before it.
// An exact one has the values 1, 2, ... and a literal holds only if the number
// comes to its value.
type Unary []Step

// A Step says that a number has come to a value.
type Step struct {
	Value   int64
	Literal int
}

// Add returns sum + factor term where the guard holds (always, if it is 0), and
// sum where it does not, cut off at most, which the sum must not pass. Only one
// direction is written: the result may be larger than it should, which suffices
// where it is bounded from above. It takes a variable for every value of the
// result and a clause for every two values that stay below most together.
func Add(b *cnf.Builder, sum Unary, guard int, term Unary, factor, most int64) Unary {
	if most < 1 {
		return nil
	}
	if len(sum) == 0 && guard == 0 {
		return scaled(term, factor, most)
	}
	total := newTotal(b, sum, term, factor, most)
	for _, s := range sum {
		b.Clause(-s.Literal, total.literal(s.Value))
	}
	eachSum(sum, term, factor, most, func(value int64, literals ...int) {
		if guard != 0 {
			literals = append(literals, -guard)
		}
		b.Clause(append(literals, total.literal(value))...)
	})
	ordered(b, total)
	return total
}

// ordered writes that each literal of a number implies the one before it.
func ordered(b *cnf.Builder, u Unary) {
	for i := 1; i < len(u); i++ {
		b.Clause(-u[i].Literal, u[i-1].Literal)
	}
}

// LimitSum writes that sum + term is at most limit where the guard holds. The sum
// alone must be.
func LimitSum(b *cnf.Builder, sum Unary, guard int, term Unary, limit int64) {
	eachSum(sum, term, 1, limit+1, func(value int64, literals ...int) {
		if value > limit {
			b.Clause(append(literals, -guard)...)
		}
	})
}

// eachSum calls f with every value above sum that sum + factor term can take,
// cut off at most, and the negated literals that together bring it there, which
// are only valid during the call. Of the pairs that reach most only those are
// taken that no smaller pair implies.
func eachSum(sum, term Unary, factor, most int64, f func(value int64, literals ...int)) {
	reached := len(term) // that value of term reaches most with a smaller sum
	buffer := make([]int, 0, 4)
	for i := -1; i < len(sum); i++ {
		start, literals := int64(0), buffer
		if i >= 0 {
			start, literals = sum[i].Value, append(buffer, -sum[i].Literal)
		}
		for j, t := range term[:reached] {
			value := start + factor*t.Value
			f(min(value, most), append(literals, -t.Literal)...)
			if value >= most {
				reached = j
				break
			}
		}
	}
}

// newTotal returns the values that sum + factor term can take, up to most, with
// a new variable each.
func newTotal(b *cnf.Builder, sum, term Unary, factor, most int64) Unary {
	var values []int64
	for _, s := range sum {
		values = append(values, s.Value)
	}
	eachSum(sum, term, factor, most, func(value int64, _ ...int) { values = append(values, value) })
	slices.Sort(values)
	var total Unary
	for _, v := range slices.Compact(values) {
		total = append(total, Step{Value: v, Literal: b.Var()})
	}
	return total
}

// scaled returns factor term, cut off at most, with the same literals.
func scaled(term Unary, factor, most int64) Unary {
	var list Unary
	for _, t := range term {
		list = append(list, Step{Value: min(factor*t.Value, most), Literal: t.Literal})
		if factor*t.Value >= most {
			break
		}
	}
	return list
}

// literal returns the literal of one of the values.
func (u Unary) literal(value int64) int {
	i, _ := slices.BinarySearchFunc(u, value, func(s Step, v int64) int { return int(s.Value - v) })
	return u[i].Literal
}

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
