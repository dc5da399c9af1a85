package check

// Loads of several link classes are held three to a word: 20 bits each, and a
// guard bit above that lets all of them be compared at once. A tree has sums of
// at most 2 * 16 * ringMost in one lane, which is below 2^20.
const (
	ringLane  = 21
	ringMask  = 1<<ringLane - 1
	ringGuard = 1<<20 | 1<<41 | 1<<62
	ringWords = (2*maxFillSide + 2) / 3
	// ringMost is above the load of every link: a line of 16 processors sends to
	// 256, and a message is at most 4 units.
	ringMost = 4*maxFillSide*maxFillSide*maxFillSide + 1
)

// A ringLoad holds one number for every link class of a side. What uses it is
// told how many of its words count.
type ringLoad [ringWords]uint64

// set puts v into the lane of class i.
func (l *ringLoad) set(i int, v int64) {
	shift := i % 3 * ringLane
	l[i/3] = l[i/3]&^(ringMask<<shift) | uint64(v)<<shift
}

// at returns the number of class i.
func (l *ringLoad) at(i int) int64 { return int64(l[i/3] >> (i % 3 * ringLane) & ringMask) }

// add adds times the other numbers.
func (l *ringLoad) add(other *ringLoad, times int, words int) {
	for i := range words {
		l[i] += other[i] * uint64(times)
	}
}

// within reports whether no number is above that of the other.
func (l *ringLoad) within(other *ringLoad, words int) bool {
	for i := range words {
		if ((other[i]|ringGuard)-l[i])&ringGuard != ringGuard {
			return false
		}
	}
	return true
}
