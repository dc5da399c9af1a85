package check

// A walk repeats a census: a tree of docs/proofs.md for one question, cut at
// prefixes. It may be shared by goroutines.
type walk interface {
	// prefixes returns the prefixes in order. They belong to the walk.
	prefixes() [][]int
	// run visits the nodes at and below the prefixes from..to-1, in order, and
	// counts them. It ends early with the first placement below the value, when it
	// has counted more than most nodes, or when the meter ends it.
	run(m *meter, from, to int, most int64) tally
}

// A tally is what a walk met.
type tally struct {
	nodes int64
	sum   uint64 // of the hashes of the nodes
	found []int  // nodes of a placement below the value, nil if there is none
	ended bool   // by the limit or the meter; the counts are of no use then
}

// hash takes the next number of a node's list into its hash, which starts at 0.
func hash(h uint64, v int) uint64 {
	z := h + (uint64(v)+1)*0x9e3779b97f4a7c15
	z ^= z >> 30
	z *= 0xbf58476d1ce4e5b9
	z ^= z >> 27
	z *= 0x94d049bb133111eb
	return z ^ z>>31
}
