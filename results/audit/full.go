package audit

import "context"

// Checks of what the papers say about fully populated tori.

// checkFullLoad: a full torus has E_max in relation r to k^(d+1)/8. The note goes on
// after that on the true value.
func checkFullLoad(even bool, r relation, note string) func(context.Context, Limits) Finding {
	return func(ctx context.Context, l Limits) Finding {
		var s survey
		l = l.upTo(10)
		for k, d := range cubes(ctx, l, 3, 1, 2, 3) {
			if even && k%2 == 1 {
				continue
			}
			for _, routed := range []string{"odr:tie=both", "udr:tie=both", "minimal"} {
				at := setUp(cube(k, d), "full", routed)
				s.compare(at, at.load(), r, product(power(k, d+1), ratio(1, 8)))
			}
		}
		return s.finding(l.span(3, 1, 2, 3)+parity(even)+", routings odr, udr and minimal with both tie ways",
			"every link of a full torus can have the mean load: k^(d+1)/8 for even k, k^(d-1) (k^2-1)/8 for odd k"+note)
	}
}

// parity says that only even sides count, if so.
func parity(even bool) string {
	if even {
		return ", even ones"
	}
	return ""
}

// checkFullWidth: the full torus has bisection width 4k^(d-1).
func checkFullWidth(even bool) func(context.Context, Limits) Finding {
	return func(ctx context.Context, l Limits) Finding {
		var s survey
		l = l.upTo(8)
		for k, d := range cubes(ctx, l, 3, 1, 2, 3) {
			if even && k%2 == 1 {
				continue
			}
			at := setUp(cube(k, d), "full", "")
			s.compare(at, whole(exactWidth(ctx, at.placement)), equals, product(whole(4), power(k, d-1)))
		}
		return s.finding(l.span(3, 1, 2, 3)+parity(even), "4 on rings; on k x k with odd k it is 4k+4: the cut has to step aside in the middle")
	}
}
