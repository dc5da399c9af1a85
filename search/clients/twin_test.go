package clients

import (
	"math/big"
	"slices"

	"leeway/core"
	"leeway/objective"
	"leeway/search/census"
	"leeway/search/census/censustest"
)

// A twin is the tree clients by its definition in docs/proofs.md: all lists of counts and all contents are tried, with
// loads by the naive evaluator.
type twin struct {
	problem  objective.Problem
	sides    [2]twinSide
	prefixes [][]int
}

// A twinSide is what the lines along one dimension carry, in units of loads.
type twinSide struct {
	k, lines int
	limit    int64
	alpha    [][]int64
	beta     [][]int64
	moves    [][]int
	low      []int
	high     []int
}

func newTwin(p objective.Problem, below *big.Rat) *twin {
	w := &twin{problem: p}
	t, den := p.Torus(), p.Denominator()
	limit := objective.NumeratorBelow(below, den).Int64()
	load := func(v, l int) int64 {
		return objective.Numerator(p.Naive(core.MustPlacement(t, []int{v})).At(core.Link(l)), den).Int64()
	}
	for s := range w.sides {
		d := &w.sides[s]
		*d = twinSide{k: t.Side(s), lines: t.Side(1 - s), limit: limit}
		d.low, d.high = make([]int, d.k), make([]int, d.k)
		for v := range t.N() {
			if p.MustHave(v) {
				d.low[t.Coord(v, s)]++
			}
			if p.MayHave(v) {
				d.high[t.Coord(v, s)]++
			}
		}
		for l := range t.M() {
			from, port := t.LinkFrom(core.Link(l))
			if port.Dim != s || t.Coord(from, 1-s) != 0 {
				continue
			}
			alpha, beta := make([]int64, d.k), make([]int64, d.k)
			for x := range d.k {
				beta[x] = load(x*t.Stride(s)+t.Stride(1-s), l)
				alpha[x] = load(x*t.Stride(s), l) - beta[x]
			}
			d.alpha, d.beta = append(d.alpha, alpha), append(d.beta, beta)
		}
		for sign := -1; sign <= 1 && !p.Conditioned(); sign += 2 {
			for shift := range d.k {
				move := make([]int, d.k)
				for x := range move {
					move[x] = core.Mod(sign*x+shift, d.k)
				}
				if d.permutes(move) {
					d.moves = append(d.moves, move)
				}
			}
		}
	}
	for row := 1; row <= w.sides[1].k; row++ {
		for column := 1; column <= w.sides[0].k; column++ {
			if len(w.margins(0, row, column)) == 0 {
				continue
			}
			for _, c := range w.margins(1, column, row) {
				w.prefixes = append(w.prefixes, append([]int{row}, c...))
			}
		}
	}
	return w
}

// permutes reports whether the classes, moved, are the classes.
func (d *twinSide) permutes(move []int) bool {
	for e := range d.alpha {
		found := false
		for f := range d.alpha {
			same := true
			for x, y := range move {
				same = same && d.alpha[f][y] == d.alpha[e][x] && d.beta[f][y] == d.beta[e][x]
			}
			found = found || same
		}
		if !found {
			return false
		}
	}
	return true
}

// margins lists the counts of the places of side s whose greatest is top and under which a line of some size fits.
func (w *twin) margins(s, top, size int) (list [][]int) {
	d := &w.sides[s]
	var try func(c []int)
	try = func(c []int) {
		if len(c) < d.k {
			for v := range top + 1 {
				try(append(slices.Clip(c), v))
			}
			return
		}
		if total(c) != w.problem.Size || slices.Max(c) != top || len(d.contents(c, size)) == 0 || !d.together(c) {
			return
		}
		for x, v := range c {
			if v < d.low[x] || v > d.high[x] || v > 0 && !d.within([]int{x}, c) {
				return
			}
		}
		for _, move := range d.moves {
			if image := moved(c, move); slices.Compare(image, c) > 0 {
				return
			}
		}
		list = append(list, c)
	}
	try(nil)
	return list
}

func moved(c, move []int) []int {
	image := make([]int, len(c))
	for x, y := range move {
		image[y] = c[x]
	}
	return image
}

func total(c []int) (sum int) {
	for _, v := range c {
		sum += v
	}
	return sum
}

// together reports whether all lines together can carry what they do under counts.
func (d *twinSide) together(c []int) bool {
	for e := range d.alpha {
		load := int64(0)
		for x, v := range c {
			load += int64(v) * (d.alpha[e][x] + int64(d.lines)*d.beta[e][x])
		}
		if load > int64(d.lines)*d.limit {
			return false
		}
	}
	return true
}

// within reports whether a line with processors at some places is within the limit under counts.
func (d *twinSide) within(places, c []int) bool {
	for e := range d.alpha {
		load := d.own(e, places)
		for x, v := range c {
			load += int64(v) * d.beta[e][x]
		}
		if load > d.limit {
			return false
		}
	}
	return true
}

// own returns what a content brings to its line by alpha.
func (d *twinSide) own(e int, places []int) (load int64) {
	for _, x := range places {
		load += d.alpha[e][x]
	}
	return load
}

// contents lists the contents of a size that fit counts, by their numbers.
func (d *twinSide) contents(c []int, size int) (list []int) {
	for content := range 1 << d.k {
		at, fits := places(content), true
		for x, v := range c {
			has := content>>x&1 == 1
			fits = fits && !(has && v == 0) && !(!has && v == d.lines)
		}
		if fits && len(at) == size && d.within(at, c) {
			list = append(list, content)
		}
	}
	return list
}

func places(content int) (list []int) {
	for x := 0; content>>x > 0; x++ {
		if content>>x&1 == 1 {
			list = append(list, x)
		}
	}
	return list
}

// bounded reports whether lines of some sizes can bring by alpha what is left of the total.
func (d *twinSide) bounded(c, sizes []int, left func(e int) int64) bool {
	for e := range d.alpha {
		least, most := int64(0), int64(0)
		for _, size := range sizes {
			var loads []int64
			for _, content := range d.contents(c, size) {
				loads = append(loads, d.own(e, places(content)))
			}
			if len(loads) == 0 {
				return false
			}
			least, most = least+slices.Min(loads), most+slices.Max(loads)
		}
		if left(e) < least || left(e) > most {
			return false
		}
	}
	return true
}

// all returns what all lines bring by alpha under counts.
func (d *twinSide) all(c []int) func(e int) int64 {
	return func(e int) (load int64) {
		for x, v := range c {
			load += int64(v) * d.alpha[e][x]
		}
		return load
	}
}

// Prefixes returns the sizes of the largest row with the column counts.
func (w *twin) Prefixes() [][]int { return w.prefixes }

// Walk visits the nodes below one prefix until a placement is found.
func (w *twin) Walk(i int) (nodes int64, sum uint64, found bool) {
	row, c := w.prefixes[i][0], w.prefixes[i][1:]
	for _, r := range w.margins(0, row, slices.Max(c)) {
		if !w.sides[0].bounded(r, c, w.sides[0].all(r)) || !w.sides[1].bounded(c, r, w.sides[1].all(c)) {
			continue
		}
		f := &twinFilling{twin: w, c: c, r: r, order: censustest.Largest(r),
			hash: census.HashAll(census.HashAll(0, w.prefixes[i]), r)}
		f.visit(nil)
		nodes, sum = nodes+f.nodes, sum+f.sum
		if f.found {
			return nodes, sum, true
		}
	}
	return nodes, sum, false
}

// A twinFilling fills one class.
type twinFilling struct {
	*twin
	c, r  []int
	order []int
	hash  uint64
	nodes int64
	sum   uint64
	found bool
}

// visit counts the node with the given contents and visits those below it.
func (f *twinFilling) visit(contents []int) {
	f.nodes++
	f.sum += census.HashAll(f.hash, contents)
	if len(contents) == len(f.r) {
		f.found = true
		return
	}
	at := f.order[len(contents)]
	for _, content := range f.sides[1].contents(f.c, f.r[at]) {
		if next := append(slices.Clip(contents), content); !f.found && f.visited(next) {
			f.visit(next)
		}
	}
}

// visited checks a list whose last content is new.
func (f *twinFilling) visited(contents []int) bool {
	i := len(contents)
	for _, move := range f.sides[1].moves {
		if i == 1 && slices.Equal(moved(f.c, move), f.c) {
			image := 0
			for x, y := range move {
				image |= contents[0] >> x & 1 << y
			}
			if image < contents[0] {
				return false
			}
		}
	}
	var rest []int
	for _, row := range f.order[i:] {
		rest = append(rest, f.r[row])
	}
	if !f.sides[1].bounded(f.c, rest, func(e int) int64 {
		left := f.sides[1].all(f.c)(e)
		for _, content := range contents {
			left -= f.sides[1].own(e, places(content))
		}
		return left
	}) {
		return false
	}
	for n, content := range contents {
		for j := range f.c {
			if !f.admits(f.order[n], j, content>>j&1 == 1) {
				return false
			}
		}
	}
	for j := range f.c {
		if !f.completes(contents, j) {
			return false
		}
	}
	return true
}

func (f *twinFilling) admits(i, j int, has bool) bool {
	v := i*len(f.c) + j
	return has && f.problem.MayHave(v) || !has && !f.problem.MustHave(v)
}

// completes reports whether column j can be completed.
func (f *twinFilling) completes(contents []int, j int) bool {
	for _, column := range f.sides[0].contents(f.r, f.c[j]) {
		agrees := true
		for i := range f.r {
			agrees = agrees && f.admits(i, j, column>>i&1 == 1)
		}
		for n, content := range contents {
			agrees = agrees && column>>f.order[n]&1 == content>>j&1
		}
		if agrees {
			return true
		}
	}
	return false
}
