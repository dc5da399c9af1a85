package audit

import "math/big"

// A relation is how a true value is claimed to compare with a printed one.
type relation string

const (
	equals  relation = ""
	atLeast relation = "at least "
	atMost  relation = "at most "
	below   relation = "less than "
	above   relation = "more than "
)

// holds reports whether truth stands in the relation to printed.
func (r relation) holds(truth, printed *big.Rat) bool {
	c := truth.Cmp(printed)
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

// A subject is what one case of a claim is about.
type subject interface {
	String() string  // the parameters
	command() string // a command that shows the true value, empty if there is none
}

// words is a subject that no command shows.
type words string

func (w words) String() string  { return string(w) }
func (w words) command() string { return "" }

// shownBy is a subject in words of which a command shows the true value.
type shownBy struct {
	words
	line string
}

func (s shownBy) command() string { return s.line }

// compare adds a case in which a true value is claimed to stand in a relation to a
// printed one.
func (s *survey) compare(at subject, truth *big.Rat, r relation, printed *big.Rat) {
	s.add(r.holds(truth, printed), func() Counterexample {
		return Counterexample{Case: at.String(), Claimed: string(r) + printed.RatString(), True: truth.RatString(), Command: at.command()}
	})
}

// count is compare for whole numbers.
func (s *survey) count(at subject, truth int, r relation, printed int) {
	s.compare(at, whole(truth), r, whole(printed))
}

// whole returns n as a fraction.
func whole(n int) *big.Rat { return big.NewRat(int64(n), 1) }

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

func sum(a, b *big.Rat) *big.Rat     { return new(big.Rat).Add(a, b) }
func product(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }
