package restrict

import (
	"fmt"

	"leeway/core"
)

// A rule says which numbers of paths a pair may keep, and in which unit shares
// are counted.
type rule struct {
	single   bool
	minPaths int
	den      int64 // loads are multiples of 1/den
}

// maxCommonPaths is the largest number up to which every number of paths is
// allowed where the words of loads permit. Larger ones are if they divide den, and
// the number of all paths of a pair is.
const maxCommonPaths = 16

// coarseDen is the denominator of the first rule where that of the goal is
// larger.
const coarseDen = 12

// maxUnits bounds the ordered pairs times the denominator: room for
// sums of loads.
const maxUnits = 1 << 44

// newRules returns the rules to search under, in turn: few numbers of paths first,
// so that the goal can be met exactly, then as many as possible. It fails with an
// *core.InputError if shares have no common denominator of reasonable size.
func newRules(s *space, p Params) ([]rule, error) {
	r := rule{single: p.Single, minPaths: max(p.MinPaths, 1), den: 1}
	if r.single {
		return []rule{r}, nil
	}
	most := int64(maxUnits) / int64(max(len(s.pairs), 1))
	for _, l := range s.lists {
		if r.den = core.LCM(r.den, int64(len(l.paths))); r.den > most {
			return nil, &core.InputError{Text: fmt.Sprintf("%d processors on %s", p.Placement.Size(), s.torus),
				Problem: "the numbers of paths of the pairs have no common multiple of reasonable size",
				Hint:    "choose single paths, or among dimension orders"}
		}
	}
	for c := int64(2); c <= maxCommonPaths; c++ {
		if next := core.LCM(r.den, c); next <= most {
			r.den = next
		}
	}
	coarse := r
	coarse.den = coarseDen
	if d := p.Goal.Denom(); d.IsInt64() && d.Int64() <= coarseDen {
		coarse.den = core.LCM(2, d.Int64())
	}
	return []rule{coarse, r}, nil
}

// least returns how many of available paths a pair has to keep.
func (r rule) least(available int) int { return min(r.minPaths, available) }

// allows reports whether a pair may keep count of its available paths.
func (r rule) allows(count, available int) bool {
	if r.single {
		return count == 1
	}
	return count >= r.least(available) && count > 0 && r.den%int64(count) == 0
}
