package audit

import "math/big"

// The closed forms of this file are not the papers'. They were found from computed
// values and then derived; the checks compare them with the evaluator in the ranges
// that they name.

// halfReach returns the number of nodes that a node of a ring of k reaches by the +
// way, a tie counting one half if both ways are taken: floor(k/2) or (k-1)/2.
func halfReach(k int, both bool) *big.Rat {
	if both && k%2 == 0 {
		return ratio(k-1, 2)
	}
	return whole(k / 2)
}

// crossings returns how many ordered pairs of nodes of a ring of k use a + link,
// halves for ties: h(h+1)/2 for h = floor(k/2), or k^2/8 if both ways are taken and
// k is even.
func crossings(k int, both bool) *big.Rat {
	if both && k%2 == 0 {
		return ratio(k*k, 8)
	}
	return ratio(k/2*(k/2+1), 2)
}

// reachOf returns the sum over the first m of the nodes 0, 1, 2.. steps behind a
// link of how many nodes each reaches through it.
func reachOf(k, m int, both bool) *big.Rat {
	total := new(big.Rat)
	for i := range m {
		r := new(big.Rat).Sub(halfReach(k, both), whole(i))
		if r.Sign() <= 0 {
			break
		}
		total.Add(total, r)
	}
	return total
}

// odrLoad returns E_max of the residues 0..t-1 on d >= 2 sides of k >= 3 under ODR:
// t k^(d-2) R_t, where R_t is the reach of t nodes in a row. It occurs in the first
// and the last dimension; there one end of a pair lies on the ring of the link and
// the other is spread evenly over k^(d-2) of every coordinate.
func odrLoad(k, d, t int, both bool) *big.Rat {
	return product(product(whole(t), power(k, d-2)), reachOf(k, t, both))
}

// odrMiddle returns the largest load of the dimensions between the first and the
// last: t^2 k^(d-3) times the crossings.
func odrMiddle(k, d, t int, both bool) *big.Rat {
	return product(product(whole(t*t), power(k, d-3)), crossings(k, both))
}

// udrLoad returns E_max of the residues 0..t-1 on d >= 2 sides of k >= 3 under UDR:
// a dimension is corrected first or last with weight 1/d each, when one end of the
// pair lies on the ring, and between with (d-2)/d:
//
//	((d-2) t^2 k^(d-3) X + t k^(d-2) S_t) / d
//
// with X the crossings and S_t the reach of the two halves of t nodes in a row
// around the link, ceil(t/2) that send and floor(t/2) that receive.
func udrLoad(k, d, t int, both bool) *big.Rat {
	halves := sum(reachOf(k, (t+1)/2, both), reachOf(k, t/2, both))
	ends := product(product(whole(t), power(k, d-2)), halves)
	return product(ratio(1, d), sum(product(whole(d-2), odrMiddle(k, d, t, both)), ends))
}
