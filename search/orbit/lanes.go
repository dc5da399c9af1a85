package orbit

// A layout says how the rows lie side by side in words: loads of at most limit
// each in a lane whose top bit an excess sets once a bias is added.
type layout struct {
	width uint // bits of a lane
	per   int  // lanes in a word
}

// layoutFor returns the narrowest lanes in which a load, the load of a candidate
// and that of one more pair, cut at limit+1, can be added up together with a bias.
func layoutFor(limit int64) (layout, bool) {
	for _, width := range []uint{8, 16, 32} {
		if 3*limit+2 < 1<<(width-1) {
			return layout{width: width, per: int(64 / width)}, true
		}
	}
	return layout{}, false
}

// every returns the word with v in every lane.
func (l layout) every(v uint64) uint64 {
	word := uint64(0)
	for i := range l.per {
		word |= v << (uint(i) * l.width)
	}
	return word
}

// bias returns the word that brings loads above a limit to the top bit of their
// lane. A limit of -1 lets nothing pass.
func (l layout) bias(limit int64) uint64 {
	return l.every(uint64(int64(1)<<(l.width-1) - 1 - limit))
}

// words returns how many words hold n lanes.
func (l layout) words(n int) int { return (n + l.per - 1) / l.per }

// pack writes loads, cut at limit+1, into words.
func (l layout) pack(words []uint64, loads []int32, limit int64) {
	for i, v := range loads {
		words[i/l.per] |= uint64(min(int64(v), limit+1)) << (uint(i%l.per) * l.width)
	}
}

// at returns lane i.
func (l layout) at(words []uint64, i int) int64 {
	return int64(words[i/l.per] >> (uint(i%l.per) * l.width) & (1<<l.width - 1))
}
