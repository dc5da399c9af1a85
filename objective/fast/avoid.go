package fast

import (
	"math"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
)

// segmented counts loads of avoid on networks without twist, where a path is a segment of a line in each dimension: the
// processors on one are a difference of two numbers, and so is what it adds to the links. Cost: O(N) and a few steps
// for every candidate path of every pair.
type segmented struct {
	torus   *core.Torus
	both    bool // directions of a tie
	den     *big.Int
	word    int64 // units of loads in words, 0 where they do not fit
	in      core.Set
	upTo    [][]int32 // by dimension and node: the processors on its line up to it
	lines   [][]int32 // and on all of its line
	tallies map[int][]int64

	moves  []segment // by dimension moved in: the way from one node of a pair to the other, by coordinates
	path   []segment // so far
	chosen []segment // of the paths with the fewest processors
	fewest int
	count  int // of these paths
}

// A segment is the part of a path along one dimension.
type segment struct {
	dim      int
	dir      core.Dir
	from, to int32
	tie      bool // of a move: the other direction too
}

// mostTallied is the most links for which segmented keeps a number for each number of paths that a pair may have.
const mostTallied = 1 << 17

// newSegmented returns nil where it does not apply. Loads are in units of 1/word, rounded down where that is not a
// multiple of den, or, word being 0, of 1/den.
func newSegmented(r *routing.Avoid, den *big.Int, word int64) *segmented {
	t := r.Torus()
	if !t.Separable() || word == 0 && (den == nil || t.M() > mostTallied) {
		return nil
	}
	s := &segmented{torus: t, both: r.Tie() == routing.TieBoth, den: den, word: word, in: core.NewSet(t.N()),
		tallies: map[int][]int64{}}
	for range t.D() {
		s.upTo, s.lines = append(s.upTo, make([]int32, t.N())), append(s.lines, make([]int32, t.N()))
	}
	return s
}

// tally counts the chosen paths of all pairs, as differences along lines: what they load, in units of 1/word, or for
// every number of paths how many of pairs with this many.
func (s *segmented) tally(nodes []int, w *core.Watch) error {
	s.enter(nodes)
	for _, list := range s.tallies {
		clear(list)
	}
	for _, p := range nodes {
		for _, q := range nodes {
			if p == q {
				continue
			}
			s.moves, s.path, s.chosen = s.moves[:0], s.path[:0], s.chosen[:0]
			s.fewest, s.count = math.MaxInt, 0
			s.findMoves(p, q)
			s.extend(int32(p), 1<<len(s.moves)-1, 0)
			key, weight := s.count, int64(1)
			if s.word > 0 {
				key, weight = 0, s.word/int64(s.count)
			}
			list := s.tallies[key]
			if list == nil {
				list = make([]int64, s.torus.M())
				s.tallies[key] = list
			}
			for _, g := range s.chosen {
				s.add(list, g, weight)
			}
			if err := w.Err(2 + 2*len(s.chosen)); err != nil {
				return err
			}
		}
	}
	for _, list := range s.tallies {
		for i, port := range s.torus.Ports() {
			s.sumUp(list[i*s.torus.N():][:s.torus.N()], port.Dim)
		}
	}
	return nil
}

// enter counts the processors on the lines.
func (s *segmented) enter(nodes []int) {
	t := s.torus
	clear(s.in)
	for _, v := range nodes {
		s.in.Add(v)
	}
	for j := range s.upTo {
		up, all, stride, last := s.upTo[j], s.lines[j], t.Stride(j), (t.Side(j)-1)*t.Stride(j)
		for v := range up {
			up[v] = s.processor(int32(v))
			if c := t.Coord(v, j); c > 0 {
				up[v] += up[v-stride]
			}
		}
		for v := range up {
			all[v] = up[v-t.Coord(v, j)*stride+last]
		}
	}
}

// processor returns 1 for a processor, 0 for none.
func (s *segmented) processor(v int32) int32 {
	if s.in.Has(int(v)) {
		return 1
	}
	return 0
}

// sumUp turns differences along the lines of a dimension into values.
func (s *segmented) sumUp(list []int64, j int) {
	for v := range list {
		if s.torus.Coord(v, j) > 0 {
			list[v] += list[v-s.torus.Stride(j)]
		}
	}
}

// findMoves finds the moves that take p to q.
func (s *segmented) findMoves(p, q int) {
	t := s.torus
	for j := range t.D() {
		k, a, b := t.Side(j), t.Coord(p, j), t.Coord(q, j)
		if a == b {
			continue
		}
		m := segment{dim: j, dir: core.Plus, from: int32(a), to: int32(b)}
		switch ahead := (b - a + k) % k; {
		case k == 2:
		case t.Open(j):
			if b < a {
				m.dir = core.Minus
			}
		case 2*ahead > k:
			m.dir = core.Minus
		case 2*ahead == k:
			m.tie = s.both
		}
		s.moves = append(s.moves, m)
	}
}

// extend goes on from a node by the moves left, with a given number of processors behind the start so far.
func (s *segmented) extend(at int32, left uint, inside int32) {
	if int(inside) > s.fewest {
		return
	}
	if left == 0 {
		if int(inside) < s.fewest {
			s.fewest, s.count, s.chosen = int(inside), 0, s.chosen[:0]
		}
		s.count++
		s.chosen = append(s.chosen, s.path...)
		return
	}
	for i, m := range s.moves {
		if left>>i&1 == 0 {
			continue
		}
		g := segment{dim: m.dim, dir: m.dir, from: at, to: at + (m.to-m.from)*int32(s.torus.Stride(m.dim))}
		s.path = append(s.path, g)
		s.extend(g.to, left&^(1<<i), inside+s.processorsOn(g))
		if m.tie {
			g.dir = core.Minus
			s.path[len(s.path)-1] = g
			s.extend(g.to, left&^(1<<i), inside+s.processorsOn(g))
		}
		s.path = s.path[:len(s.path)-1]
	}
}

// processorsOn returns the processors on a segment but for its first node.
func (s *segmented) processorsOn(g segment) int32 {
	up := s.upTo[g.dim]
	count := up[g.to] - up[g.from]
	wraps := g.to < g.from
	if g.dir == core.Minus {
		count = s.processor(g.to) - s.processor(g.from) - count
		wraps = !wraps
	}
	if wraps {
		count += s.lines[g.dim][g.from]
	}
	return count
}

// add adds a weight to the links of a segment, as differences.
func (s *segmented) add(list []int64, g segment, weight int64) {
	t := s.torus
	stride, k := t.Stride(g.dim), t.Side(g.dim)
	base := t.PortIndex(g.dim, g.dir) * t.N()
	from, to := int(g.from), int(g.to)
	first := from - t.Coord(from, g.dim)*stride
	mark := func(v int, by int64) {
		if v < first+k*stride {
			list[base+v] += by
		}
	}
	wraps := to < from
	if g.dir == core.Minus { // the links that leave the nodes behind to, up to from
		wraps = !wraps
		from, to = to+stride, from+stride
	}
	mark(from, weight)
	mark(to, -weight)
	if wraps {
		mark(first, weight)
	}
}

// loads is a kernel.
func (s *segmented) loads(nodes []int, w *core.Watch) ([]int64, error) {
	if err := s.tally(nodes, w); err != nil {
		return nil, err
	}
	list := s.tallies[0]
	if list == nil { // no pair
		return make([]int64, s.torus.M()), nil
	}
	for i, port := range s.torus.Ports() {
		if b := int64(s.torus.Bandwidth(port.Dim)); b > 1 {
			for v := range s.torus.N() {
				list[i*s.torus.N()+v] /= b
			}
		}
	}
	return list, nil
}

// large returns the loads whatever their size.
func (s *segmented) large(nodes []int, w *core.Watch) (*objective.Loads, error) {
	if err := s.tally(nodes, w); err != nil {
		return nil, err
	}
	t := s.torus
	large := make([]*big.Int, t.M())
	for i := range large {
		large[i] = new(big.Int)
	}
	unit, load := new(big.Int), new(big.Int)
	for paths, list := range s.tallies {
		for i, count := range list {
			if count != 0 {
				unit.Div(s.den, unit.SetInt64(int64(paths)*int64(t.LinkBandwidth(core.Link(i)))))
				large[i].Add(large[i], load.Mul(unit, load.SetInt64(count)))
			}
		}
	}
	return objective.NewLoads(t, s.den, nil, large), nil
}

// listed returns the kernel of avoid on twisted tori, in units of 1/den, rounded down: it goes through the candidate
// paths of all pairs, listed by displacement.
func listed(r *routing.Avoid, den int64) kernel {
	t, n := r.Torus(), r.Torus().N()
	in, loads, paths, chosen := core.NewSet(n), make([]int64, t.M()), make([][][]core.Link, n), []core.Link(nil)
	return func(nodes []int, w *core.Watch) ([]int64, error) {
		clear(loads)
		clear(in)
		for _, v := range nodes {
			in.Add(v)
		}
		for _, p := range nodes {
			for _, q := range nodes {
				d := t.Displacement(p, q)
				if d == 0 {
					continue
				}
				if paths[d] == nil {
					for path := range r.Candidates().Paths(0, d, nil) {
						paths[d] = append(paths[d], slices.Clone(path))
					}
				}
				fewest, count := n, int64(0)
				for _, path := range paths[d] {
					inside := 0
					for _, l := range path[1:] {
						if in.Has(t.Sum(p, int(l)%n)) {
							inside++
						}
					}
					if inside < fewest {
						fewest, count, chosen = inside, 0, chosen[:0]
					}
					if inside == fewest {
						count++
						chosen = append(chosen, path...)
					}
				}
				for _, l := range chosen {
					node := int(l) % n
					loads[int(l)-node+t.Sum(p, node)] += den / (count * int64(t.LinkBandwidth(l)))
				}
				if err := w.Err(2 * len(paths[d]) * len(paths[d][0])); err != nil {
					return nil, err
				}
			}
		}
		return loads, nil
	}
}
