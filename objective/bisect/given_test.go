package bisect

import (
	"testing"

	"leeway/core"
	"leeway/core/coretest"
)

// TestGivenAgainstAllSets: on networks from lists of links, tori as lists among them, cuts are as narrow as any set of
// nodes is, link by link, and no bound is above that.
func TestGivenAgainstAllSets(t *testing.T) {
	for i := range coretest.Cases(400, 120) {
		rng := coretest.Rng(3540, i)
		network := coretest.Given(rng, 10)
		if i%4 == 0 {
			network = coretest.Listed(coretest.AnyNetwork(rng, 10))
		}
		p := coretest.Placement(rng, network)
		q := Question{Placement: p, Least: rng.IntN(p.Size()/2 + 1)}
		want := -1
		for s := range uint64(1) << network.N() {
			out, set := 0, core.Set{s}
			for l := range core.Link(network.M()) {
				if !network.HasLink(l) {
					continue
				}
				if from, to := network.LinkEnds(l); set.Has(from) && !set.Has(to) {
					out += network.LinkBandwidth(l)
				}
			}
			if q.fits(processorsInside(p, set)) && (want < 0 || out < want) {
				want = out
			}
		}
		if r := Width(t.Context(), q); !r.Exact || r.Out != want || CapacityOut(network, r.Side) != want ||
			!q.fits(processorsInside(p, r.Side)) {
			t.Fatalf("case %d, %s, nodes %v, least %d: %+v, want %d out", i, network, p.Nodes(), q.Least, r, want)
		}
		if r := guess(t.Context(), q); r.Out < want || r.LowerOut > want || CapacityOut(network, r.Side) != r.Out {
			t.Fatalf("case %d, %s, nodes %v, least %d: guess %+v, want %d out", i, network, p.Nodes(), q.Least, r, want)
		}
	}
}
