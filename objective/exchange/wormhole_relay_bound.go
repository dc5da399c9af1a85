package exchange

import "leeway/core"

// RelayedBound returns a lower bound on the transmission of any schedule in which the
// blocks of the packing go along paths of its routing and stop where these turn: the
// largest of LowerBound, for what must use a link costs as much with stops, of
// StraightBound, and of what the ports of all processors together show.
func (k Packing) RelayedBound() int {
	return max(k.LowerBound, k.StraightBound(), k.receiptBound())
}

// StraightBound returns a lower bound on the transmission of any schedule of straight sends
// among the processors, whichever way blocks take. A block whose ends differ in j coordinates takes j sends at least, so that
// it does not come before phase j, from 1; and what comes to one processor from then on is
// no more than the transmission of these phases, those before costing a block each. So it
// is j-1 plus the blocks for a processor that differ in j coordinates or more.
func (k Packing) StraightBound() int {
	best := 0
	for _, to := range k.Processors {
		differ := make([]int, k.Torus.D()+1)
		for _, from := range k.Processors {
			j := 0
			for dim := range k.Torus.D() {
				if k.Torus.Coord(from, dim) != k.Torus.Coord(to, dim) {
					j++
				}
			}
			differ[j]++
		}
		blocks := 0
		for j := k.Torus.D(); j > 0; j-- {
			if blocks += differ[j]; blocks > 0 {
				best = max(best, j-1+blocks)
			}
		}
	}
	return best
}

// receiptBound: n processors receive R blocks at least, one for each pair and one for each
// stop at a processor that no path of the pair avoids, so that the transmission is R/n or
// more. It is more if some pair stops at another node whichever path it takes. For with R/n
// each processor would receive, in every phase, as many blocks as the largest send. In the
// first these come from processors, whose send ports are then all taken, so nothing goes to
// another node; therefore the same holds of the second phase, and so on: no block would ever
// stop at another node.
func (k Packing) receiptBound() int {
	n := len(k.Processors)
	if n < 2 {
		return 0
	}
	set := core.NewSet(k.Torus.N())
	for _, v := range k.Processors {
		set.Add(v)
	}
	receipts, outside := 0, false
	for _, pair := range k.pairs {
		within, always := -1, true // the fewest stops at processors; whether every path stops elsewhere
		for _, path := range pair.paths {
			stops := processorStops(k.Torus, set, path)
			if within < 0 || stops < within {
				within = stops
			}
			always = always && turns(k.Torus, path) > stops
		}
		receipts += 1 + within
		outside = outside || always
	}
	if outside {
		return receipts/n + 1
	}
	return (receipts + n - 1) / n
}
