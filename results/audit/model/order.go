package model

import (
	"slices"

	"leeway/objective/exchange/wormhole"
)

// Section 7 of seed 004: which barriers or signals keep the phases of the ring exchange apart. A node takes its
// sends and receives in the order of their phases and starts a send when its earlier ones of both kinds are over;
// sends of different phases that use one link, or one receive port, must keep their order.

// An Order has the sends of a ring exchange, in the order of their phases, and which of them come before which by
// themselves.
type Order struct {
	n      int
	sends  []TimedSend
	before [][]bool // [i][j]: send i is over before send j starts
}

// A TimedSend is a send with the number of its phase.
type TimedSend struct {
	Send
	Phase int // from 1
}

// NewOrder takes the sends on a ring of n places by phase, and works out which come before which by themselves: those
// that share a node.
func NewOrder(n int, phases [][]Send) *Order {
	r := &Order{n: n}
	for k, phase := range phases {
		for _, s := range phase {
			r.sends = append(r.sends, TimedSend{s, k + 1})
		}
	}
	for i, a := range r.sends {
		r.before = append(r.before, make([]bool, len(r.sends)))
		for j, b := range r.sends {
			r.before[i][j] = a.Phase < b.Phase && (a.From == b.From || a.To == b.From)
		}
	}
	r.close()
	return r
}

// PlanSends returns the sends of a plan of a ring by phase.
func PlanSends(p *wormhole.Plan) [][]Send {
	var phases [][]Send
	for phase := range p.Schedule().Phases {
		var sends []Send
		for _, s := range phase {
			sends = append(sends, Send{int(s.From), int(s.To), int(s.Dir)})
		}
		phases = append(phases, sends)
	}
	return phases
}

// TreeSends returns those of the positive tree of Section 2.3 alone, all places sending at level 0.
func TreeSends(d int) [][]Send {
	var phases [][]Send
	for l := range d - 1 {
		phases = append(phases, PositiveSends(d, l))
	}
	for l := range d - 1 {
		phases = append(phases, PositiveSends(d, d-2-l))
	}
	return phases
}

// close adds what chains imply.
func (r *Order) close() {
	for j := range r.sends { // sends ascend by phase: all before i is known when j > i asks
		for i := j - 1; i >= 0; i-- {
			for h := 0; r.before[i][j] && h < i; h++ {
				r.before[h][j] = r.before[h][j] || r.before[h][i]
			}
		}
	}
}

// Exposed returns each two sends of different phases that want one link, or with ports one receive port, and are in
// no order.
func (r *Order) Exposed(ports bool) [][2]TimedSend {
	var open [][2]TimedSend
	for i, a := range r.sends {
		for j, b := range r.sends {
			if a.Phase >= b.Phase || r.before[i][j] {
				continue
			}
			shared := ports && a.To == b.To
			for _, link := range a.Links(r.n) {
				shared = shared || slices.Contains(b.Links(r.n), link)
			}
			if shared {
				open = append(open, [2]TimedSend{a, b})
			}
		}
	}
	return open
}

// Barriers returns the fewest phases after which a barrier keeps all sends apart: each two that are exposed need one
// between them.
func (r *Order) Barriers(ports bool) []int {
	gaps := r.Exposed(ports)
	slices.SortFunc(gaps, func(x, y [2]TimedSend) int { return x[1].Phase - y[1].Phase })
	var points []int
	for _, g := range gaps {
		if len(points) == 0 || points[len(points)-1] < g[0].Phase {
			points = append(points, g[1].Phase-1)
		}
	}
	return points
}

// AddSignals puts the signals of Section 7.2 into the order, and returns the number of levels that have some and of
// signals. After its part in a phase, also an empty one, a node sends a signal; another waits for it before its part
// in a later phase. The negative tree has those of the mirror image under i -> 1-i.
func (r *Order) AddSignals(d int) (rounds, signals int) {
	signal := func(firstPhase, first, thenPhase, then int) {
		for _, mirror := range []bool{false, true} {
			a, b := (first+r.n)%r.n, (then+r.n)%r.n
			if mirror {
				a, b = (r.n+1-a)%r.n, (r.n+1-b)%r.n
			}
			signals++
			for i, x := range r.sends {
				for j, y := range r.sends {
					if x.Phase <= firstPhase && (x.From == a || x.To == a) && y.Phase >= thenPhase && y.From == b {
						r.before[i][j] = true
					}
				}
			}
		}
	}
	scatter := func(l int) int { return 2*d - 2 - l }
	for l := 1; l <= d-2; l++ { // from v_{i+2^l} after GP_{l-1}, to v_i before GP_l
		rounds++
		for i := 0; i < r.n; i += 1 << l {
			signal(l, i+1<<l, l+1, i)
		}
	}
	for l := d - 2; l >= 2; l-- { // from v_i after SP_l, to v_{i+2^(l-1)} before SP_{l-1}
		rounds++
		for i := 0; i < r.n; i += 1 << l {
			signal(scatter(l), i, scatter(l-1), i+1<<(l-1))
		}
	}
	r.close()
	return rounds, signals
}
