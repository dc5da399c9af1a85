package results

import (
	"fmt"
	"strconv"
)

// Joined returns the proof with its slices joined to at most so many, of about
// equally many nodes; nil for nil. A slice is a range of prefixes with a count and a
// sum modulo 2^64, so adjacent slices add up to one, and nothing is lost: the checker
// walks the same nodes. Proofs without slices, and those with a sum that is none, are
// returned as they are.
func (p *Proof) Joined(most int) *Proof {
	if p == nil || len(p.Slices) <= most {
		return p
	}
	var total int64
	for _, s := range p.Slices {
		total += s.Nodes
	}
	out := *p
	out.Slices = nil
	var seen int64
	for _, s := range p.Slices {
		n := len(out.Slices)
		// The i-th of the new slices ends where i parts of the total are reached.
		if n == 0 || n < most && seen >= total/int64(most)*int64(n) {
			out.Slices = append(out.Slices, s)
		} else if !out.Slices[n-1].join(s) {
			return p
		}
		seen += s.Nodes
	}
	return &out
}

// join adds the slice that follows, and reports whether both sums could be read.
func (s *Slice) join(next Slice) bool {
	a, errA := strconv.ParseUint(s.Sum, 16, 64)
	b, errB := strconv.ParseUint(next.Sum, 16, 64)
	if errA != nil || errB != nil {
		return false
	}
	s.Prefixes, s.Nodes, s.Sum = s.Prefixes+next.Prefixes, s.Nodes+next.Nodes, fmt.Sprintf("%016x", a+b)
	return true
}
