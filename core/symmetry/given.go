package symmetry

import (
	"cmp"
	"slices"

	"leeway/core"
)

// automorphisms returns a group of automorphisms of a network without dimensions, the identity first: maps of nodes
// that take links to links of the same bandwidth, as points whose coordinates are the nodes. It is the group of all of
// them or, where these are more than most or take too long to find, of those that fix some nodes: the largest in the
// chain of the groups that fix no node, the first, the first two of a base, and so on.
//
// Nodes are told apart by refined colours: those of a colour have as many links to each colour. Where that does not
// tell all apart, a node of the base gets a colour of its own. An element of the group that fixes the first nodes of
// the base takes the next one to some node of its orbit, and one for each of these, with the group that fixes that node
// too, makes up the group (Schreier's lemma).
func automorphisms(t *core.Network, most int) []Point {
	s := &colouring{torus: t, steps: maxRefined}
	s.out = make([][]half, t.N())
	for l := range t.EachLink() {
		from, to := t.LinkEnds(l)
		s.out[from] = append(s.out[from], half{to, t.LinkBandwidth(l)})
	}
	var base []int
	chain := [][]int{s.refine(make([]int, t.N()))} // colours with the first nodes of the base fixed
	for {
		colours := chain[len(chain)-1]
		v := firstShared(colours)
		if v < 0 {
			break
		}
		base, chain = append(base, v), append(chain, s.refine(singled(colours, v)))
	}
	group := [][]int{core.Range(t.N())}
	for i := len(base) - 1; i >= 0; i-- {
		colours, moves := chain[i], [][]int{group[0]}
		images := map[int]bool{base[i]: true} // of the node, under the group that fixes those before it
		for v := range t.N() {
			if images[v] || colours[v] != colours[base[i]] {
				continue
			}
			image := s.match(chain[i+1], s.refine(singled(colours, v)))
			if s.steps < 0 {
				return pointsOfMaps(group)
			}
			if image != nil {
				images[v], moves = true, append(moves, image)
			}
		}
		if len(moves)*len(group) > most {
			break
		}
		next := make([][]int, 0, len(moves)*len(group))
		for _, move := range moves {
			for _, g := range group {
				image := make([]int, t.N())
				for v := range image {
					image[v] = move[g[v]]
				}
				next = append(next, image)
			}
		}
		group = next
	}
	return pointsOfMaps(group)
}

// maxRefined bounds the links that a search for automorphisms looks at.
const maxRefined = 1 << 29

// pointsOfMaps returns the points of some maps of nodes.
func pointsOfMaps(maps [][]int) []Point {
	points, still := make([]Point, len(maps)), make([]bool, len(maps[0]))
	for i, m := range maps {
		points[i] = Point{Perm: m, Flip: still}
	}
	return points
}

// A colouring tells nodes apart by colours: numbers from 0 that depend on the network and given colours alone, and not
// on how nodes are numbered.
type colouring struct {
	torus *core.Network
	out   [][]half // by node: its links
	steps int      // links that may still be looked at
}

// A half is a link as the node sees it that it leaves.
type half struct{ to, bandwidth int }

// refine returns the coarsest colours that tell more apart than the given ones and such that nodes of a colour have as
// many links of a bandwidth to each colour.
func (s *colouring) refine(colours []int) []int {
	n, count := s.torus.N(), 0
	type sign struct {
		colour, node int
		links        []half // by colour in place of the node
	}
	signs := make([]sign, n)
	for {
		for v := range signs {
			signs[v] = sign{colours[v], v, signs[v].links[:0:0]}
			for _, h := range s.out[v] {
				signs[v].links = append(signs[v].links, half{colours[h.to], h.bandwidth})
			}
			slices.SortFunc(signs[v].links, compareHalves)
			s.steps -= len(s.out[v])
		}
		compareSigns := func(a, b sign) int {
			return cmp.Or(cmp.Compare(a.colour, b.colour), slices.CompareFunc(a.links, b.links, compareHalves))
		}
		slices.SortFunc(signs, compareSigns)
		next, colour := make([]int, n), 0
		for i, x := range signs {
			if i > 0 && compareSigns(signs[i-1], x) != 0 {
				colour = i // the number of nodes before, which says how large the colours are
			}
			next[x.node] = colour
		}
		colours = next
		distinct := 1
		for i := 1; i < n; i++ {
			if colours[signs[i].node] != colours[signs[i-1].node] {
				distinct++
			}
		}
		if distinct == count || distinct == n {
			return colours
		}
		count = distinct
	}
}

func compareHalves(a, b half) int {
	return cmp.Or(cmp.Compare(a.to, b.to), cmp.Compare(a.bandwidth, b.bandwidth))
}

// firstShared returns the first node of the first colour that several nodes have, -1 if all are told apart.
func firstShared(colours []int) int {
	first := -1
	seen := map[int]int{}
	for v, c := range colours {
		if _, shared := seen[c]; !shared {
			seen[c] = v
		} else if first < 0 || c < colours[first] {
			first = seen[c]
		}
	}
	return first
}

// singled returns the colours with one of its own for a node, before the others of its colour.
func singled(colours []int, v int) []int {
	own := slices.Clone(colours)
	for u, c := range colours {
		if c == colours[v] && u != v {
			own[u] = c + 1
		}
	}
	return own
}

// match returns an automorphism that takes every node to one of the same colour, from refined colours to others, nil if
// there is none or it takes too long.
func (s *colouring) match(from, to []int) []int {
	a, b := slices.Sorted(slices.Values(from)), slices.Sorted(slices.Values(to))
	if s.steps < 0 || !slices.Equal(a, b) {
		return nil
	}
	v := firstShared(from)
	if v < 0 {
		image, at := make([]int, len(from)), make([]int, len(from))
		for u, c := range to {
			at[c] = u
		}
		for u, c := range from {
			image[u] = at[c]
		}
		if s.preserves(image) {
			return image
		}
		return nil
	}
	fixed := s.refine(singled(from, v))
	for u := range to {
		if to[u] == from[v] {
			if image := s.match(fixed, s.refine(singled(to, u))); image != nil {
				return image
			}
		}
	}
	return nil
}

// preserves reports whether a map of nodes takes links to links of the same bandwidth.
func (s *colouring) preserves(image []int) bool {
	for v, links := range s.out {
		images := make([]half, len(links))
		for i, h := range links {
			images[i] = half{image[h.to], h.bandwidth}
		}
		want := slices.Clone(s.out[image[v]])
		slices.SortFunc(images, compareHalves)
		slices.SortFunc(want, compareHalves)
		s.steps -= len(links)
		if !slices.Equal(images, want) {
			return false
		}
	}
	return true
}

// givenEdge returns the link between the images of the ends of a link. Parallel links, which are numbered by their
// bandwidths, keep their sequence.
func (g Point) givenEdge(t *core.Network, l core.Link) core.Link {
	firstLink := func(from, to int) (first core.Link) {
		for first = core.Link(from); ; first += core.Link(t.N()) {
			if _, end := t.LinkEnds(first); end == to {
				return first
			}
		}
	}
	from, to := t.LinkEnds(l)
	return firstLink(g.Perm[from], g.Perm[to]) + l - firstLink(from, to)
}
