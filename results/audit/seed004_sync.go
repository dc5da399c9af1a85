package audit

import (
	"context"
	"fmt"
	"slices"

	"leeway/objective/exchange/wormhole"
)

// Section 7 of seed 004: which barriers or signals keep the phases of the ring exchange
// apart. A node takes its sends and receives in the order of their phases and starts a
// send when its earlier ones of both kinds are over; sends of different phases that use
// one link, or one receive port, must keep their order.

// A syncRun has the sends of a ring exchange, in the order of their phases, and which of
// them come before which by themselves.
type syncRun struct {
	n, phases int
	sends     []syncSend
	before    [][]bool // [i][j]: send i is over before send j starts
}

type syncSend struct {
	phase, from, to, dir int // phases from 1
}

// newSyncRun reads a plan of a ring.
func newSyncRun(plan *wormhole.Plan) *syncRun {
	r := &syncRun{n: plan.Torus().N()}
	for phase := range plan.Schedule().Phases {
		r.phases++
		for _, s := range phase {
			r.sends = append(r.sends, syncSend{r.phases, int(s.From), int(s.To), int(s.Dir)})
		}
	}
	r.order()
	return r
}

// treeSyncRun is the positive tree of Section 2.3 alone, all places sending at level 0.
func treeSyncRun(d int) *syncRun {
	r := &syncRun{n: 1 << d}
	phases, _ := runTree(d, 1<<(d-1), appendixReading)
	for _, p := range phases {
		r.phases++
		for _, m := range p.moves {
			r.sends = append(r.sends, syncSend{r.phases, m.from, m.to, 1})
		}
	}
	r.order()
	return r
}

// order fills in what comes before what because of one node.
func (r *syncRun) order() {
	for i, a := range r.sends {
		r.before = append(r.before, make([]bool, len(r.sends)))
		for j, b := range r.sends {
			r.before[i][j] = a.phase < b.phase && (a.from == b.from || a.to == b.from)
		}
	}
	r.close()
}

// close adds what chains imply.
func (r *syncRun) close() {
	for j := range r.sends { // sends ascend by phase: all before i is known when j > i asks
		for i := j - 1; i >= 0; i-- {
			if !r.before[i][j] {
				continue
			}
			for h := range i {
				r.before[h][j] = r.before[h][j] || r.before[h][i]
			}
		}
	}
}

// links returns the directed links of a send.
func (r *syncRun) links(s syncSend) []int {
	var list []int
	for v := s.from; v != s.to; v = (v + s.dir + r.n) % r.n {
		list = append(list, 2*v+(s.dir+1)/2)
	}
	return list
}

// exposed calls f with each two sends of different phases that want one link, or with
// ports one receive port, and are in no order.
func (r *syncRun) exposed(ports bool, f func(a, b syncSend)) {
	for i, a := range r.sends {
		for j, b := range r.sends {
			if a.phase >= b.phase || r.before[i][j] {
				continue
			}
			shared := ports && a.to == b.to
			for _, link := range r.links(a) {
				shared = shared || slices.Contains(r.links(b), link)
			}
			if shared {
				f(a, b)
			}
		}
	}
}

// barriers returns the fewest phases after which a barrier keeps all sends apart: each
// two that are exposed need one between them.
func (r *syncRun) barriers(ports bool) []int {
	type gap struct{ first, last int } // a barrier after one of these phases
	var gaps []gap
	r.exposed(ports, func(a, b syncSend) { gaps = append(gaps, gap{a.phase, b.phase - 1}) })
	slices.SortFunc(gaps, func(x, y gap) int { return x.last - y.last })
	var points []int
	for _, g := range gaps {
		if len(points) == 0 || points[len(points)-1] < g.first {
			points = append(points, g.last)
		}
	}
	return points
}

// syncExponent bounds the rings of these checks: the order of all sends is quadratic.
func syncExponent(l Limits) int { return min(6, ringExponent(l)-1) }

func barriersOf004(ctx context.Context, l Limits) Finding {
	var s survey
	links, printed, whole := "", "", ""
	for d := 3; d <= syncExponent(l) && ctx.Err() == nil; d++ {
		plan, err := ringPlan(1 << d)
		if err != nil {
			return broken(err)
		}
		run := newSyncRun(plan)
		needed := run.barriers(true)
		s.add(len(needed) == 2*d-5, func() Counterexample {
			return Counterexample{fmt.Sprintf("n = %d", 1<<d), fmt.Sprintf("2d-5 = %d barriers", 2*d-5), fmt.Sprintf("%d, after the phases %v", len(needed), needed),
				fmt.Sprintf("leeway exchange --torus %d --algorithm ring --sync", 1<<d)}
		})
		printed += fmt.Sprintf(" %d", 2*d-5)
		links += fmt.Sprintf(" %d", len(run.barriers(false)))
		whole += fmt.Sprintf(" %d", len(treeSyncRun(d).barriers(false)))
	}
	return s.finding(fmt.Sprintf("rings of 2^d places, d = 3 to %d, one port each way", syncExponent(l)),
		fmt.Sprintf("2d-4 are needed: a place hears from two others in SP_1 and SP_0. If only links are counted, not the receive port, it is%s for d = 3 and on (2d-5 is%s), and on the tree of Section 2.3, before level 0 is halved,%s", links, printed, whole))
}

// signalsOf004 adds the signals of Section 7.2 and checks that no two sends are exposed.
// The negative tree has those of the mirror image under i -> 1-i.
func signalsOf004(ctx context.Context, l Limits) Finding {
	var s, onlyLinks survey
	for d := 3; d <= syncExponent(l) && ctx.Err() == nil; d++ {
		plan, err := ringPlan(1 << d)
		if err != nil {
			return broken(err)
		}
		run := newSyncRun(plan)
		rounds, count := run.addSignals(d)
		run.close()
		where := fmt.Sprintf("n = %d", 1<<d)
		for _, ports := range []bool{true, false} {
			var open [][2]syncSend
			run.exposed(ports, func(a, b syncSend) { open = append(open, [2]syncSend{a, b}) })
			holds := rounds == 2*d-5 && len(open) == 0
			if !ports {
				onlyLinks.add(holds, differs(where, "", ""))
				continue
			}
			s.add(holds, func() Counterexample {
				a, b := open[0][0], open[0][1]
				return Counterexample{where, fmt.Sprintf("%d rounds of signals keep all sends apart", 2*d-5),
					fmt.Sprintf("%d rounds, %d signals; %d pairs of sends are not kept apart, such as v_%d to v_%d in phase %d and v_%d to v_%d in phase %d",
						rounds, count, len(open), a.from, a.to, a.phase, b.from, b.to, b.phase),
					fmt.Sprintf("leeway exchange --torus %d --algorithm ring --sync", 1<<d)}
			})
		}
	}
	return s.finding(fmt.Sprintf("rings of 2^d places, d = 3 to %d, one port each way", syncExponent(l)),
		fmt.Sprintf("if only links are counted, not the receive port, the signals do in %d of %d cases", onlyLinks.cases-onlyLinks.failed, onlyLinks.cases))
}

// addSignals puts the signals of Section 7.2 into the order, and returns the number of
// levels that have some and of signals. After its part in a phase, also an empty one, a
// node sends a signal; another waits for it before its part in a later phase.
func (r *syncRun) addSignals(d int) (rounds, signals int) {
	signal := func(firstPhase, first, thenPhase, then int) {
		for _, mirror := range []bool{false, true} {
			a, b := (first+r.n)%r.n, (then+r.n)%r.n
			if mirror {
				a, b = (r.n+1-a)%r.n, (r.n+1-b)%r.n
			}
			signals++
			for i, x := range r.sends {
				for j, y := range r.sends {
					if x.phase <= firstPhase && (x.from == a || x.to == a) && y.phase >= thenPhase && y.from == b {
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
	return rounds, signals
}
