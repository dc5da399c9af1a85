package check

import (
	"context"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/objective"
	"leeway/results/check/meter"
)

// ClosedForm returns the lower bound on E_max of a problem that a proof of kind "bound" may claim. Cost O(M log N).
func ClosedForm(p objective.Problem) *big.Rat {
	return closedForm(meter.Unlimited(context.Background()), p, p.Size)
}

// closedForm returns a lower bound on E_max for n processors that needs no steps: all to all, whatever shortest paths
// messages take, a processor sends n-1 messages over the links out of its node, and all links together carry at least
// the n-1 shortest distances of each. On networks that the kernel does not take it is the only one.
func closedForm(m *meter.Meter, q objective.Problem, n int) *big.Rat {
	t := q.Torus()
	if n < 2 || q.Traffic.Clients() || t.M() > meter.MaxLinks {
		return new(big.Rat)
	}
	m.ChargeAll(16, t.M())
	capacity, out := int64(0), make([]int64, t.N())
	for l := range core.Link(t.M()) {
		if from, port := t.LinkFrom(l); t.HasLink(l) {
			capacity += int64(t.Bandwidth(port.Dim))
			out[from] += int64(t.Bandwidth(port.Dim))
		}
	}
	slices.Sort(out)
	degree := big.NewRat(int64(n-1), out[t.N()-n]) // the most that the least of n nodes can have
	middle := 0                                    // from where as many nodes as from any other are within any distance
	for j := range t.D() {
		if t.Open(j) {
			middle += t.Side(j) / 2 * t.Stride(j)
		}
	}
	m.ChargeAll(4+2*t.D(), t.N())
	distances := make([]int64, t.N())
	for u := range distances {
		distances[u] = int64(t.LeeDistance(middle, u))
	}
	slices.Sort(distances)
	total := new(big.Int)
	for _, d := range distances[:n] {
		total.Add(total, big.NewInt(d))
	}
	mean := new(big.Rat).SetFrac(total.Mul(total, big.NewInt(int64(n))), big.NewInt(capacity))
	if degree.Cmp(mean) > 0 {
		return degree
	}
	return mean
}
