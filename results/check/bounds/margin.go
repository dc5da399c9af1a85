package bounds

import (
	"fmt"
	"math/big"

	"leeway/core/routing"
	"leeway/objective"
	"leeway/results/check/meter"
	"leeway/results/check/shares"
)

// marginProblem says why the margin bound b on the E_max of n processors under r
// is not confirmed, "" if it is. The bound claims that no placement keeps every
// link within Witness.Refuted, and that E_max is then at least the next multiple
// of 1/Witness.Denominator.
//
// The claim is derived again from the paths of single pairs: see
// docs/margin-bound.md for the argument. Nothing is shared with the program that
// found the bound.
func marginProblem(m *meter.Meter, r routing.Routing, n int, b objective.Bound) string {
	if b.Witness.Refuted == "" {
		if b.Value.Sign() != 0 {
			return "a margin bound above 0 names no refuted limit"
		}
		return ""
	}
	if n < 0 || n > r.Torus().N() {
		return "the size does not fit the torus"
	}
	limit, ok := new(big.Rat).SetString(b.Witness.Refuted)
	if !ok || limit.Sign() < 0 || limit.RatString() != b.Witness.Refuted {
		return "the refuted limit is not a fraction in lowest terms"
	}
	step := shares.MarginStep(m, r)
	if step == nil || step.String() != b.Witness.Denominator {
		return "the denominator is not that of the routing"
	}
	units := new(big.Rat).Mul(limit, new(big.Rat).SetInt(step))
	if !units.IsInt() {
		return "the refuted limit is no multiple of 1/" + step.String()
	}
	if next := new(big.Rat).Add(limit, new(big.Rat).SetFrac(big.NewInt(1), step)); next.Cmp(b.Value) != 0 {
		return "the bound is not the next multiple after the refuted limit"
	}
	return refuteMargins(m, r, n, limit)
}

// refuteMargins returns "" if some dimension or pair of dimensions has no
// margins within the limit.
func refuteMargins(m *meter.Meter, r routing.Routing, n int, limit *big.Rat) string {
	t := r.Torus()
	tooLong := false
	for s := range t.D() {
		for o := s; o < t.D(); o++ {
			found, ok := marginsExist(m, r, s, o, n, limit)
			if ok && !found {
				return ""
			}
			tooLong = tooLong || !ok
		}
	}
	if tooLong {
		return fmt.Sprintf("margins of more than %d places are not tried again", maxMarginSide)
	}
	return "there are margins within the refuted limit"
}

// marginsExist reports whether dimensions s and o have margins within the limit
// that leave room for each other, for s = o whether s has one within its
// boundaries. The answer is not ok if side s is too long; a pair of dimensions that the
// routing mixes in varying shares is taken to have some.
func marginsExist(m *meter.Meter, r routing.Routing, s, o, n int, limit *big.Rat) (found, ok bool) {
	first := newMargin(m, r, s, o, n, limit)
	if first == nil {
		return true, s != o
	}
	rooms := first.rooms()
	if s == o {
		return rooms != nil, true
	}
	if rooms == nil {
		return false, true
	}
	second := newMargin(m, r, o, s, n, limit)
	others := second.rooms()
	for p, q := range rooms {
		for p2, q2 := range others {
			if p2 <= q && p <= q2 { // the largest counts p and p2 have room in each other's patterns
				return true, true
			}
		}
	}
	return false, true
}
