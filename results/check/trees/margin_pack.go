package trees

// Loads of several link classes are held three to a word: 20 bits each, and a
// guard bit above that lets all of them be compared at once. A tree has sums of
// at most 2 * 16 * marginMost in one lane, which is below 2^20.
const (
	marginLane  = 21
	marginMask  = 1<<marginLane - 1
	marginGuard = 1<<20 | 1<<41 | 1<<62
	marginWords = (2*maxFillSide + 2) / 3
	// marginMost is above the load of every link: a line of 16 processors sends to
	// 256, and a message is at most 4 units.
	marginMost = 4*maxFillSide*maxFillSide*maxFillSide + 1
)

// A marginLoad holds one number for every link class of a side. What uses it is
// told how many of its words count.
type marginLoad [marginWords]uint64

// set puts v into the lane of class i.
func (l *marginLoad) set(i int, v int64) {
	shift := i % 3 * marginLane
	l[i/3] = l[i/3]&^(marginMask<<shift) | uint64(v)<<shift
}

// at returns the number of class i.
func (l *marginLoad) at(i int) int64 { return int64(l[i/3] >> (i % 3 * marginLane) & marginMask) }

// add adds times the other numbers.
func (l *marginLoad) add(other *marginLoad, times int, words int) {
	for i := range words {
		l[i] += other[i] * uint64(times)
	}
}

// within reports whether no number is above that of the other.
func (l *marginLoad) within(other *marginLoad, words int) bool {
	for i := range words {
		if ((other[i]|marginGuard)-l[i])&marginGuard != marginGuard {
			return false
		}
	}
	return true
}
