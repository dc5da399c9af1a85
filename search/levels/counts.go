package levels

import (
	"cmp"
	"slices"
)

// A counted is a list of slab counts with its width.
type counted struct {
	counts []int
	width  int
}

// list returns the slab counts of the ring for n processors, in order. It fails with
// errTooMany, or with an error of the meter.
func (d *ring) list(n int, limit int64, m *meter) (list []counted, err error) {
	keep := func(c []int) error {
		w, tried := d.width(c, limit)
		if w*d.lines < n {
			return m.step(tried)
		}
		if list = append(list, counted{slices.Clone(c), w}); len(list) > m.kept {
			return errTooMany
		}
		return m.step(tried)
	}
	// The greatest rotation starts with the greatest count.
	var extend func(c []int, left int) error
	extend = func(c []int, left int) error {
		if err := m.step(1); err != nil || left > c[0]*(d.k-len(c)) || !d.bears(c, limit) {
			return err
		}
		if len(c) == d.k {
			if !slices.Equal(c, greatest(c)) {
				return nil
			}
			return keep(c)
		}
		for v := range min(c[0], left) + 1 {
			if err := extend(append(c, v), left-v); err != nil {
				return err
			}
		}
		return nil
	}
	for v := range min(d.lines, n) + 1 {
		if err := extend(append(make([]int, 0, d.k), v), n-v); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(list, func(a, b counted) int { return order(a.counts, b.counts) })
	return list, nil
}

// order compares slab counts of one length in the order of the tree: by the sum of
// squares, least first, then lexicographically, greatest first.
func order(a, b []int) int {
	return cmp.Or(cmp.Compare(squares(a), squares(b)), slices.Compare(b, a))
}

func squares(c []int) (sum int) {
	for _, v := range c {
		sum += v * v
	}
	return sum
}

// greatest returns the greatest rotation of c.
func greatest(c []int) []int {
	best := c
	for s := 1; s < len(c); s++ {
		if turned := append(slices.Clone(c[s:]), c[:s]...); slices.Compare(turned, best) > 0 {
			best = turned
		}
	}
	return best
}
