package law

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"leeway/core"
)

// A Value is E_max of the family on the torus with all sides K; T is the number of residues where that varies, else 0.
type Value struct {
	K, T int
	Load *big.Rat
}

// A Polynomial is the sum of coefficient[i][j] k^i t^j.
type Polynomial [][]*big.Rat

// Value returns the value at k and t.
func (p Polynomial) Value(k, t int) *big.Rat {
	total, x, y := new(big.Rat), rational(k), rational(t)
	for i := len(p) - 1; i >= 0; i-- {
		row := new(big.Rat)
		for j := len(p[i]) - 1; j >= 0; j-- {
			row.Add(row.Mul(row, y), p[i][j])
		}
		total.Add(total.Mul(total, x), row)
	}
	return total
}

// String returns the text of a formula, highest powers first: k^2/8 + 3k/4 - 1, t^2 k/8.
func (p Polynomial) String() string {
	var b strings.Builder
	for i := len(p) - 1; i >= 0; i-- {
		for j := len(p[i]) - 1; j >= 0; j-- {
			c := p[i][j]
			if c.Sign() == 0 {
				continue
			}
			sign := "+"
			if c.Sign() < 0 {
				sign = "-"
			}
			switch {
			case b.Len() > 0:
				b.WriteString(" " + sign + " ")
			case sign == "-":
				b.WriteString(sign)
			}
			factors := strings.TrimSpace(powerText("t", j) + " " + powerText("k", i))
			num := new(big.Int).Abs(c.Num()).String()
			if factors != "" && num == "1" {
				num = ""
			}
			b.WriteString(num + factors)
			if !c.IsInt() {
				b.WriteString("/" + c.Denom().String())
			}
		}
	}
	if b.Len() == 0 {
		return "0"
	}
	return b.String()
}

func powerText(name string, exponent int) string {
	switch exponent {
	case 0:
		return ""
	case 1:
		return name
	}
	return name + "^" + strconv.Itoa(exponent)
}

func (p Polynomial) equal(q Polynomial) bool {
	return slices.EqualFunc(p, q, func(a, b []*big.Rat) bool {
		return slices.EqualFunc(a, b, func(x, y *big.Rat) bool { return x.Cmp(y) == 0 })
	})
}

// A class holds the k of some residues modulo Period, and the t of one parity or of both.
type class struct {
	Period   int
	Residues []int // ascending
	Parity   int   // of t: 0 or 1, -1 for both
}

func (c class) has(k, t int) bool {
	return slices.Contains(c.Residues, k%c.Period) && (c.Parity < 0 || t%2 == c.Parity)
}

// String returns the words for the class: "all k", "even k", "k divisible by 3", "k = 1, 2 mod 3", "odd k, even t".
func (c class) String() string {
	words := ""
	switch {
	case c.Period == 1:
		words = "all k"
	case c.Period == 2:
		words = [2]string{"even k", "odd k"}[c.Residues[0]]
	case len(c.Residues) == 1 && c.Residues[0] == 0:
		words = fmt.Sprintf("k divisible by %d", c.Period)
	default:
		words = fmt.Sprintf("k = %s mod %d", core.JoinInts(c.Residues, ", "), c.Period)
	}
	if c.Parity >= 0 {
		words += [2]string{", even t", ", odd t"}[c.Parity]
	}
	return words
}

// reduced returns the class with the smallest period that has the same k.
func (c class) reduced() class {
	slices.Sort(c.Residues)
	for m := 1; m < c.Period; m++ {
		if c.Period%m != 0 {
			continue
		}
		var folded []int
		for _, r := range c.Residues {
			folded = append(folded, r%m)
		}
		slices.Sort(folded)
		if folded = slices.Compact(folded); len(folded)*(c.Period/m) == len(c.Residues) {
			return class{m, folded, c.Parity}
		}
	}
	return c
}

// A piece is a polynomial that all values of a class have from side from on: those of used gave it, those of held,
// at least as many and three, were compared with it.
type piece struct {
	class
	polynomial Polynomial
	from       int
	used, held []Value
}

// No polynomial is accepted without a given number of values beside those that it was computed from, and with t in it
// none without a given number of more values of t than its degree in t.
const least, leastT = 3, 3

// fit returns a polynomial in k, and in t where that varies, for the values of a class: the first to agree with all
// from some side on, at most half of the values being before it. It has the fewest monomials that do, k to the power of
// degree and t to that of 4 at most. No piece if there is none.
func fit(c class, values []Value, degree int) (piece, bool) {
	slices.SortFunc(values, func(a, b Value) int { return 1000*(a.K-b.K) + a.T - b.T })
	ts := map[int]bool{}
	for _, v := range values {
		ts[v.T] = true
	}
	inT := min(4, max(0, len(ts)-leastT)) // other values of t to compare with
	for first := 0; 2*first <= len(values); first++ {
		if first > 0 && values[first].K == values[first-1].K {
			continue
		}
		rest := values[first:]
		for terms := 1; terms <= min((degree+1)*(inT+1), len(rest)/2, len(rest)-least); terms++ {
			for i := range degree + 1 {
				if j := terms/(i+1) - 1; terms%(i+1) == 0 && j <= inT {
					if p, ok := solve(c, rest, i, j); ok {
						return p, true
					}
				}
			}
		}
	}
	return piece{}, false
}

// solve computes the polynomial of the given degrees from the first values that determine it, by elimination, and
// compares it with all others.
func solve(c class, values []Value, inK, inT int) (piece, bool) {
	p := piece{class: c}
	unknowns := (inK + 1) * (inT + 1)
	var rows [][]*big.Rat // reduced: each has a first 1 where all others have 0
	pivot := func(row []*big.Rat) int { return slices.IndexFunc(row, func(x *big.Rat) bool { return x.Sign() != 0 }) }
	for _, v := range values {
		row := equation(v, inK, inT)
		for _, r := range rows {
			subtract(row, r, pivot(r))
		}
		at := pivot(row)
		switch {
		case at < 0:
			p.held = append(p.held, v)
			continue
		case at == unknowns:
			return p, false
		}
		inverse := new(big.Rat).Inv(row[at])
		for _, x := range row {
			x.Mul(x, inverse)
		}
		for _, r := range rows {
			subtract(r, row, at)
		}
		rows, p.used = append(rows, row), append(p.used, v)
	}
	if len(rows) < unknowns || len(p.held) < max(least, len(p.used)) {
		return p, false
	}
	p.polynomial = make(Polynomial, inK+1)
	for i := range p.polynomial {
		p.polynomial[i] = make([]*big.Rat, inT+1)
	}
	for _, row := range rows {
		p.polynomial[pivot(row)/(inT+1)][pivot(row)%(inT+1)] = row[unknowns]
	}
	return p, true
}

// equation returns the equation of a value for the coefficients, the right side last.
func equation(v Value, inK, inT int) (row []*big.Rat) {
	for i := range inK + 1 {
		for j := range inT + 1 {
			row = append(row, new(big.Rat).Mul(power(v.K, i), power(v.T, j)))
		}
	}
	return append(row, new(big.Rat).Set(v.Load))
}

// subtract takes from a row so much of another one, which has a 1 at a place, that 0 is left there.
func subtract(from, row []*big.Rat, at int) {
	factor := new(big.Rat).Set(from[at])
	for i := range from {
		if factor.Sign() != 0 && row[i].Sign() != 0 {
			from[i].Sub(from[i], new(big.Rat).Mul(factor, row[i]))
		}
	}
}

// quasi returns pieces for the values, by classes of k modulo the first of the periods for which every class has one,
// else of the one whose pieces agree with the most values. Where t varies, each parity of t may be a class of its own.
// Classes with the same polynomial are one piece.
func quasi(values []Value, periods []int, degree int) []piece {
	parities := [][]int{{-1}}
	if slices.ContainsFunc(values, func(v Value) bool { return v.T != values[0].T }) {
		parities = append(parities, []int{0, 1})
	}
	var best []piece
	most := 0
	for _, period := range periods {
		for _, ts := range parities {
			var pieces []piece
			covered, whole := 0, true
			for _, parity := range ts {
				for r := range period {
					c := class{period, []int{r}, parity}
					var of []Value
					for _, v := range values {
						if c.has(v.K, v.T) {
							of = append(of, v)
						}
					}
					if len(of) == 0 {
						continue
					}
					p, ok := fit(c, of, degree)
					if !ok {
						whole = false
						continue
					}
					covered += len(p.used) + len(p.held)
					pieces = join(pieces, p)
				}
			}
			if whole || covered > most {
				best, most = pieces, covered
			}
			if whole {
				return settle(best, values)
			}
		}
	}
	return settle(best, values)
}

// join adds a piece to others, to one with the same polynomial if there is any.
func join(pieces []piece, p piece) []piece {
	for i := range pieces {
		if q := &pieces[i]; q.Parity == p.Parity && q.polynomial.equal(p.polynomial) {
			q.Residues = append(q.Residues, p.Residues...)
			q.used, q.held = append(q.used, p.used...), append(q.held, p.held...)
			return pieces
		}
	}
	return append(pieces, p)
}

// settle names the classes of pieces in the shortest way, and lets each piece begin where all values of its class agree
// from there on.
func settle(pieces []piece, values []Value) []piece {
	for i := range pieces {
		p := &pieces[i]
		p.class = p.reduced()
		p.from = 0
		for _, v := range values {
			if p.has(v.K, v.T) && p.polynomial.Value(v.K, v.T).Cmp(v.Load) != 0 {
				p.from = max(p.from, v.K+1)
			}
		}
		before := func(v Value) bool { return v.K < p.from }
		p.used, p.held = slices.DeleteFunc(p.used, before), slices.DeleteFunc(p.held, before)
		p.from = slices.MinFunc(append(slices.Clone(p.used), p.held...), func(a, b Value) int { return a.K - b.K }).K
	}
	return pieces
}

func rational(n int) *big.Rat { return big.NewRat(int64(n), 1) }

// power returns n^e, 1 for e = 0; a negative e gives a fraction.
func power(n, e int) *big.Rat {
	p := new(big.Int).Exp(big.NewInt(int64(n)), big.NewInt(int64(max(e, -e))), nil)
	if e < 0 {
		return new(big.Rat).SetFrac(big.NewInt(1), p)
	}
	return new(big.Rat).SetInt(p)
}
