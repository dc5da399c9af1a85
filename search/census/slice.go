package census

import "leeway/search"

// maxSlices is how many slices a plan is cut into at most.
const maxSlices = 256

// A Slice is a range of the prefixes of a plan.
type Slice struct {
	search.Slice
	from int // number of the first prefix
}

// From returns the number of the first prefix.
func (s Slice) From() int { return s.from }

// Cut returns the slices of a plan, nothing counted yet: ranges of equally many
// prefixes, the last one perhaps shorter.
func Cut(p Plan) []Slice {
	prefixes := p.Prefixes()
	size := max(1, (len(prefixes)+maxSlices-1)/maxSlices)
	var list []Slice
	for from := 0; from < len(prefixes); from += size {
		list = append(list, Slice{search.Slice{First: prefixes[from], Prefixes: min(size, len(prefixes)-from)}, from})
	}
	return list
}

// walk visits the nodes of a slice.
func (s *Slice) walk(w Walker, poll func(nodes int64) bool) Tally {
	var t Tally
	for i := s.from; i < s.from+s.Prefixes; i++ {
		if t.add(w.Walk(i, poll)); t.Ended || t.Found.Size() > 0 {
			break
		}
	}
	s.Nodes, s.Sum = t.Nodes, t.Sum
	return t
}
