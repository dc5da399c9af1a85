package audit

import (
	"fmt"
	"strings"
)

// DefaultMaxK is the largest side that an audit goes to on two axes unless told
// otherwise. LeastMaxK leaves some claims without a case, GreatestMaxK takes minutes.
const (
	DefaultMaxK  = 16
	LeastMaxK    = 4
	GreatestMaxK = 32
)

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

// upTo returns the limits with MaxK at most n, for checks that cost more.
func (l Limits) upTo(n int) Limits { return Limits{MaxK: min(l.MaxK, n)} }

// span describes the tori that cubes yields: "sides 3 to 16 on 2 axes, 3 to 8 on 3
// axes".
func (l Limits) span(least int, axes ...int) string {
	var parts []string
	for _, d := range axes {
		if l.Side(d) >= least {
			parts = append(parts, fmt.Sprintf("%d to %d on %s", least, l.Side(d), axesText(d)))
		}
	}
	if len(parts) == 0 {
		return "nothing"
	}
	return "sides " + strings.Join(parts, ", ")
}

// axesText names tori by their number of axes.
func axesText(d int) string {
	if d == 1 {
		return "rings"
	}
	return fmt.Sprintf("%d axes", d)
}
