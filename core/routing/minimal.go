package routing

import (
	"cmp"
	"iter"
	"math/big"
	"math/bits"
	"slices"
	"sync"

	"leeway/core"
)

// Minimal is the routing that uses every shortest lattice path, uniformly: the
// whole set from which Definition 3 of seed 000 draws.
type Minimal struct {
	base
	once sync.Once
	den  *big.Int // once known; nil: too large
}

// NewMinimal returns the routing by all shortest paths on t.
func NewMinimal(t *core.Torus, tie Tie) *Minimal { return &Minimal{base: base{t, tie}} }

// Unordered returns true.
func (r *Minimal) Unordered() bool { return true }

// String returns the canonical form.
func (r *Minimal) String() string { return "minimal:tie=" + r.tie.String() }

// box is a pair's choice of direction in every dimension with the number of
// steps to take there.
type box struct {
	dirs  []core.Dir
	steps []int
}

// boxes returns one box for every shortest vector.
func (r *Minimal) boxes(p, q int) (list []box) {
	for _, v := range r.torus.Vectors(p, q, r.tie == TieBoth) {
		list = append(list, boxOf(v))
	}
	return list
}

// boxOf returns the box of a vector.
func boxOf(v []int) box {
	b := box{dirs: make([]core.Dir, len(v)), steps: make([]int, len(v))}
	for j, x := range v {
		b.dirs[j], b.steps[j] = core.Plus, max(x, -x)
		if x < 0 {
			b.dirs[j] = core.Minus
		}
	}
	return b
}

// Paths yields every interleaving of the steps, for every choice of ways.
func (r *Minimal) Paths(p, q int, _ core.Set) iter.Seq2[[]core.Link, int64] {
	return func(yield func([]core.Link, int64) bool) {
		each := func(path []core.Link, _ int) bool { return yield(path, 1) }
		if !r.torus.HasDimensions() {
			r.follow(nil, p, q, yield)
			return
		}
		for _, b := range r.boxes(p, q) {
			if !walkBox(r.torus, nil, p, b, each) {
				return
			}
		}
	}
}

// walkBox calls yield for every interleaving of the steps of a box from a node, with the links behind those of path and
// the node reached, until it returns false.
func walkBox(t *core.Torus, path []core.Link, node int, b box, yield func(path []core.Link, end int) bool) bool {
	done := true
	for j := range b.steps {
		if b.steps[j] == 0 {
			continue
		}
		done = false
		b.steps[j]--
		longer, next := appendSegment(t, path, node, j, int(b.dirs[j]))
		more := walkBox(t, longer, next, b, yield)
		b.steps[j]++
		if !more {
			return false
		}
	}
	return !done || yield(path, node)
}

// Flow multiplies, for every lattice step of every box, the number of ways to
// reach it with the number of ways to go on. Cost: the volume of the boxes; with
// ties both on a twisted torus, and without dimensions, a product for every link between the nodes.
func (r *Minimal) Flow(p, q int, _ core.Set) Flow {
	f, _ := r.flow(p, q, nil) // no watch, no error
	return f
}

// flow is Flow until the watch ends.
func (r *Minimal) flow(p, q int, w *core.Watch) (Flow, error) {
	if !r.torus.Separable() && r.tie == TieBoth {
		return r.listFlow(p, q, w)
	}
	boxes, den, words := r.boxes(p, q), new(big.Int), true
	for _, b := range boxes {
		_, ok := wordPaths(b.steps)
		den.Add(den, r.paths(b.steps))
		words = words && ok && den.IsInt64()
	}
	return r.boxFlow(boxes, p, den, words, w)
}

// boxFlow is flow for boxes from p that have den paths, in words if these fit. The paths that go on from a point by a
// step along dimension i are those that go on, times the steps left along i, over all steps left.
func (r *Minimal) boxFlow(boxes []box, p int, den *big.Int, words bool, w *core.Watch) (Flow, error) {
	var list []smallShare
	shares := map[core.Link]*big.Int{}
	for _, b := range boxes {
		err := b.points(r.torus, p, func(node int, made, left []int) error {
			all := 0
			for _, n := range left {
				all += n
			}
			before, _ := wordPaths(made)
			after, _ := wordPaths(left)
			through := new(big.Int)
			for i, n := range left {
				link := r.torus.Link(node, i, b.dirs[i])
				switch {
				case n == 0:
				case words:
					high, low := bits.Mul64(before*after, uint64(n))
					num, _ := bits.Div64(high, low, uint64(all))
					list = append(list, smallShare{link, num})
				default:
					through.Mul(r.paths(made), r.paths(left))
					through.Div(through.Mul(through, big.NewInt(int64(n))), big.NewInt(int64(all)))
					addShares(shares, []core.Link{link}, through)
				}
			}
			return w.Err(len(made) * len(made) * stepsOfPaths)
		})
		if err != nil {
			return Flow{}, err
		}
	}
	if words {
		return wordFlow(list, den), nil
	}
	return flowOf(den, shares), nil
}

// points calls a function for every lattice point of a box from a node, with the steps made to it and those left, which
// it must not keep, until that fails.
func (b box) points(t *core.Torus, from int, each func(node int, made, left []int) error) error {
	made, left := make([]int, len(b.steps)), slices.Clone(b.steps)
	var visit func(j, node int) error
	visit = func(j, node int) error {
		if j == len(made) {
			return each(node, made, left)
		}
		for made[j] = 0; made[j] <= b.steps[j]; made[j]++ {
			left[j] = b.steps[j] - made[j]
			if err := visit(j+1, t.Shift(node, j, made[j]*int(b.dirs[j]))); err != nil {
				return err
			}
		}
		made[j], left[j] = 0, b.steps[j]
		return nil
	}
	return visit(0, from)
}

// A smallShare is a number of paths over a link.
type smallShare struct {
	link core.Link
	num  uint64
}

// wordFlow returns the flow of numbers of paths over links, of den in all.
func wordFlow(list []smallShare, den *big.Int) Flow {
	slices.SortFunc(list, func(a, b smallShare) int { return cmp.Compare(a.link, b.link) })
	kept := list[:0]
	for _, s := range list { // links that boxes share
		if n := len(kept); n > 0 && kept[n-1].link == s.link {
			kept[n-1].num += s.num
			continue
		}
		kept = append(kept, s)
	}
	f := Flow{Den: den, Shares: make([]Share, len(kept))}
	nums, words := make([]big.Int, len(kept)), make([]big.Word, len(kept))
	for i, s := range kept {
		words[i] = big.Word(s.num)
		f.Shares[i] = Share{Link: s.link, Num: nums[i].SetBits(words[i : i+1 : i+1])}
	}
	return f
}

// listFlow is flow by all shortest paths from p to q on any network: of these, those over a link are as many as those
// to its start times those from its end. Cost: two sums and a product for every link that some path uses, and O(N).
func (r *Minimal) listFlow(p, q int, w *core.Watch) (Flow, error) {
	var links []core.Link
	before, order := make([]uint64, r.torus.N()), []int{p}
	before[p] = 1
	for i := 0; i < len(order); i++ { // it grows, the nodes nearer to q later
		if err := w.Err(r.torus.Degree() * stepsOfPaths); err != nil {
			return Flow{}, err
		}
		for l, to := range r.nextLinks(order[i], q) {
			if before[to] == 0 {
				order = append(order, to)
			}
			before[to] = min(before[to]+before[order[i]], 1<<62)
			links = append(links, l)
		}
	}
	if before[q] == 1<<62 {
		return r.largeBetween(links, p, q), nil
	}
	after, list := make([]uint64, r.torus.N()), make([]smallShare, len(links))
	after[q] = 1
	for i, l := range slices.Backward(links) {
		from, to := r.torus.LinkEnds(l)
		after[from] += after[to]
		list[i] = smallShare{l, before[from] * after[to]}
	}
	return wordFlow(list, new(big.Int).SetUint64(before[q])), nil
}

// largeBetween is between for numbers of any size and the links of all shortest paths, those nearer to q later.
func (r *Minimal) largeBetween(links []core.Link, p, q int) Flow {
	before, after := map[int]*big.Int{p: big.NewInt(1)}, map[int]*big.Int{q: big.NewInt(1)}
	add := func(sums map[int]*big.Int, to int, n *big.Int) {
		if sums[to] == nil {
			sums[to] = new(big.Int)
		}
		sums[to].Add(sums[to], n)
	}
	for _, l := range links {
		from, to := r.torus.LinkEnds(l)
		add(before, to, before[from])
	}
	shares := map[core.Link]*big.Int{}
	for _, l := range slices.Backward(links) {
		from, to := r.torus.LinkEnds(l)
		add(after, from, after[to])
		shares[l] = new(big.Int).Mul(before[from], after[to])
	}
	return flowOf(before[q], shares)
}

// nextLinks yields the links that leave node v on shortest paths to node q, ascending, with the nodes that they enter.
func (r *Minimal) nextLinks(v, q int) iter.Seq2[core.Link, int] {
	t := r.torus
	return func(yield func(core.Link, int) bool) {
		left := t.LeeDistance(v, q)
		for l := range t.LinksFrom(v) {
			if _, to := t.LinkEnds(l); t.LeeDistance(to, q) == left-1 && !yield(l, to) {
				return
			}
		}
	}
}

// follow yields every shortest path from node to q, after the links of path, all of weight 1.
func (r *Minimal) follow(path []core.Link, node, q int, yield func([]core.Link, int64) bool) bool {
	if node == q {
		return yield(path, 1)
	}
	for l, to := range r.nextLinks(node, q) {
		if !r.follow(append(path, l), to, q, yield) {
			return false
		}
	}
	return true
}

// countedDenominator is denominator where shortest paths are counted from every node; nil of too many digits to be
// of use.
func (r *Minimal) countedDenominator() *big.Int {
	t, den, seen := r.torus, big.NewInt(1), map[uint64]bool{}
	for p := range t.N() {
		nodes, paths := core.Range(t.N()), make([]uint64, t.N())
		slices.SortStableFunc(nodes, func(u, v int) int { return t.LeeDistance(p, u) - t.LeeDistance(p, v) })
		for _, v := range nodes[1:] {
			paths[p] = 1
			for _, before := range r.nextLinks(v, p) { // every link back to p has its reverse
				paths[v] += min(paths[before], 1<<63/uint64(t.Degree()))
			}
			if !seen[paths[v]] {
				seen[paths[v]] = true
				core.FoldLCM(den, new(big.Int).SetUint64(paths[v]))
			}
			if paths[v] >= 1<<63/uint64(t.Degree()) || den.BitLen() > maxCountedBits {
				return nil
			}
		}
	}
	return den
}

// Limits of the networks without dimensions for which Denominator gives a common denominator: nodes, and its digits.
const (
	maxCountedNodes = 1024
	maxCountedBits  = 4096
)

// stepsOfPaths is how many steps of a watch a factor of a number of paths is.
const stepsOfPaths = 32

// paths returns the number of lattice paths that take the given steps: their
// multinomial coefficient.
func (r *Minimal) paths(steps []int) *big.Int {
	if word, ok := wordPaths(steps); ok {
		return new(big.Int).SetUint64(word)
	}
	return manyPaths(steps)
}

// wordPaths is paths for numbers that fit a word, and reports whether this one does, as a product of binomials.
func wordPaths(steps []int) (word uint64, ok bool) {
	table, sum := binomials(), 0
	word = 1
	for _, s := range steps {
		if sum += s; sum >= len(table) {
			return 0, false
		}
		high, low := bits.Mul64(word, table[sum][s])
		if high != 0 {
			return 0, false
		}
		word = low
	}
	return word, true
}

// manyPaths is paths for numbers of any size.
func manyPaths(steps []int) *big.Int {
	n, choice := big.NewInt(1), new(big.Int)
	sum := 0
	for _, s := range steps {
		sum += s
		n.Mul(n, choice.Binomial(int64(sum), int64(s)))
	}
	return n
}

// binomials returns a table of n over k, for those that fit a word.
var binomials = sync.OnceValue(func() *[68][68]uint64 {
	var table [68][68]uint64
	for n := range table {
		table[n][0] = 1
		for k := 1; k <= n; k++ {
			table[n][k] = table[n-1][k-1] + table[n-1][k]
		}
	}
	return &table
})

// maxDisplacements is the most displacements, up to reflections and permutations, for
// which Denominator gives a common denominator. Beyond it the number has hundreds of
// digits.
const maxDisplacements = 10_000

// Denominator returns the least common multiple of the path counts of all
// displacements; nil on tori with more than 10000 of them that differ by more than
// reflections and permutations, such as 512x512. Without dimensions it is that of all
// pairs; nil for more than 1024 nodes or more than 4096 bits.
func (r *Minimal) Denominator() *big.Int {
	r.once.Do(func() { r.den = r.denominator() })
	if r.den == nil {
		return nil
	}
	return new(big.Int).Set(r.den)
}

func (r *Minimal) denominator() *big.Int {
	if !r.torus.HasDimensions() {
		if r.torus.N() > maxCountedNodes {
			return nil
		}
		return r.countedDenominator()
	}
	if !r.torus.Separable() {
		if r.torus.N() > maxDisplacements {
			return nil
		}
		return listedDenominator(r.torus, r.tie, func(v []int) *big.Int {
			steps := make([]int, len(v))
			for j, x := range v {
				steps[j] = max(x, -x)
			}
			return r.paths(steps)
		})
	}
	type axis struct { // distances go up to most, where both ways are as long if that is a tie
		side, most int
		tie        bool
	}
	var axes []axis
	for j, k := range r.torus.Dims() {
		if r.torus.Open(j) {
			axes = append(axes, axis{side: k, most: k - 1})
		} else {
			axes = append(axes, axis{side: k, most: k / 2, tie: r.tie == TieBoth && k > 2 && k%2 == 0})
		}
	}
	slices.SortFunc(axes, func(a, b axis) int {
		return cmp.Or(cmp.Compare(a.side, b.side), cmp.Compare(a.most, b.most))
	})
	d, left := big.NewInt(1), maxDisplacements
	steps := make([]int, len(axes))
	var visit func(j int, ties int64)
	visit = func(j int, ties int64) {
		if j == len(steps) {
			if left--; left >= 0 {
				n := r.paths(steps)
				core.FoldLCM(d, n.Mul(n, big.NewInt(ties)))
			}
			return
		}
		first := 0
		if j > 0 && axes[j-1] == axes[j] { // counts do not change when equal dimensions change places
			first = steps[j-1]
		}
		for steps[j] = first; steps[j] <= axes[j].most && left >= 0; steps[j]++ {
			factor := int64(1)
			if axes[j].tie && steps[j] == axes[j].most {
				factor = 2
			}
			visit(j+1, ties*factor)
		}
	}
	visit(0, 1)
	if left < 0 {
		return nil
	}
	return d
}
