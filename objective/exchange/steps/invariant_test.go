package steps

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
)

// TestChoose: against all choices of vectors from small boxes, whatever the prices. A choice takes no port too often,
// there is none below the bound, and where there are some one is found.
func TestChoose(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 0))
	found, possible := 0, 0
	for _, text := range []string{"4", "5", "6", "7", "1x5:twist=2", "2x3", "2x4:twist=1", "1x7:twist=3", "2x4",
		"3x2:bandwidth=1,2", "2x2x2", "1x8:twist=3", "4:bandwidth=2", "1x6:twist=2", "1x1x7:twist=0,0,1+0,0,2+0,0,0"} {
		n := coretest.Must(ports(coretest.Must(core.ParseNetwork(text))))
		for steps := 1; steps <= 6; steps++ {
			choices := make([][]portVector, n.N()) // of walks that never take both ports of a dimension
			var walk func(v int, took portVector)
			walk = func(v int, took portVector) {
				choices[v] = append(choices[v], slices.Clone(took))
				for i, p := range n.Ports() {
					back := int16(n.PortIndex(p.Dim, -p.Dir))
					if len(took) < steps && (len(took) == 0 || int16(i) >= took[len(took)-1]) &&
						(back == int16(i) || !slices.Contains(took, back)) {
						walk(n.Shift(v, p.Dim, int(p.Dir)), append(slices.Clone(took), int16(i)))
					}
				}
			}
			walk(0, nil)
			load := make([]int, n.Degree())
			var choose func(d int) bool
			choose = func(d int) bool {
				if d == n.N() {
					return true
				}
				for _, v := range choices[d] {
					if slices.ContainsFunc(choices[d], func(w portVector) bool { return len(w) < len(v) && partOf(w, v) }) {
						continue
					}
					for _, port := range v {
						load[port]++
					}
					fits := !slices.ContainsFunc(n.out[0], func(s step) bool { return load[s.link/n.N()] > steps*s.room })
					if fits && choose(d+1) {
						return true
					}
					for _, port := range v {
						load[port]--
					}
				}
				return false
			}
			want := choose(1)
			price := make([]int, n.Degree())
			for i := range price {
				p := n.Port(i)
				price[i] = rng.IntN(4)
				price[n.PortIndex(p.Dim, -p.Dir)] = price[i]
			}
			if bound := n.invariantBound(price); want && bound.Cmp(big.NewRat(int64(steps), 1)) > 0 {
				t.Fatalf("%s: %d steps, the bound at %v is %v", text, steps, price, bound)
			}
			b := n.choose(price, steps)
			if b != nil && (!want || b.steps() > steps) {
				t.Fatalf("%s in %d steps at %v: %v, by trying %v", text, steps, price, b, want)
			}
			if want {
				possible++
			}
			if b != nil {
				found++
			}
		}
	}
	if found < 20 || found < possible {
		t.Errorf("only %d of %d choices are found", found, possible)
	}
}
