package audit

import (
	"fmt"
	"iter"
	"maps"
	"math/big"
	"math/bits"
	"slices"

	"leeway/core"
	"leeway/objective/exchange"
	"leeway/objective/exchange/wormhole"
)

// The gather-scatter tree of seed 004 on a ring of n = 2^d places, written from Sections 2.1 to 2.3, apart from the
// library's. What the paper leaves open, or prints in two ways, is a reading.

// A pair is the block of source s for destination t.
type pair struct{ s, t int }

// A treeMove is one send of a phase.
type treeMove struct {
	from, to int
	blocks   []pair
}

// A treePhase is GP_l or SP_l.
type treePhase []treeMove

// A reading says whether the place i of V_l takes Case 2 in GP_l.
type reading func(d, l, i int) bool

// appendixReading is that of the proofs of Lemmas 2 and 3: Case 2 for V_{l+1}, and for all in the last gathering
// phase.
func appendixReading(d, l, i int) bool { return l == d-2 || i%(2<<l) == 0 }

// definitionReading is that of Section 2.2 with Definition 2: Case 1 for the places of \hat V_{l+1}. V_{d-1} is
// empty, so that in the last gathering phase these are all.
func definitionReading(d, l, i int) bool { return l < d-2 && i%(2<<l) == 0 }

// printedReading is that of the pseudo-code of Section 2.3 as printed: its inner test repeats the outer one, "v_i in
// V_l", so that Case 1 never applies.
func printedReading(_, _, _ int) bool { return true }

// ahead returns the positive distance from a to b.
func ahead(n, a, b int) int { return ((b-a)%n + n) % n }

// covers reports whether place t is in SC_l^+(v_i): v_i and the 2^l - 1 places after it.
func covers(n, l, i, t int) bool { return ahead(n, i, t) < 1<<l }

// inV and inHat report whether v_i is in V_l and in \hat V_l (Definition 2).
func inV(d, l, i int) bool { return l >= 0 && l <= d-2 && i%(1<<l) == 0 }

func inHat(d, l, i int) bool {
	if l == d-1 {
		return inV(d, d-2, i)
	}
	return l >= 1 && inV(d, l-1, i) && !inV(d, l, i)
}

// meeting reports whether v_m is in V_h or \hat V_h and SC_h(v_m) has place t.
func meeting(d, h, m, t int) bool { return (inV(d, h, m) || inHat(d, h, m)) && covers(1<<d, h, m, t) }

// A treeRun has the phases GP_0 to GP_{d-2}, SP_{d-2} to SP_0, and by phase and place the blocks that are there after
// the phase.
type treeRun struct {
	phases []treePhase
	held   [][][]pair
}

// runTree moves the blocks of distance up to most along the positive tree.
func runTree(d, most int, caseTwo reading) treeRun {
	n, run := 1<<d, treeRun{}
	held := make([][]pair, n) // by place
	for s := range n {
		for j := 1; j <= most; j++ {
			held[s] = append(held[s], pair{s, (s + j) % n})
		}
	}
	move := func(l int, sends func(i, t int) bool) {
		var p treePhase
		for i := 0; i < n; i += 1 << l {
			var kept, sent []pair
			for _, b := range held[i] {
				if sends(i, b.t) {
					sent = append(sent, b)
				} else {
					kept = append(kept, b)
				}
			}
			held[i] = kept
			p = append(p, treeMove{i, (i + 1<<l) % n, sent})
		}
		for _, m := range p { // only now: received blocks wait for the next phase
			held[m.to] = append(held[m.to], m.blocks...)
		}
		run.phases, run.held = append(run.phases, p), append(run.held, slices.Clone(held))
	}
	for l := 0; l <= d-2; l++ {
		move(l, func(i, t int) bool {
			if caseTwo(d, l, i) {
				return covers(n, l+1, (i+1<<l)%n, t)
			}
			return !covers(n, l+1, i, t)
		})
	}
	for l := d - 2; l >= 0; l-- {
		move(l, func(i, t int) bool { return covers(n, l, (i+1<<l)%n, t) })
	}
	return run
}

// astray counts the blocks, of all, that do not end at home.
func (r treeRun) astray() (count, all int) {
	for v, blocks := range r.held[len(r.held)-1] {
		for _, b := range blocks {
			all++
			if b.t != v {
				count++
			}
		}
	}
	return count, all
}

// appendixTree is runTree as the appendix reads it, for the n/2 blocks of the positive tree.
func appendixTree(d int) []treePhase { return runTree(d, 1<<(d-1), appendixReading).phases }

// size returns the blocks of the largest send of the phase.
func (p treePhase) size() int {
	most := 0
	for _, m := range p {
		most = max(most, len(m.blocks))
	}
	return most
}

// phaseOf returns GP_l or SP_l from the phases of a tree.
func phaseOf(phases []treePhase, l int, gather bool) treePhase {
	if gather {
		return phases[l]
	}
	return phases[len(phases)-1-l]
}

// A ringSend is one of a phase; dir is +1 or -1.
type ringSend struct{ from, to, dir int }

// positiveSends is GP_l^+, and negativeSends GP_l^- moved by a shift.
func positiveSends(d, l int) []ringSend {
	var list []ringSend
	for i := 0; i < 1<<d; i += 1 << l {
		list = append(list, ringSend{i, (i + 1<<l) % (1 << d), 1})
	}
	return list
}

func negativeSends(d, l, shift int) []ringSend {
	var list []ringSend
	for i, n := 0, 1<<d; i < n; i += 1 << l {
		list = append(list, ringSend{(i + shift) % n, (i + shift - 1<<l + n) % n, -1})
	}
	return list
}

// links returns the directed links of a send on a ring of n places.
func (s ringSend) links(n int) []int {
	var list []int
	for v := s.from; v != s.to; v = (v + s.dir + n) % n {
		list = append(list, 2*v+(s.dir+1)/2)
	}
	return list
}

// clashes counts the ports and links that sends of one phase want more than once.
func clashes(n int, sends ...ringSend) int {
	uses, twice := map[[2]int]int{}, 0
	for _, s := range sends {
		uses[[2]int{0, s.from}]++
		uses[[2]int{1, s.to}]++
		for _, link := range s.links(n) {
			uses[[2]int{2, link}]++
		}
	}
	for _, n := range uses {
		if n > 1 {
			twice++
		}
	}
	return twice
}

// next is where place v, a multiple of 2^l, of n sends to at level l: to the next multiple or, as in Section 5, to v_0
// where there is none.
func next(n, l, v int) int {
	if v+1<<l < n {
		return v + 1<<l
	}
	return 0
}

// reached returns the places, ascending, that are reached from i by the scattering phases of the levels below top, or
// from which i is reached by the gathering phases. A place does not pass on what comes in the same phase.
func reached(n, top, i int, gather bool) []int {
	at := map[int]bool{i: true}
	for l := top - 1; l >= 0; l-- {
		after := maps.Clone(at)
		for v := 0; v < n; v += 1 << l {
			if w := next(n, l, v); gather && at[w] {
				after[v] = true
			} else if !gather && at[v] {
				after[w] = true
			}
		}
		at = after
	}
	return slices.Sorted(maps.Keys(at))
}

// routes counts the ways from one of n places to another that take some of the phases in order, without going past it.
func routes(n, from, to int) int {
	d, span := bits.Len(uint(n-1)), ahead(n, from, to)
	ways := make([]int, span+1) // by how far the block has come
	ways[0] = 1
	for phase := range 2*d - 2 {
		l := min(phase, 2*d-3-phase)
		for gone := span - 1; gone >= 0; gone-- { // from the end: what comes in a phase goes on in the next
			if v := (from + gone) % n; v%(1<<l) == 0 {
				if then := gone + ahead(n, v, next(n, l, v)); then <= span {
					ways[then] += ways[gone]
				}
			}
		}
	}
	return ways[span]
}

// pairsAhead yields each of n places with each that is 1 to n/2 ahead of it.
func pairsAhead(n int) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		for from := range n {
			for j := 1; 2*j <= n; j++ {
				if !yield(from, (from+j)%n) {
					return
				}
			}
		}
	}
}

// ringExponent returns the largest d for which rings of 2^d places are checked: up to 16 times the largest side.
func ringExponent(s *survey) int { return max(2, bits.Len(uint(16*s.MaxK))-1) }

// planeExponent returns the largest d for which every block of a torus with two sides 2^d is followed: up to twice
// the largest side, from 4 to 6.
func planeExponent(s *survey) int { return min(6, max(4, bits.Len(uint(2*s.MaxK))-1)) }

// until yields first to last and ends with the context.
func until(s *survey, first, last int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for d := first; d <= last && !s.done() && yield(d); d++ {
		}
	}
}

// overRings is the range of rings of 2^d places.
func overRings(first, last int) string {
	return fmt.Sprintf("rings of 2^d places, d = %d to %d", first, last)
}

// onRings is a check of a statement about 2^d places, for each d from first on.
func onRings(first int, over, note string, each func(s *survey, d int)) check {
	return func(s *survey) {
		for d := range until(s, first, ringExponent(s)) {
			each(s, d)
		}
		s.over(overRings(first, ringExponent(s))+over, note)
	}
}

// plan returns a published plan: ring, t1, c1, t4 or c64.
func plan(name string, sides ...int) *wormhole.Plan {
	t := core.MustTorus(sides...)
	switch name {
	case "t4":
		return must(wormhole.T4(t, wormhole.Published))
	case "c64":
		return must(wormhole.C64(t, wormhole.Published))
	}
	return must(wormhole.ByAxes(t, wormhole.Published))
}

// square returns the sides of a torus with sides 2^d.
func square(axes, d int) []int { return slices.Repeat([]int{1 << d}, axes) }

// exchangeOn is the command that shows the costs of a plan.
func exchangeOn(name string, sides ...int) string {
	return fmt.Sprintf("leeway exchange --torus %s --algorithm %s", core.MustTorus(sides...), name)
}

// costText is how costs are compared.
func costText(startups int, blocks number) text {
	return say("%d startups, %s blocks, valid", startups, display(blocks))
}

// addCost adds a case: the claimed costs of a plan against the checker's.
func addCost(s *survey, at text, name string, sides []int, startups int, blocks *big.Rat) {
	v := judged(plan(name, sides...).Schedule())
	s.same(at.by(exchangeOn(name, sides...)), say("%d startups, %d blocks, %s", v.Phases, v.Transmission, v.Verdict),
		costText(startups, blocks))
}

// onClasses is addCost by the blocks of one source of each translation class. It gives up when the context is done:
// the run itself cannot be stopped.
func onClasses(s *survey, at text, p *wormhole.Plan, startups int, blocks *big.Rat) {
	truth := make(chan text, 1)
	go func() {
		sizes, err := p.RunClasses()
		if err != nil {
			truth <- say("%s", err)
			return
		}
		sum := 0
		for _, size := range sizes {
			sum += size
		}
		truth <- costText(len(sizes), sum)
	}()
	select {
	case <-s.ctx.Done():
	case found := <-truth:
		s.same(at, found, costText(startups, blocks))
	}
}

// phasesOf yields the phases of a plan, from 0. Those that are kept lose their blocks.
func phasesOf(p *wormhole.Plan) iter.Seq2[int, exchange.Phase] {
	return func(yield func(int, exchange.Phase) bool) {
		k := 0
		for phase := range p.Schedule().Phases {
			if !yield(k, phase) {
				return
			}
			k++
		}
	}
}

// blockPhases returns the phases of a plan in which a block moves.
func blockPhases(p *wormhole.Plan, source, target int) []int {
	var list []int
	for k, phase := range phasesOf(p) {
		for _, send := range phase {
			if slices.Contains(send.Blocks, exchange.Block{From: int32(source), To: int32(target)}) {
				list = append(list, k)
			}
		}
	}
	return list
}

// linksTaken returns the number of links of a send.
func linksTaken(t *core.Torus, send exchange.Send) int {
	by := (t.Coord(int(send.To), send.Axis) - t.Coord(int(send.From), send.Axis)) * int(send.Dir)
	return (by + t.Side(send.Axis)) % t.Side(send.Axis)
}

// linksUsed returns the number of directed links that a phase uses; no link twice, as the checker says.
func linksUsed(t *core.Torus, phase exchange.Phase) int {
	used := 0
	for _, send := range phase {
		used += linksTaken(t, send)
	}
	return used
}

// detours counts the blocks of a plan that travel farther than they must.
func detours(p *wormhole.Plan) int {
	t := p.Torus()
	n, farther := t.N(), 0
	length := make([]int, n*n)
	for phase := range p.Schedule().Phases {
		for _, send := range phase {
			for _, b := range send.Blocks {
				length[int(b.From)*n+int(b.To)] += linksTaken(t, send)
			}
		}
	}
	for u := range n {
		for v := range n {
			if length[u*n+v] > t.LeeDistance(u, v) {
				farther++
			}
		}
	}
	return farther
}

// Section 7 of seed 004: which barriers or signals keep the phases of the ring exchange apart. A node takes its
// sends and receives in the order of their phases and starts a send when its earlier ones of both kinds are over;
// sends of different phases that use one link, or one receive port, must keep their order.

// A syncRun has the sends of a ring exchange, in the order of their phases, and which of them come before which by
// themselves.
type syncRun struct {
	n      int
	sends  []syncSend
	before [][]bool // [i][j]: send i is over before send j starts
}

type syncSend struct {
	ringSend
	phase int // from 1
}

// newSyncRun takes the sends on a ring of n places by phase, and works out which come before which by themselves: those
// that share a node.
func newSyncRun(n int, phases [][]ringSend) *syncRun {
	r := &syncRun{n: n}
	for k, phase := range phases {
		for _, s := range phase {
			r.sends = append(r.sends, syncSend{s, k + 1})
		}
	}
	for i, a := range r.sends {
		r.before = append(r.before, make([]bool, len(r.sends)))
		for j, b := range r.sends {
			r.before[i][j] = a.phase < b.phase && (a.from == b.from || a.to == b.from)
		}
	}
	r.close()
	return r
}

// planSends returns the sends of a plan of a ring by phase.
func planSends(p *wormhole.Plan) [][]ringSend {
	var phases [][]ringSend
	for phase := range p.Schedule().Phases {
		var sends []ringSend
		for _, s := range phase {
			sends = append(sends, ringSend{int(s.From), int(s.To), int(s.Dir)})
		}
		phases = append(phases, sends)
	}
	return phases
}

// treeSends returns those of the positive tree of Section 2.3 alone, all places sending at level 0.
func treeSends(d int) [][]ringSend {
	var phases [][]ringSend
	for l := range d - 1 {
		phases = append(phases, positiveSends(d, l))
	}
	for l := range d - 1 {
		phases = append(phases, positiveSends(d, d-2-l))
	}
	return phases
}

// close adds what chains imply.
func (r *syncRun) close() {
	for j := range r.sends { // sends ascend by phase: all before i is known when j > i asks
		for i := j - 1; i >= 0; i-- {
			for h := 0; r.before[i][j] && h < i; h++ {
				r.before[h][j] = r.before[h][j] || r.before[h][i]
			}
		}
	}
}

// exposed returns each two sends of different phases that want one link, or with ports one receive port, and are in
// no order.
func (r *syncRun) exposed(ports bool) [][2]syncSend {
	var open [][2]syncSend
	for i, a := range r.sends {
		for j, b := range r.sends {
			if a.phase >= b.phase || r.before[i][j] {
				continue
			}
			shared := ports && a.to == b.to
			for _, link := range a.links(r.n) {
				shared = shared || slices.Contains(b.links(r.n), link)
			}
			if shared {
				open = append(open, [2]syncSend{a, b})
			}
		}
	}
	return open
}

// barriers returns the fewest phases after which a barrier keeps all sends apart: each two that are exposed need one
// between them.
func (r *syncRun) barriers(ports bool) []int {
	gaps := r.exposed(ports)
	slices.SortFunc(gaps, func(x, y [2]syncSend) int { return x[1].phase - y[1].phase })
	var points []int
	for _, g := range gaps {
		if len(points) == 0 || points[len(points)-1] < g[0].phase {
			points = append(points, g[1].phase-1)
		}
	}
	return points
}

// addSignals puts the signals of Section 7.2 into the order, and returns the number of levels that have some and of
// signals. After its part in a phase, also an empty one, a node sends a signal; another waits for it before its part
// in a later phase. The negative tree has those of the mirror image under i -> 1-i.
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
	r.close()
	return rounds, signals
}
