package law

import (
	"math/big"
	"strings"

	"leeway/core"
	"leeway/objective/lowerbound"
)

// The sections of docs/laws.md that prove what is said here.
const residuesSection = "docs/laws.md#residues"

// sectionOf has the section that proves, for the name of a bound, that theorem computes it for all k.
var sectionOf = map[string]string{
	lowerbound.Degree: "docs/laws.md#permutations",
	lowerbound.Slab:   "docs/laws.md#half-a-side",
	lowerbound.Corner: "docs/laws.md#two-in-a-row",
	lowerbound.Margin: "docs/laws.md#two-in-each-line",
}

// A theorem computes E_max of the residues 0..t-1 or floor(i k/t) with coefficients 1, or of all, for d >= 2 and sides
// k >= max(3, t), under odr or udr with either tie rule, without a torus: Theorem 1 of docs/laws.md. Where t is fixed,
// k E_max and k times each of the bounds are polynomials in k on every class modulo 2t from k = 3t on (Theorem 2), of
// degree d at most, or d+2 with all residues; so two of them are equal for all such k of a class if they are for d+3.
type theorem struct {
	d, t, last   int // the range of t
	spaced, full bool
	odr, both    bool
}

// newTheorem returns the theorem for a piece, nil if there is none.
func newTheorem(q Question, routed string, p piece, low, high int) *theorem {
	name, options, _ := strings.Cut(q.Family, ":")
	residues := (name == "linear" || name == "full") && options == "" ||
		(name == "multilinear" || name == "spaced") && strings.HasPrefix(options, "t=") && !strings.Contains(options, ":")
	head, _, _ := strings.Cut(routed, ":")
	if !residues || q.Dims < 2 || p.from < 3 || head != "odr" && head != "udr" {
		return nil
	}
	return &theorem{d: q.Dims, t: low, last: high, spaced: name == "spaced", full: name == "full", odr: head == "odr",
		both: strings.HasSuffix(routed, ":tie=both")}
}

// load returns E_max on sides of k with t residues: Theorem 1. Cost O(k t).
func (m *theorem) load(k, t int) *big.Rat {
	t = m.residues(k, t)
	tie := 0 // twice what more than (k-1)/2 nodes are reached by the + way
	if k%2 == 0 && !m.both {
		tie = 1
	}
	reach, around := 0, 0 // twice the largest sums
	for y := range k {
		f, g := 0, 0
		for i := range t {
			r := i
			if m.spaced {
				r = i * k / t
			}
			s := (y - r + k) % k
			f += max(0, k-1+tie-2*s)
			g += max(0, k-1+tie-2*s) + max(0, k-1+tie-2*(k-1-s))
		}
		reach, around = max(reach, f), max(around, g)
	}
	ends := new(big.Rat).Mul(big.NewRat(int64(t), 2), power(k, m.d-2))
	if m.odr {
		return ends.Mul(ends, rational(reach))
	}
	crossings := 0 // twice the pairs of a ring that cross a + link
	for s := range k {
		crossings += max(0, k-1+tie-2*s)
	}
	middle := new(big.Rat).Mul(big.NewRat(int64((m.d-2)*t*t*crossings), 2), power(k, m.d-3))
	total := middle.Add(middle, ends.Mul(ends, rational(around)))
	return total.Mul(total, big.NewRat(1, int64(m.d)))
}

// degree returns (n-1)/(2d), n = t k^(d-1).
func (m *theorem) degree(k, t int) *big.Rat {
	n := new(big.Rat).Mul(rational(m.residues(k, t)), power(k, m.d-1))
	return n.Mul(n.Sub(n, rational(1)), big.NewRat(1, int64(2*m.d)))
}

// slab returns the bound of half the slabs, each with t k^(d-2) processors: t^2 k^(d-3) floor(k/2) ceil(k/2) / 2.
func (m *theorem) slab(k, t int) *big.Rat {
	t = m.residues(k, t)
	return new(big.Rat).Mul(big.NewRat(int64(t*t*(k/2)*((k+1)/2)), 2), power(k, m.d-3))
}

// residues returns t, but k for the full torus.
func (m *theorem) residues(k, t int) int {
	if m.full {
		return k
	}
	return t
}

// corners reports whether Theorem 5 applies, for two residues or more on two dimensions under udr.
func (m *theorem) corners() bool { return m.d == 2 && !m.odr && m.t > 1 }

// corner returns n/4.
func (m *theorem) corner(k, t int) *big.Rat { return big.NewRat(int64(m.count(t)*k), 4) }

// margins reports whether Theorem 9 applies, for two residues on two dimensions.
func (m *theorem) margins() bool { return m.d == 2 && m.t == 2 && m.last == 2 && !m.full }

// margin returns the smallest E_max of 2k processors.
func (m *theorem) margin(k, _ int) *big.Rat {
	tie := 0
	if k%2 == 0 && !m.both {
		tie = 1
	}
	if m.odr {
		return rational(k - 1 + tie)
	}
	return rational((k+1)/2 + tie)
}

// proves reports whether E_max is the polynomial of the piece for all of its k.
func (m *theorem) proves(p piece) bool { return m.equals(p, m.load) }

// equals reports whether a quantity of the theorem is the polynomial of the piece for all of its k and t.
func (m *theorem) equals(p piece, quantity func(k, t int) *big.Rat) bool {
	for count := m.t; count <= m.last; count++ {
		t := count
		if m.t == m.last {
			t = 0
		}
		period := core.LCM(p.Period, 2*count)
		last := max(p.from, 3*count) + period*(max(m.d+2, len(p.polynomial))+1)
		for k := max(p.from, count); k <= last; k++ {
			if p.has(k, t) && p.polynomial.Value(k, t).Cmp(quantity(k, count)) != 0 {
				return false
			}
		}
	}
	return true
}

// count returns the number of residues of a value, whose T is 0 where all have the same.
func (m *theorem) count(t int) int {
	if t == 0 {
		return m.t
	}
	return t
}
