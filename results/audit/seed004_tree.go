package audit

// The positive gather-scatter tree of seed 004 on a ring of n = 2^d places, written from
// Sections 2.1 to 2.3, apart from the library's. What the paper leaves open, or prints in
// two ways, is a reading.

// A pair is the block of source s for destination t.
type pair struct{ s, t int }

// A treeMove is one send of a phase.
type treeMove struct {
	from, to int
	blocks   []pair
}

// A treePhase is GP_l or SP_l.
type treePhase struct {
	l      int
	gather bool
	moves  []treeMove
}

// A reading says whether the place i of V_l takes Case 2 in GP_l.
type reading func(d, l, i int) bool

// appendixReading is that of the proofs of Lemmas 2 and 3: Case 2 for V_{l+1}, and for all
// in the last gathering phase.
func appendixReading(d, l, i int) bool { return l == d-2 || i%(2<<l) == 0 }

// definitionReading is that of Section 2.2 with Definition 2: Case 1 for the places of
// \hat V_{l+1}. V_{d-1} is empty, so that in the last gathering phase these are all.
func definitionReading(d, l, i int) bool { return l < d-2 && i%(2<<l) == 0 }

// printedReading is that of the pseudo-code of Section 2.3 as printed: its inner test
// repeats the outer one, "v_i in V_l", so that Case 1 never applies.
func printedReading(_, _, _ int) bool { return true }

// ahead returns the positive distance from a to b.
func ahead(n, a, b int) int { return ((b-a)%n + n) % n }

// covers reports whether place t is in SC_l^+(v_i): v_i and the 2^l - 1 places after it.
func covers(n, l, i, t int) bool { return ahead(n, i, t) < 1<<l }

// runTree moves the blocks of distance up to most along the positive tree, and returns the
// phases and the place where each block ends.
func runTree(d, most int, caseTwo reading) ([]treePhase, map[pair]int) {
	n := 1 << d
	held := make([][]pair, n)
	for s := range n {
		for j := 1; j <= most; j++ {
			held[s] = append(held[s], pair{s, (s + j) % n})
		}
	}
	var phases []treePhase
	move := func(l int, gather bool, sends func(i, t int) bool) {
		p := treePhase{l: l, gather: gather}
		for i := 0; i < n; i += 1 << l {
			var kept, sent []pair
			for _, b := range held[i] {
				if sends(i, b.t) {
					sent = append(sent, b)
				} else {
					kept = append(kept, b)
				}
			}
			held[i] = kept
			p.moves = append(p.moves, treeMove{i, (i + 1<<l) % n, sent})
		}
		for _, m := range p.moves { // only now: received blocks wait for the next phase
			held[m.to] = append(held[m.to], m.blocks...)
		}
		phases = append(phases, p)
	}
	for l := 0; l <= d-2; l++ {
		move(l, true, func(i, t int) bool {
			if caseTwo(d, l, i) {
				return covers(n, l+1, (i+1<<l)%n, t)
			}
			return !covers(n, l+1, i, t)
		})
	}
	for l := d - 2; l >= 0; l-- {
		move(l, false, func(i, t int) bool { return covers(n, l, (i+1<<l)%n, t) })
	}
	end := map[pair]int{}
	for i, list := range held {
		for _, b := range list {
			end[b] = i
		}
	}
	return phases, end
}

// largest returns the largest send of the phase, of those that count.
func (p treePhase) largest(counts func(m treeMove) bool) int {
	most := 0
	for _, m := range p.moves {
		if counts(m) {
			most = max(most, len(m.blocks))
		}
	}
	return most
}

// size is the largest send of all.
func (p treePhase) size() int { return p.largest(func(treeMove) bool { return true }) }

// phaseOf returns GP_l or SP_l from the phases of a tree.
func phaseOf(phases []treePhase, l int, gather bool) treePhase {
	if gather {
		return phases[l]
	}
	return phases[len(phases)-1-l]
}

// astray counts the blocks that are not at home.
func astray(end map[pair]int) int {
	count := 0
	for b, at := range end {
		if at != b.t {
			count++
		}
	}
	return count
}
