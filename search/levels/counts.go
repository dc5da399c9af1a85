package levels

import (
	"cmp"
	"context"
	"errors"
	"slices"
)

var errTooMany = errors.New("too many to keep")

// A counted is a list of slab counts with its width.
type counted struct {
	counts []int
	width  int
}

// list returns the slab counts of the ring for n processors, in order. It fails with
// errTooMany past most, or with the error of the context.
func (d *ring) list(ctx context.Context, n int, limit int64, most int) (list []counted, err error) {
	keep := func(c []int) error {
		w := d.width(c, limit)
		if w*d.lines < n {
			return nil
		}
		if list = append(list, counted{slices.Clone(c), w}); len(list) > most {
			return errTooMany
		}
		return ctx.Err()
	}
	// The greatest rotation starts with the greatest count.
	var extend func(c []int, left int) error
	extend = func(c []int, left int) error {
		if left > c[0]*(d.k-len(c)) || !d.bears(c, limit) {
			return nil
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
		return ctx.Err()
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
