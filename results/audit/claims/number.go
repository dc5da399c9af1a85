package claims

import (
	"cmp"
	"fmt"
	"math/big"
	"regexp"
	"strings"
	"sync"
)

// A number is an int, a *big.Rat, or a string: a formula as the papers print it, "(31/96) 2^(2d-1) + k^(d-3)/8".
// Products have no sign; they and / are computed from left to right. floor(x), ceil(x) and max(x, y) are what their
// names say. A formula that cannot be read, or has an unknown letter, is a mistake of a check and panics.
type number any

// letters are what the letters of formulas stand for, by name.
type letters map[string]number

// let returns letters with names, separated by blanks, and their values.
func let(names string, values ...number) letters {
	l := letters{}
	for i, name := range strings.Fields(names) {
		l[name] = values[i]
	}
	return l
}

// value returns a number as a fraction, which must not be changed.
func (l letters) value(x number) *big.Rat {
	switch v := x.(type) {
	case int:
		return big.NewRat(int64(v), 1)
	case *big.Rat:
		return v
	case string:
		f := formula{append(symbols().FindAllString(v, -1), ""), l}
		if r := f.sum(); f.rest[0] == "" {
			return r
		}
	}
	panic(fmt.Sprintf("audit: %T %v is no number", x, x))
}

var symbols = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\d+|\|P\||floor|ceil|max|width|\S`)
})

// A formula is read from the left; rest has the symbols that are left, and "" after them.
type formula struct {
	rest []string
	letters
}

// next takes the next symbol if it is a given one.
func (f *formula) next(symbol string) bool {
	is := f.rest[0] == symbol
	if is {
		f.rest = f.rest[1:]
	}
	return is
}

func (f *formula) sum() *big.Rat {
	total := new(big.Rat)
	for sign := int64(1); ; {
		if f.next("-") {
			sign = -sign
		}
		total.Add(total, new(big.Rat).Mul(big.NewRat(sign, 1), f.product()))
		if sign = 1; !f.next("+") && f.rest[0] != "-" {
			return total
		}
	}
}

func (f *formula) product() *big.Rat {
	p := new(big.Rat).Set(f.power())
	for {
		switch {
		case f.next("/"):
			p.Quo(p, f.power())
		case strings.Contains("+-),", f.rest[0]): // or the end
			return p
		default:
			p.Mul(p, f.power())
		}
	}
}

func (f *formula) power() *big.Rat {
	base, p := f.factor(), big.NewRat(1, 1)
	if !f.next("^") {
		return base
	}
	e := f.factor().Num().Int64()
	for range max(e, -e) {
		p.Mul(p, base)
	}
	if e < 0 {
		p.Inv(p)
	}
	return p
}

// factor reads a number, a letter, a function or a bracket.
func (f *formula) factor() *big.Rat {
	first := f.rest[0]
	f.rest = f.rest[1:]
	switch first {
	case "(": // two numbers are the arguments of max
		x := f.sum()
		if f.next(",") {
			x = larger(x, f.sum())
		}
		if !f.next(")") {
			panic("audit: a bracket of a formula is open before " + strings.Join(f.rest, " "))
		}
		return x
	case "floor":
		return floor(f.factor())
	case "ceil":
		x := f.factor()
		return x.Neg(floor(x.Neg(x)))
	case "max":
		return f.factor()
	}
	if x, known := new(big.Rat).SetString(first); known {
		return x
	}
	return f.value(f.letters[first])
}

// floor returns the largest whole number that is not above x.
func floor(x *big.Rat) *big.Rat { return new(big.Rat).SetInt(new(big.Int).Div(x.Num(), x.Denom())) }

// larger returns the larger of two numbers.
func larger(a, b number) *big.Rat {
	if above.holds(a, b) {
		return letters(nil).value(a)
	}
	return letters(nil).value(b)
}

// ratio returns a/b.
func ratio(a, b int) *big.Rat { return big.NewRat(int64(a), int64(b)) }

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

// holds reports whether truth stands in the relation to printed; neither is a formula.
func (r relation) holds(truth, printed number) bool {
	c := 0
	x, ok := truth.(int)
	if y, also := printed.(int); ok && also {
		c = cmp.Compare(x, y)
	} else {
		c = letters(nil).value(truth).Cmp(letters(nil).value(printed))
	}
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
