package audit

// The two algorithms of seed 003 as its figures 3 and 4 print them, on G = A x B, node
// (v,u) numbered v |B| + u. They are written from the figures, apart from the library's.

// algorithmA2 is Figure 4, from steps for A and for B.
func algorithmA2(a, b graph, inA, inB steps) steps {
	var all steps
	at := func(v, u int) int { return v*b.n + u }
	for r := range a.n { // lines 1 to 3
		for _, hops := range inB {
			var step []hop
			for i := range a.n {
				for _, h := range hops {
					step = append(step, hop{at(i, h.from), at(i, h.to), at(i, h.source), at(r, h.target)})
				}
			}
			all = append(all, step)
		}
	}
	return append(all, secondHalf(a, b, inA)...) // lines 4 to 6
}

// secondHalf is lines 4 to 6 of Figure 4 and 5 to 7 of Figure 3: for every k, exchange
// in all copies of A what started in copy k.
func secondHalf(a, b graph, inA steps) steps {
	var all steps
	at := func(v, u int) int { return v*b.n + u }
	for k := range b.n {
		for _, hops := range inA {
			var step []hop
			for j := range b.n {
				for _, h := range hops {
					step = append(step, hop{at(h.from, j), at(h.to, j), at(h.source, k), at(h.target, j)})
				}
			}
			all = append(all, step)
		}
	}
	return all
}

// transfers is lines 1 to 4 of Figure 3, message by message along shortest paths of B,
// all v_i at once. skip says for which i, j and k line 3 leaves the transfer out.
func transfers(a, b graph, skip func(i, j, k int) bool) steps {
	var all steps
	distance, next := b.distances(), b.neighbours()
	for j := range b.n {
		for k := range b.n {
			for r := range a.n {
				for at := j; at != k; {
					toward := at
					for _, w := range next[at] {
						if distance[w][k] < distance[at][k] {
							toward = w
						}
					}
					var step []hop
					for i := range a.n {
						if !skip(i, j, k) {
							step = append(step, hop{i*b.n + at, i*b.n + toward, i*b.n + j, r*b.n + k})
						}
					}
					all = append(all, step)
					at = toward
				}
			}
		}
	}
	return all
}

// algorithmA1 is Figure 3, with its own line 3 or another.
func algorithmA1(a, b graph, inA steps, skip func(i, j, k int) bool) steps {
	return append(transfers(a, b, skip), secondHalf(a, b, inA)...)
}

// undelivered returns how many blocks are not at home at the end if every hop takes a
// block that is not at its start as an empty one.
func (s steps) undelivered(nodes int) int {
	at := map[[2]int]int{}
	for u := range nodes {
		for v := range nodes {
			at[[2]int{u, v}] = u
		}
	}
	for _, hops := range s {
		for _, h := range hops { // a block moves once a step: the order does not matter
			if block := [2]int{h.source, h.target}; at[block] == h.from {
				at[block] = h.to
			}
		}
	}
	missing := 0
	for block, v := range at {
		if v != block[1] {
			missing++
		}
	}
	return missing
}
