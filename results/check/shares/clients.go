package shares

import (
	"math/big"
	"math/bits"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results/check/meter"
)

// ClientsDenominator returns a D such that every load under the client traffic of a problem is a multiple of 1/D, nil
// where that is not found in reasonable time.
func ClientsDenominator(m *meter.Meter, p objective.Problem) *big.Int {
	d, replies := Denominator(m, p.Routing), Denominator(m, p.ReplyRouting())
	if d == nil || replies == nil {
		return nil
	}
	return LCM(d, replies)
}

// ClientBits is the most bits of a load that Clients counts.
const ClientBits = 54

// Clients returns, by node and link, what a processor on the node causes, in units of 1/d, from the paths of all
// its messages under client traffic; nil where loads may have more than ClientBits. Cost: all paths between two nodes.
func Clients(m *meter.Meter, p objective.Problem, den *big.Int) [][]int64 {
	t, messages := p.Torus(), uint(p.Traffic.Request+p.Traffic.Reply)
	if den == nil || den.BitLen()+bits.Len(messages)+2*bits.Len(uint(t.N())) > ClientBits {
		return nil
	}
	d := den.Int64()
	m.ChargeAll(8, t.N(), t.M())
	loads := NewRows(t.N(), t.M())
	send := func(load []int64, r routing.Routing, from, to, messages int) {
		if from == to || messages == 0 {
			return
		}
		paths, through := int64(0), map[core.Link]int64{}
		for path, weight := range m.Paths(r, from, to, nil) {
			paths += weight
			m.ChargeAll(8, len(path))
			for _, l := range path {
				through[l] += weight
			}
		}
		for l, count := range through {
			bandwidth := int64(t.LinkBandwidth(l))
			load[l] += count * int64(messages) * (d / bandwidth) / paths // a whole number, d being what it is
		}
	}
	for v := range t.N() {
		for u := range t.N() {
			send(loads[v], p.Routing, u, v, p.Traffic.Request)
			send(loads[v], p.ReplyRouting(), v, u, p.Traffic.Reply)
		}
	}
	return loads
}
