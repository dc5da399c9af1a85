package audit

// DefaultMaxK is the largest side that an audit goes to on two axes.
const DefaultMaxK = 16

// Limits bounds the parameters of the checks.
type Limits struct {
	MaxK int // the largest side on two axes, at least 2
}

// Side returns the largest side for tori with d axes: MaxK for one or two axes, then
// MaxK/(d-1), at least 2. The default gives 16, 16, 8, 5, 4, 3.
func (l Limits) Side(d int) int {
	if d <= 2 {
		return l.MaxK
	}
	return max(2, l.MaxK/(d-1))
}
