package model

import (
	"iter"
	"maps"
	"math/bits"
	"slices"

	"leeway/core"
)

// The gather-scatter tree of seed 004 on a ring of n = 2^d places, written from Sections 2.1 to 2.3, apart from the
// library's. What the paper leaves open, or prints in two ways, is a reading.

// A Block is the block of source s for destination t.
type Block struct{ Source, Target int }

// A Move is one send of a phase.
type Move struct {
	From, To int
	Blocks   []Block
}

// A Phase is GP_l or SP_l of the tree.
type Phase []Move

// A Reading says whether the place i of V_l takes Case 2 in GP_l.
type Reading func(d, l, i int) bool

// AppendixReading is that of the proofs of Lemmas 2 and 3: Case 2 for V_{l+1}, and for all in the last gathering
// phase.
func AppendixReading(d, l, i int) bool { return l == d-2 || i%(2<<l) == 0 }

// DefinitionReading is that of Section 2.2 with Definition 2: Case 1 for the places of \hat V_{l+1}. V_{d-1} is
// empty, so that in the last gathering phase these are all.
func DefinitionReading(d, l, i int) bool { return l < d-2 && i%(2<<l) == 0 }

// PrintedReading is that of the pseudo-code of Section 2.3 as printed: its inner test repeats the outer one, "v_i in
// V_l", so that Case 1 never applies.
func PrintedReading(_, _, _ int) bool { return true }

// Ahead returns the positive distance from a to b.
func Ahead(n, a, b int) int { return core.Mod(b-a, n) }

// Covers reports whether place t is in SC_l^+(v_i): v_i and the 2^l - 1 places after it.
func Covers(n, l, i, t int) bool { return Ahead(n, i, t) < 1<<l }

// InV reports whether v_i is in V_l (Definition 2).
func InV(d, l, i int) bool { return l >= 0 && l <= d-2 && i%(1<<l) == 0 }

// InHat reports whether v_i is in \hat V_l (Definition 2).
func InHat(d, l, i int) bool {
	if l == d-1 {
		return InV(d, d-2, i)
	}
	return l >= 1 && InV(d, l-1, i) && !InV(d, l, i)
}

// Meeting reports whether v_m is in V_h or \hat V_h and SC_h(v_m) has place t.
func Meeting(d, h, m, t int) bool { return (InV(d, h, m) || InHat(d, h, m)) && Covers(1<<d, h, m, t) }

// A TreeRun has the phases GP_0 to GP_{d-2}, SP_{d-2} to SP_0, and by phase and place the blocks that are there after
// the phase.
type TreeRun struct {
	Phases []Phase
	Held   [][][]Block
}

// RunTree moves the blocks of distance up to most along the positive tree.
func RunTree(d, most int, caseTwo Reading) TreeRun {
	n, run := 1<<d, TreeRun{}
	held := make([][]Block, n) // by place
	for s := range n {
		for j := 1; j <= most; j++ {
			held[s] = append(held[s], Block{s, (s + j) % n})
		}
	}
	move := func(l int, sends func(i, t int) bool) {
		var p Phase
		for i := 0; i < n; i += 1 << l {
			var kept, sent []Block
			for _, b := range held[i] {
				if sends(i, b.Target) {
					sent = append(sent, b)
				} else {
					kept = append(kept, b)
				}
			}
			held[i] = kept
			p = append(p, Move{i, (i + 1<<l) % n, sent})
		}
		for _, m := range p { // only now: received blocks wait for the next phase
			held[m.To] = append(held[m.To], m.Blocks...)
		}
		run.Phases, run.Held = append(run.Phases, p), append(run.Held, slices.Clone(held))
	}
	for l := 0; l <= d-2; l++ {
		move(l, func(i, t int) bool {
			if caseTwo(d, l, i) {
				return Covers(n, l+1, (i+1<<l)%n, t)
			}
			return !Covers(n, l+1, i, t)
		})
	}
	for l := d - 2; l >= 0; l-- {
		move(l, func(i, t int) bool { return Covers(n, l, (i+1<<l)%n, t) })
	}
	return run
}

// Astray counts the blocks, of all, that do not end at home.
func (r TreeRun) Astray() (count, all int) {
	for v, blocks := range r.Held[len(r.Held)-1] {
		for _, b := range blocks {
			all++
			if b.Target != v {
				count++
			}
		}
	}
	return count, all
}

// AppendixTree is RunTree as the appendix reads it, for the n/2 blocks of the positive tree.
func AppendixTree(d int) []Phase { return RunTree(d, 1<<(d-1), AppendixReading).Phases }

// Size returns the blocks of the largest send of the phase.
func (p Phase) Size() int {
	most := 0
	for _, m := range p {
		most = max(most, len(m.Blocks))
	}
	return most
}

// PhaseOf returns GP_l or SP_l from the phases of a tree.
func PhaseOf(phases []Phase, l int, gather bool) Phase {
	if gather {
		return phases[l]
	}
	return phases[len(phases)-1-l]
}

// TreeBlocks returns what the sends of a phase take: sender and block.
func TreeBlocks(phase Phase) map[[3]int]int {
	blocks := map[[3]int]int{}
	for _, m := range phase {
		for _, b := range m.Blocks {
			blocks[[3]int{m.From, b.Source, b.Target}]++
		}
	}
	return blocks
}

// A Send is one of a phase on a ring; Dir is +1 or -1.
type Send struct{ From, To, Dir int }

// PositiveSends returns GP_l^+.
func PositiveSends(d, l int) []Send {
	var list []Send
	for i := 0; i < 1<<d; i += 1 << l {
		list = append(list, Send{i, (i + 1<<l) % (1 << d), 1})
	}
	return list
}

// NegativeSends returns GP_l^- moved by a shift.
func NegativeSends(d, l, shift int) []Send {
	var list []Send
	for i, n := 0, 1<<d; i < n; i += 1 << l {
		list = append(list, Send{(i + shift) % n, (i + shift - 1<<l + n) % n, -1})
	}
	return list
}

// Links returns the directed links of a send on a ring of n places.
func (s Send) Links(n int) []int {
	var list []int
	for v := s.From; v != s.To; v = (v + s.Dir + n) % n {
		list = append(list, 2*v+(s.Dir+1)/2)
	}
	return list
}

// Clashes counts the ports and links that sends of one phase want more than once.
func Clashes(n int, sends ...Send) int {
	uses, twice := map[[2]int]int{}, 0
	for _, s := range sends {
		uses[[2]int{0, s.From}]++
		uses[[2]int{1, s.To}]++
		for _, link := range s.Links(n) {
			uses[[2]int{2, link}]++
		}
	}
	for _, n := range uses {
		if n > 1 {
			twice++
		}
	}
	return twice
}

// Next is where place v, a multiple of 2^l, of n sends to at level l: to the next multiple or, as in Section 5, to v_0
// where there is none.
func Next(n, l, v int) int {
	if v+1<<l < n {
		return v + 1<<l
	}
	return 0
}

// Reached returns the places, ascending, that are reached from i by the scattering phases of the levels below top, or
// from which i is reached by the gathering phases. A place does not pass on what comes in the same phase.
func Reached(n, top, i int, gather bool) []int {
	at := map[int]bool{i: true}
	for l := top - 1; l >= 0; l-- {
		after := maps.Clone(at)
		for v := 0; v < n; v += 1 << l {
			if w := Next(n, l, v); gather && at[w] {
				after[v] = true
			} else if !gather && at[v] {
				after[w] = true
			}
		}
		at = after
	}
	return slices.Sorted(maps.Keys(at))
}

// Routes counts the ways from one of n places to another that take some of the phases in order, without going past it.
func Routes(n, from, to int) int {
	d, span := bits.Len(uint(n-1)), Ahead(n, from, to)
	ways := make([]int, span+1) // by how far the block has come
	ways[0] = 1
	for phase := range 2*d - 2 {
		l := min(phase, 2*d-3-phase)
		for gone := span - 1; gone >= 0; gone-- { // from the end: what comes in a phase goes on in the next
			if v := (from + gone) % n; v%(1<<l) == 0 {
				if then := gone + Ahead(n, v, Next(n, l, v)); then <= span {
					ways[then] += ways[gone]
				}
			}
		}
	}
	return ways[span]
}

// PairsAhead yields each of n places with each that is 1 to n/2 ahead of it.
func PairsAhead(n int) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		for from := range n {
			for j := 1; 2*j <= n; j++ {
				if !yield(from, (from+j)%n) {
					return
				}
			}
		}
	}
}
