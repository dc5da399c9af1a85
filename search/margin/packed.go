package margin

// Loads of the forms of a ring are packed two to a word, 32 bits each, the
// highest of them free: set in the greater before a subtraction, it stays set
// exactly where that is not the smaller. Loads of whole boundaries stay below
// 2^19 on sides up to MaxSide.
const (
	lanes    = 2
	laneBits = 32
	laneHigh = 0x8000_0000_8000_0000
)

// words returns how many words hold the loads of all forms.
func (d *ring) words() int { return (len(d.forms) + lanes - 1) / lanes }

// pack puts one number for every form into words.
func (d *ring) pack(of func(form int) int64) []uint64 {
	p := make([]uint64, d.words())
	for i := range d.forms {
		p[i/lanes] |= uint64(of(i)) << (i % lanes * laneBits)
	}
	return p
}

// subtract puts a-b into out and reports whether no lane of b is above that of
// a. Otherwise out holds nothing of use.
func subtract(out, a, b []uint64) bool {
	all := uint64(laneHigh)
	for i, v := range a {
		rest := (v | laneHigh) - b[i]
		all &= rest
		out[i] = rest &^ laneHigh
	}
	return all == laneHigh
}
