package claims

import (
	"cmp"
	"fmt"
	"math/big"
)

// A number is an int or a *big.Rat; anything else panics. Formulas of the papers are written with the functions
// below, which compute exactly and leave their arguments as they are.
type number any

// rational returns a number as a fraction, which must not be changed.
func rational(x number) *big.Rat {
	switch v := x.(type) {
	case int:
		return big.NewRat(int64(v), 1)
	case *big.Rat:
		return v
	}
	panic(fmt.Sprintf("audit: %T is no number", x))
}

// ratio returns a/b.
func ratio(a, b int) *big.Rat { return big.NewRat(int64(a), int64(b)) }

// power returns k^e; a negative exponent gives a fraction.
func power(k, e int) *big.Rat {
	p := new(big.Int).Exp(big.NewInt(int64(k)), big.NewInt(int64(max(e, -e))), nil)
	if e < 0 {
		return new(big.Rat).SetFrac(big.NewInt(1), p)
	}
	return new(big.Rat).SetInt(p)
}

// binary returns factor * 2^e.
func binary(factor number, e int) *big.Rat { return product(factor, power(2, e)) }

// sum returns the sum of its terms.
func sum(terms ...number) *big.Rat {
	total := new(big.Rat)
	for _, x := range terms {
		total.Add(total, rational(x))
	}
	return total
}

// product returns the product of its factors.
func product(factors ...number) *big.Rat {
	p := big.NewRat(1, 1)
	for _, x := range factors {
		p.Mul(p, rational(x))
	}
	return p
}

// quotient returns a/b.
func quotient(a, b number) *big.Rat { return new(big.Rat).Quo(rational(a), rational(b)) }

// larger returns the larger of two numbers.
func larger(a, b number) *big.Rat {
	if above.holds(a, b) {
		return rational(a)
	}
	return rational(b)
}

// ceiling returns the least whole number that is not below x.
func ceiling(x *big.Rat) *big.Rat {
	whole := new(big.Int).Add(x.Num(), new(big.Int).Sub(x.Denom(), big.NewInt(1)))
	return new(big.Rat).SetInt(whole.Quo(whole, x.Denom()))
}

// display returns a fraction in lowest terms, and words as they are.
func display(x any) string {
	if r, ok := x.(*big.Rat); ok {
		return r.RatString()
	}
	return fmt.Sprint(x)
}

// A relation is how a true value is claimed to compare with a printed one, in the words that stand before that.
type relation string

// The relations.
const (
	equals  relation = ""
	atLeast relation = "at least "
	atMost  relation = "at most "
	below   relation = "less than "
	above   relation = "more than "
)

// holds reports whether truth stands in the relation to printed.
func (r relation) holds(truth, printed number) bool {
	c := compare(truth, printed)
	switch r {
	case atLeast:
		return c >= 0
	case atMost:
		return c <= 0
	case below:
		return c < 0
	case above:
		return c > 0
	}
	return c == 0
}

func compare(a, b number) int {
	if x, ok := a.(int); ok {
		if y, ok := b.(int); ok {
			return cmp.Compare(x, y)
		}
	}
	return rational(a).Cmp(rational(b))
}
