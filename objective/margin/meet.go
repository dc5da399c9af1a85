package margin

import "math/big"

// exist answers whether both sides of the projection have margins within the
// limit that leave room for each other.
//
// Let p be the largest count of the first margin and q that of the second. Then
// the first has room for a pattern of q processors, since some slab across the
// other dimension holds q, and the second has room for one of p. Of all margins
// with largest count p only the largest pattern that one of them has room for
// matters.
func (pr projection) exist(limit *big.Rat, b *budget) verdict {
	if pr.second == nil {
		rooms, v := pr.first.rooms(limit, 0, b)
		if v == none && len(rooms) > 0 {
			return some
		}
		return v
	}
	first, v := pr.first.rooms(limit, pr.second.least(), b)
	if v == spent || len(first) == 0 {
		return v
	}
	second := first
	if !pr.alike {
		if second, v = pr.second.rooms(limit, pr.first.least(), b); v == spent {
			return v
		}
	}
	for p, most := range first {
		for q, other := range second {
			if q <= most && p <= other {
				return some
			}
		}
	}
	return none
}

// least returns the least that the fullest slab of a side can hold.
func (d *side) least() int { return (d.n + d.k - 1) / d.k }

// rooms returns, by largest count, the largest pattern that a margin of that
// largest count has room for within the limit, if that is at least least (0: no
// pattern is asked for). The verdict is spent if the budget ended before that.
func (d *side) rooms(limit *big.Rat, least int, b *budget) (map[int]int, verdict) {
	d.setLimit(limit)
	rooms := map[int]int{}
	for most := d.least(); most <= min(d.room, d.n); most++ {
		for total := least; total <= min(d.k*d.depth, d.n); total++ {
			v := d.find(most, total, b)
			if v == spent {
				return nil, spent
			}
			if v == none {
				break
			}
			rooms[most] = total
		}
	}
	return rooms, none
}
