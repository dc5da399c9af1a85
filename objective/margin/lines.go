package margin

import (
	"cmp"
	"context"
	"math"
	"math/big"
	"math/bits"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
)

// Limits of what lines are looked at for.
const (
	maxLinesDims = 6       // all subsets of the dimensions are looked at
	maxLinesSize = 1 << 15 // processors: sums over pairs stay within a word
	// Slabs of a dimension of a twisted torus, all of whose bands are looked at.
	maxTwistedSlabs = 16
)

// Lines is LowerBound by what single lines carry, under odr, udr and orders in three and more dimensions and on twisted
// tori; it is 0, and complete, for other routings. Paths keep to the lines through slabs that have processors, and what
// a processor sends with a dimension first, or gets with it last, keeps to its own line along it: see docs/bounds.md.
// Errors are those of LowerBound.
func Lines(ctx context.Context, r routing.Routing, n int, effort int64) (Bound, error) {
	if err := checked(r.Torus(), n, effort); err != nil {
		return Bound{}, err
	}
	return lowerBound(ctx, r, n, lineScopes(r, n), effort), nil
}

// lineScopes returns that of lines, if they say anything.
func lineScopes(r routing.Routing, n int) []scope {
	if !LinesApply(r, n) {
		return nil
	}
	return []scope{{[]question{newGrid(r.(*routing.Orders), n)}, objective.Denominator(r)}}
}

// LinesApply reports whether Lines says anything about n processors under r.
func LinesApply(r routing.Routing, n int) bool {
	t := r.Torus()
	_, ordered := r.(*routing.Orders)
	if !ordered || t.D() > maxLinesDims || n > maxLinesSize {
		return false
	}
	for s := range t.D() {
		if t.Slabs(s) > maxSide || !t.Separable() && t.Slabs(s) > maxTwistedSlabs {
			return false
		}
	}
	return t.D() >= 3 || !t.Separable()
}

// A grid asks for slab counts of all dimensions together.
type grid struct {
	axes []*axis
	size int
}

// An axis is one dimension of a grid.
type axis struct {
	dim, k int
	open   bool
	band   int64
	depth  int         // nodes of a slab on the K lines in use, divided by K
	ends   int64       // links of a class that a processor has on its own line
	links  int64       // links of a class on the K lines in use, divided by K
	cross  [][][]int64 // by class: halves of a message from slab x to slab z that cross
	own    [][][]int64 // by class: what a processor in slab x and those in slab z send each other on its own line
	unit   int64       // of a message, in own
	part   int64       // of what a processor sends, or gets, the units that are on its own line at least
}

// newGrid returns the grid of n processors under r.
func newGrid(r *routing.Orders, n int) *grid {
	t, g := r.Torus(), &grid{size: n}
	for s := range t.D() {
		a := &axis{dim: s, k: t.Slabs(s), open: t.Open(s), band: int64(t.Bandwidth(s)), depth: 1, ends: 1, links: 1}
		var classes []crossing
		switch {
		case !t.Separable():
			if classes = bands(a.k); t.BothWays(s) {
				a.ends = 2
			}
			a.depth = cell(t)
			a.links = a.ends * int64(a.depth)
		case a.open:
			classes = pathCrossings(a.k)
		default:
			classes = crossings(a.k, splitOf(r))
		}
		first := leastPart(r, s, func(others uint) (int64, int64) { return r.Weight(s, 0, others) })
		last := leastPart(r, s, func(others uint) (int64, int64) { return r.Weight(s, others, 0) })
		a.unit, a.part = 2*first.den*last.den, 2*max(first.num*last.den, last.num*first.den)
		for _, c := range classes {
			own := newCrossing(a.k, 1).share
			for x := range own {
				for z := range own {
					own[x][z] = first.num*last.den*c.share[x][z] + last.num*first.den*c.share[z][x]
				}
			}
			a.cross, a.own = append(a.cross, c.share), append(a.own, own)
		}
		g.axes = append(g.axes, a)
	}
	// Dimensions with most on own lines first: they leave fewest slabs to the others.
	slices.SortStableFunc(g.axes, func(a, b *axis) int { return cmp.Compare(b.part*a.unit, a.part*b.unit) })
	return g
}

// cell returns how many nodes of a twisted torus lie in the slabs of node 0 across all dimensions.
func cell(t *core.Torus) (count int) {
	for v := range t.N() {
		if !slices.ContainsFunc(core.Range(t.D()), func(s int) bool { return t.Slab(v, s) != 0 }) {
			count++
		}
	}
	return count
}

// bands returns the classes of the links out of neighbouring slabs of a ring. Messages from these to the others cross
// them in whatever way they go.
func bands(k int) (list []crossing) {
	for start := range k {
		for length := 1; length < k; length++ {
			c := newCrossing(k, 1)
			for x := range length {
				for z := length; z < k; z++ {
					c.share[(start+x)%k][(start+z)%k] = 2
				}
			}
			list = append(list, c)
		}
	}
	return list
}

// leastPart returns the least part of a message over all sets of two or more dimensions with s that its ends differ in.
func leastPart(r *routing.Orders, s int, part func(others uint) (num, den int64)) weight {
	least := weight{1, 1}
	for others := uint(1); others < 1<<r.Torus().D(); others++ {
		if others>>s&1 != 0 {
			continue
		}
		if num, den := part(others); num*least.den < least.num*den {
			least = weight{num, den}
		}
	}
	return least
}

// exist answers whether there are numbers of slabs with processors, one in each dimension, and slab counts with so
// many, within the limit.
func (g *grid) exist(limit *big.Rat, b *budget) verdict {
	needs := make([][]int, len(g.axes)) // by axis and slabs in use: the fewest lines
	for i, a := range g.axes {
		lines := 1 // that the slabs in use of the other dimensions can have
		for j, other := range g.axes {
			switch {
			case j < i:
				lines *= most(needs[j])
			case j > i:
				lines *= other.k
			}
		}
		same := slices.IndexFunc(g.axes[:i], func(o *axis) bool { return o.alike(a) })
		if same >= 0 && lines >= g.lines(same) {
			needs[i] = needs[same]
			continue
		}
		s := newSlabs(a, g.size, lines, limit, b)
		if s == nil {
			return spent
		}
		if v := s.search(); v != none {
			return v
		}
		if needs[i] = s.best; most(needs[i]) == 0 {
			return none
		}
	}
	return g.together(needs, make([]int, 0, len(needs)), b)
}

// lines returns the most lines along an axis.
func (g *grid) lines(i int) int {
	lines := 1
	for j, a := range g.axes {
		if j != i {
			lines *= a.k
		}
	}
	return lines
}

// alike reports whether two axes ask the same.
func (a *axis) alike(o *axis) bool {
	same := func(x, y [][]int64) bool { return slices.EqualFunc(x, y, slices.Equal) }
	return a.k == o.k && a.open == o.open && a.band == o.band && a.unit == o.unit && a.depth == o.depth &&
		a.links == o.links &&
		slices.EqualFunc(a.own, o.own, same) && slices.EqualFunc(a.cross, o.cross, same)
}

// never is more lines than there are.
const never = math.MaxInt

// most returns the most slabs that can be in use, 0 if none.
func most(needs []int) int {
	for used := len(needs) - 1; used > 0; used-- {
		if needs[used] < never {
			return used
		}
	}
	return 0
}

// together answers whether each dimension can have so many slabs in use that all others have the lines they need.
func (g *grid) together(needs [][]int, used []int, b *budget) verdict {
	if !b.spend(1) {
		return spent
	}
	if len(used) < len(needs) {
		for u, need := range needs[len(used)] {
			if u > 0 && need < never {
				if v := g.together(needs, append(used, u), b); v != none {
					return v
				}
			}
		}
		return none
	}
	for i, u := range used {
		lines := 1
		for j, other := range used {
			if j != i {
				lines *= other
			}
		}
		if needs[i][u] > lines {
			return none
		}
	}
	return some
}

// A slabs search looks through the slab counts of one dimension.
type slabs struct {
	*axis
	n, lines int
	budget   *budget
	num, den int64 // the lines in use carry num/den halves of messages, over K
	line     int64 // what the links of a processor on its own line carry, in units, rounded down
	least    int   // processors of a slab in use
	counts   []int
	sums     []int64   // by class: what crosses so far
	slopes   [][]int64 // by slab and class: what one more processor there adds
	owns     [][]int64 // by slab and class: what those counted so far bring to the line of a processor there
	best     []int     // by slabs in use, these or more: the fewest lines
}

// newSlabs returns a search with up to a given number of lines, nil where sums could pass a word.
func newSlabs(a *axis, n, lines int, limit *big.Rat, b *budget) *slabs {
	carried := new(big.Rat).Mul(limit, big.NewRat(2*a.band*a.links, 1))
	line := new(big.Int).Mul(limit.Num(), big.NewInt(a.unit*a.band*a.ends))
	line.Div(line, limit.Denom())
	if carried.Num().BitLen()+bits.Len(uint(lines)) > 62 || carried.Denom().BitLen()+2*bits.Len(uint(n))+1 > 62 ||
		!line.IsInt64() {
		return nil
	}
	s := &slabs{axis: a, n: n, lines: lines, budget: b, num: carried.Num().Int64(), den: carried.Denom().Int64(),
		line: line.Int64(), least: 1, counts: make([]int, a.k), sums: make([]int64, len(a.cross)), best: make([]int, a.k+1)}
	if a.part > 0 && s.line < math.MaxInt64/2 { // a processor sends those in other slabs this part, by its two links
		s.least = max(1, int(int64(n)-min(int64(n), 2*s.line/a.ends/a.part)))
	}
	for range a.k {
		s.slopes = append(s.slopes, make([]int64, len(a.cross)))
		s.owns = append(s.owns, make([]int64, len(a.cross)))
	}
	for i := range s.best {
		s.best[i] = never
	}
	return s
}

// search goes through all counts, those of a ring with a fullest slab first: none when all were tried, else spent.
func (s *slabs) search() verdict {
	if s.open {
		return s.fill(0, s.n, 0, 0, min(s.n, s.lines*s.depth))
	}
	for top := max(s.least, (s.n+s.k-1)/s.k); top <= min(s.n, s.lines*s.depth); top++ {
		if v := s.put(0, top, s.n, 0, s.hold(top), top); v == spent {
			return spent
		}
	}
	return none
}

// fill tries all counts of slab z, used of those before it being in use, and none of more than top.
func (s *slabs) fill(z, left, used, need, top int) verdict {
	if z == s.k {
		for u := used; u > 0 && s.best[u] > need; u-- {
			s.best[u] = need
		}
		return none
	}
	for v := max(0, left-(s.k-z-1)*top); v <= min(left, top); v++ {
		if v > 0 && v < s.least {
			v = s.least - 1
			continue
		}
		if v > 0 && !s.fits(z, v) {
			break // nor do more
		}
		if answer := s.put(z, v, left, used, max(need, s.hold(v)), top); answer == spent {
			return spent
		}
	}
	return none
}

// hold returns the fewest lines with room for v processors in a slab.
func (s *slabs) hold(v int) int { return (v + s.depth - 1) / s.depth }

// fits reports whether v processors in slab z leave all lines within the limit.
func (s *slabs) fits(z, v int) bool {
	for e, load := range s.owns[z] {
		if load > s.line {
			return false
		}
		for x, count := range s.counts[:z] {
			if count > 0 && s.owns[x][e]+int64(v)*s.own[e][x][z] > s.line {
				return false
			}
		}
	}
	return true
}

// put puts v processors into slab z and goes on, unless the lines that this needs are no fewer than those that were
// found for as many slabs in use as there can be.
func (s *slabs) put(z, v, left, used, need, top int) verdict {
	if !s.budget.spend(1 + s.k*len(s.cross)/8) {
		return spent
	}
	if v > 0 {
		used++
		for e, sum := range s.sums {
			crossing := (sum + int64(v)*s.slopes[z][e]) * s.den
			if s.num == 0 && crossing > 0 {
				return none
			}
			if s.num > 0 {
				need = max(need, int((crossing+s.num-1)/s.num))
			}
		}
	}
	rest := left - v
	most := used + min(rest/s.least, s.k-z-1)
	if rest > 0 && rest < s.least || need > s.lines || need >= s.best[most] {
		return none
	}
	s.add(z, v)
	answer := s.fill(z+1, rest, used, need, top)
	s.add(z, -v)
	return answer
}

// add puts v processors into slab z, or takes -v away.
func (s *slabs) add(z, v int) {
	s.counts[z] += v
	for e, share := range s.cross {
		s.sums[e] += int64(v) * s.slopes[z][e]
		for x := range s.k {
			s.owns[x][e] += int64(v) * s.own[e][x][z]
			if x > z {
				s.slopes[x][e] += int64(v) * (share[x][z] + share[z][x])
			}
		}
	}
}
