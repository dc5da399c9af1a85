package core

import "math/bits"

// A Set is a set of nodes of one torus, one bit a node.
type Set []uint64

// NewSet returns an empty set with room for n nodes.
func NewSet(n int) Set { return make(Set, (n+63)/64) }

// Has reports whether node v is in the set.
func (s Set) Has(v int) bool { return s[v>>6]>>(v&63)&1 != 0 }

// Add puts node v into the set.
func (s Set) Add(v int) { s[v>>6] |= 1 << (v & 63) }

// Remove takes node v out of the set.
func (s Set) Remove(v int) { s[v>>6] &^= 1 << (v & 63) }

// Count returns the number of nodes in the set.
func (s Set) Count() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// Nodes returns the nodes of the set in ascending order.
func (s Set) Nodes() []int { return s.AppendNodes(make([]int, 0, s.Count())) }

// AppendNodes appends the nodes of the set, ascending, to dst and returns it.
func (s Set) AppendNodes(dst []int) []int {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			dst = append(dst, i<<6+bits.TrailingZeros64(w))
		}
	}
	return dst
}
