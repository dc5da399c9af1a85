package claim

import (
	"cmp"
	"fmt"
	"math/big"
)

// A Number is an int or a *big.Rat; anything else panics. Formulas of the papers are written with the functions
// below, which compute exactly and leave their arguments as they are.
type Number any

// Rational returns a number as a fraction, which must not be changed.
func Rational(x Number) *big.Rat {
	switch v := x.(type) {
	case int:
		return big.NewRat(int64(v), 1)
	case *big.Rat:
		return v
	}
	panic(fmt.Sprintf("audit: %T is no number", x))
}

// Ratio returns a/b.
func Ratio(a, b int) *big.Rat { return big.NewRat(int64(a), int64(b)) }

// Power returns k^e; a negative exponent gives a fraction.
func Power(k, e int) *big.Rat {
	p := new(big.Int).Exp(big.NewInt(int64(k)), big.NewInt(int64(max(e, -e))), nil)
	if e < 0 {
		return new(big.Rat).SetFrac(big.NewInt(1), p)
	}
	return new(big.Rat).SetInt(p)
}

// Binary returns factor * 2^e.
func Binary(factor, e int) *big.Rat { return Product(factor, Power(2, e)) }

// Sum returns the sum of its terms.
func Sum(terms ...Number) *big.Rat {
	total := new(big.Rat)
	for _, x := range terms {
		total.Add(total, Rational(x))
	}
	return total
}

// Product returns the product of its factors.
func Product(factors ...Number) *big.Rat {
	p := big.NewRat(1, 1)
	for _, x := range factors {
		p.Mul(p, Rational(x))
	}
	return p
}

// Quotient returns a/b.
func Quotient(a, b Number) *big.Rat { return new(big.Rat).Quo(Rational(a), Rational(b)) }

// Larger returns the larger of two numbers.
func Larger(a, b Number) *big.Rat {
	if Above.Holds(a, b) {
		return Rational(a)
	}
	return Rational(b)
}

// Ceiling returns the least whole number that is not below x.
func Ceiling(x *big.Rat) *big.Rat {
	whole := new(big.Int).Add(x.Num(), new(big.Int).Sub(x.Denom(), big.NewInt(1)))
	return new(big.Rat).SetInt(whole.Quo(whole, x.Denom()))
}

// Display returns a fraction in lowest terms, and words as they are.
func Display(x any) string {
	if r, ok := x.(*big.Rat); ok {
		return r.RatString()
	}
	return fmt.Sprint(x)
}

// A Relation is how a true value is claimed to compare with a printed one, in the words that stand before that.
type Relation string

// The relations.
const (
	Equals  Relation = ""
	AtLeast Relation = "at least "
	AtMost  Relation = "at most "
	Below   Relation = "less than "
	Above   Relation = "more than "
)

// Holds reports whether truth stands in the relation to printed.
func (r Relation) Holds(truth, printed Number) bool {
	c := compare(truth, printed)
	switch r {
	case AtLeast:
		return c >= 0
	case AtMost:
		return c <= 0
	case Below:
		return c < 0
	case Above:
		return c > 0
	}
	return c == 0
}

func compare(a, b Number) int {
	if x, ok := a.(int); ok {
		if y, ok := b.(int); ok {
			return cmp.Compare(x, y)
		}
	}
	return Rational(a).Cmp(Rational(b))
}
