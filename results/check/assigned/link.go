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

// flowsOf returns the flow from p to q as number p*N+q, in shares of a unit, rounded down.
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
				part.Mul(part, new(big.Rat).SetInt(unit))
				flows[from*n+to] = append(flows[from*n+to], share{l, new(big.Int).Quo(part.Num(), part.Denom()).Int64()})
			}
		}
	}
	return flows
}

// linkBound returns a lower bound on E_max where a node has one task only, in units, 0 where it is not computed: the
// task that sends or receives most is on some node, and some link of that node carries at least what the bound of
// Gilmore (1962) and Lawler (1963) on this quadratic assignment problem says, of the senders of every task or of their
// receivers; and so does the link that would carry most if all nodes sent alike, wherever that task is. The potentials
// of the assignment problem are the proof: they are made feasible, whatever they were.
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
	flows := flowsOf(m, p, unit)
	// on returns the bound of a link where the task in the centre is on a node, wherever it is with a node of -1.
	on := func(l core.Link, v int) (most int64) {
		shares := make([]int64, n*n)
		for i, flow := range flows {
			for _, s := range flow {
				if s.link == l {
					shares[i] = s.units
				}
			}
		}
		others, rest := core.Range(tasks), places
		if v >= 0 {
			others = slices.DeleteFunc(others, func(i int) bool { return i == centre })
			rest = slices.DeleteFunc(slices.Clone(places), func(q int) bool { return q == v })
		}
		for way := range 2 {
			m.ChargeAll(3, n, n, tasks)
			var partners [][]int64 // what every other exchanges with others, the greatest first
			for _, j := range others {
				var list []int64
				for _, k := range others {
					list = append(list, amounts[[2]int{k*tasks + j, j*tasks + k}[way]])
				}
				slices.SortFunc(list, func(a, b int64) int { return int(b - a) })
				partners = append(partners, list)
			}
			costs := make([][]int64, len(others))
			for _, q := range rest {
				var parts []int64
				for _, x := range rest {
					if x != q {
						parts = append(parts, shares[[2]int{x*n + q, q*n + x}[way]])
					}
				}
				slices.Sort(parts)
				for i, j := range others {
					cost := int64(0)
					if v >= 0 {
						cost = amounts[j*tasks+centre]*shares[q*n+v] + amounts[centre*tasks+j]*shares[v*n+q]
					}
					for k, amount := range partners[i] {
						if amount == 0 {
							break
						}
						cost += amount * parts[k]
					}
					costs[i] = append(costs[i], cost)
				}
			}
			cost, _ := atLeast(costs)
			most = max(most, cost)
		}
		return most
	}
	least, all := int64(math.MaxInt64), make([]int64, t.M()) // what all nodes would put on links
	for _, v := range centres {
		most := int64(0)
		for l := range t.EachLink() {
			if from, to := t.LinkEnds(l); most < least && (from == v || to == v) {
				most = max(most, on(l, v))
			}
		}
		least = min(least, most)
	}
	for _, flow := range flows {
		for _, s := range flow {
			all[s.link] += s.units
		}
	}
	return max(least, on(core.Link(slices.Index(all, slices.Max(all))), -1))
}

// atLeast returns a lower bound on the costs of an assignment of rows to columns of their own, of which there are not
// fewer: the least costs, by shortest augmenting paths (Kuhn 1955, Munkres 1957); and the row of every column, -1
// without one.
func atLeast(costs [][]int64) (sum int64, of []int) {
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
	for _, i := range row[1:] {
		of = append(of, i-1)
	}
	return sum, of
}
