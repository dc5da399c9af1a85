package assigned

import (
	"math"
	"math/big"
	"math/bits"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results/check/meter"
)

// maxLinkWork is how many products and steps of assignment problems the bound by single links takes on.
const maxLinkWork = 1 << 28

// maxLoadBits is how many bits the sum of all amounts may have, in units.
const maxLoadBits = 62

// A share is what a link carries of an amount of one unit of the matrix, in units of the loads.
type share struct {
	link  core.Link
	units int64
}

// unitOf returns the denominator of shares, nil where loads have more bits than given.
func unitOf(p objective.Problem, most int) *big.Int {
	unit, sum := objective.Denominator(p.Routing), int64(0)
	for _, d := range p.Traffic.Matrix.Demands {
		sum += d.Amount
	}
	if unit == nil || unit.BitLen()+bits.Len64(uint64(sum)) > most {
		return nil
	}
	return unit
}

// flowsOf returns the flow from p to q as number p*N+q, in shares of a unit.
func flowsOf(m *meter.Meter, p objective.Problem, unit *big.Int) [][]share {
	n := p.Torus().N()
	m.ChargeAll(16, n, n, p.Torus().D())
	flows := make([][]share, n*n)
	for from := range n {
		for to := range n {
			if from == to {
				continue
			}
			for l, part := range carried(m, p.Routing, from, to) {
				units := part.Mul(part, new(big.Rat).SetInt(unit)).Num().Int64()
				flows[from*n+to] = append(flows[from*n+to], share{l, units})
			}
		}
	}
	return flows
}

// linkBound returns a lower bound on E_max where a node has one task only, in units, 0 where it is not computed: the
// task that sends or receives most is on some node, and some link of that node carries at least what the bound of
// Gilmore (1962) and Lawler (1963) on this quadratic assignment problem says, of the senders of every task or of their
// receivers. The potentials of the assignment problem are the proof: they are made feasible, whatever they were.
func linkBound(m *meter.Meter, p objective.Problem) int64 {
	t, matrix := p.Torus(), p.Traffic.Matrix
	n, tasks := t.N(), matrix.Tasks
	unit := unitOf(p, maxLoadBits-2*bits.Len(uint(n))-2) // all costs are at most twice all loads, potentials n times that
	places := p.Candidates()
	alike := p.Pinned == nil && p.Forbidden == nil && routing.Invariant(p.Routing)
	centres := places
	if alike {
		centres = places[:1]
	}
	work := float64(len(centres)*4*t.D()*2) * float64(n) * float64(n) * float64(tasks)
	if p.Traffic.Room() > 1 || tasks < 2 || unit == nil || work > maxLinkWork {
		return 0
	}
	amounts, sums, centre := make([]int64, tasks*tasks), make([][2]int64, tasks), 0
	for _, d := range matrix.Demands {
		amounts[d.From*tasks+d.To] = d.Amount
		sums[d.From][0] += d.Amount
		sums[d.To][1] += d.Amount
	}
	for i, s := range sums {
		if max(s[0], s[1]) > max(sums[centre][0], sums[centre][1]) {
			centre = i
		}
	}
	others := slices.DeleteFunc(core.Range(tasks), func(i int) bool { return i == centre })
	var partners [2][][]int64 // by direction and other: what it exchanges with others, the greatest first
	for way := range partners {
		for _, j := range others {
			var list []int64
			for _, k := range others {
				list = append(list, amounts[[2]int{k*tasks + j, j*tasks + k}[way]])
			}
			slices.SortFunc(list, func(a, b int64) int { return int(b - a) })
			partners[way] = append(partners[way], list)
		}
	}
	flows, least := flowsOf(m, p, unit), int64(math.MaxInt64)
	for _, v := range centres {
		rest := slices.DeleteFunc(slices.Clone(places), func(q int) bool { return q == v })
		most := int64(0)
		for l := range t.EachLink() {
			from, to := t.LinkEnds(l)
			if from != v && to != v {
				continue
			}
			on := make([]int64, n*n)
			for i, flow := range flows {
				for _, s := range flow {
					if s.link == core.Link(l) {
						on[i] = s.units
					}
				}
			}
			for way := range partners {
				if most >= least {
					break
				}
				m.ChargeAll(2, n, n, tasks)
				costs := make([][]int64, len(others))
				for _, q := range rest {
					var shares []int64
					for _, x := range rest {
						if x != q {
							shares = append(shares, on[[2]int{x*n + q, q*n + x}[way]])
						}
					}
					slices.Sort(shares)
					for i, j := range others {
						cost := amounts[j*tasks+centre]*on[q*n+v] + amounts[centre*tasks+j]*on[v*n+q]
						for k, amount := range partners[way][i] {
							if amount == 0 {
								break
							}
							cost += amount * shares[k]
						}
						costs[i] = append(costs[i], cost)
					}
				}
				most = max(most, atLeast(costs))
			}
		}
		least = min(least, most)
	}
	return least
}

// atLeast returns a lower bound on the costs of an assignment of rows to columns of their own, of which there are not
// fewer: the least costs, by shortest augmenting paths (Kuhn 1955, Munkres 1957).
func atLeast(costs [][]int64) (sum int64) {
	rows, columns := len(costs), len(costs[0])
	u, v, row := make([]int64, rows+1), make([]int64, columns+1), make([]int, columns+1)
	for i := 1; i <= rows; i++ {
		slack, before, done := make([]int64, columns+1), make([]int, columns+1), make([]bool, columns+1)
		for j := range slack {
			slack[j] = math.MaxInt64
		}
		at := 0
		for row[0] = i; row[at] != 0; {
			done[at] = true
			delta, next := int64(math.MaxInt64), 0
			for j := 1; j <= columns; j++ {
				if done[j] {
					continue
				}
				if c := costs[row[at]-1][j-1] - u[row[at]] - v[j]; c < slack[j] {
					slack[j], before[j] = c, at
				}
				if slack[j] < delta {
					delta, next = slack[j], j
				}
			}
			for j := range done {
				if done[j] {
					u[row[j]] += delta
					v[j] -= delta
				} else {
					slack[j] -= delta
				}
			}
			at = next
		}
		for at != 0 {
			row[at] = row[before[at]]
			at = before[at]
		}
	}
	for j := range columns {
		least := int64(0)
		for i := range rows {
			least = min(least, costs[i][j]-u[i+1])
		}
		sum += least
	}
	for _, x := range u[1:] {
		sum += x
	}
	return sum
}
