package pseudo

import (
	"math/big"
	"strconv"
)

// A rpn is the sum of rows in reverse Polish notation, with the decisions on which it rests.
type rpn struct {
	text  []byte
	any   bool // there is something to add to
	rests big.Int
}

// operand adds a row or a literal, a given number of times.
func (p *rpn) operand(name string, times string) {
	p.text = append(append(p.text, name...), ' ')
	if times != "1" {
		p.text = append(append(p.text, times...), " * "...)
	}
	p.plus()
}

// plus adds what was written last to what stood before it, if anything did.
func (p *rpn) plus() {
	if p.any {
		p.text = append(p.text, "+ "...)
	}
	p.any = true
}

// do writes an operator, with its number if it has one.
func (p *rpn) do(operator string) { p.text = append(append(p.text, operator...), ' ') }

// clause makes a clause of what is a sum of negations of decisions, at least a number.
func (p *rpn) clause(least *big.Int) {
	p.do("s")
	if least.Cmp(big.NewInt(1)) > 0 {
		p.do(least.String() + " d")
	}
}

// bound adds a bound of a set, as it was before an entry, a given number of times.
func (b *branch) bound(p *rpn, set, side, before int, times *big.Int) {
	if times.Sign() == 0 {
		return
	}
	if i := b.was(set, side, before); i >= 0 {
		ref, rests := b.derived(i)
		p.operand(ref, times.String())
		p.rests.Or(&p.rests, rests)
		return
	}
	for i, v := range b.sets[set].nodes {
		name := b.name(v)
		if side == high {
			name = "~" + name
		}
		p.operand(name, new(big.Int).Mul(times, big.NewInt(b.sets[set].times[i])).String())
	}
}

// name returns the variable of a node, moved by the frame.
func (b *branch) name(v int) string { return variable(b.node(b.frame.node[v])) }

func variable(number int) string { return "x" + strconv.Itoa(number) }

// derived returns the row that says a bound, and the decisions on which it rests. It is written when first needed.
func (b *branch) derived(i int) (string, *big.Int) {
	e := &b.entries[i]
	if e.ref != "" {
		return e.ref, e.rests
	}
	var p rpn
	switch e.why {
	case byRow:
		e.ref, e.rests = strconv.Itoa(e.arg), new(big.Int)
		return e.ref, e.rests
	case byDecision:
		l := b.decisions[e.arg]
		e.ref, e.rests = l.says(), new(big.Int).SetBit(new(big.Int), e.arg, 1)
		return e.ref, e.rests
	case byFilter:
		b.overloads(e.arg, i, e.set-1, &p)
	case bySum:
		s := b.sums[e.arg]
		if e.with >= 0 {
			b.bound(&p, s.whole, e.side, i, big.NewInt(1))
		}
		for j, part := range s.parts {
			side := e.side
			if e.with >= 0 {
				side = low + high - e.side
			}
			if j != e.with {
				b.bound(&p, part.set, side, i, big.NewInt(part.times))
			}
		}
		if e.with >= 0 && s.parts[e.with].times > 1 {
			p.do(strconv.FormatInt(s.parts[e.with].times, 10) + " d")
		}
		if p.rests.Sign() > 0 && b.plain[e.set] {
			p.do("s")
		}
	}
	e = &b.entries[i]
	e.ref, e.rests = b.write(&p), new(big.Int).Set(&p.rests)
	return e.ref, e.rests
}

// A tally is a sum of rows with what it says: the numbers of nodes, of products and of farther, at least a number.
type tally struct {
	*branch
	rpn
	before int // bounds are those before this entry
	least  int64
	x      []int64
	y, z   []share // products by u*n+v, u < v, and farther by v*n+d: the sum of what stands there
}

func (b *branch) tally(before int) *tally {
	return &tally{branch: b, before: before, x: make([]int64, b.n)}
}

// row adds a row of the formula, a given number of times.
func (t *tally) row(number int, times int64) {
	t.operand(strconv.Itoa(number), strconv.FormatInt(times, 10))
}

// link adds the row of a link.
func (t *tally) link(l int, times int64) {
	if row := t.formula.link[t.frame.link[l]]; row > 0 {
		t.row(row, times)
		t.least -= times * t.limits[l]
	}
}

// pair adds that two processors send each other something.
func (t *tally) pair(u, v int, times int64) {
	if times == 0 {
		return
	}
	a, b := t.frame.node[u], t.frame.node[v]
	t.row(t.formula.pair[min(a, b)*t.n+max(a, b)], times)
	t.y = append(t.y, share{min(u, v)*t.n + max(u, v), times})
	t.x[u] -= times
	t.x[v] -= times
	t.least -= times
}

// count adds a bound of a set, a given number of times.
func (t *tally) count(set, side int, times int64) {
	if times <= 0 {
		return
	}
	t.bound(&t.rpn, set, side, t.before, big.NewInt(times))
	value, sign := t.valueWas(set, side, t.before), times
	if side == high {
		sign = -times
	}
	t.least += sign * value
	for i, v := range t.sets[set].nodes {
		t.x[v] += sign * t.sets[set].times[i]
	}
}

// settle takes out all products and farther, and all nodes but one: the known ones by their bounds, what is left by
// what each is at most. But is -1 to take out all.
func (t *tally) settle(but int) {
	for v := range t.x {
		if v == but {
			continue
		}
		known, out := t.valueWas(1+v, low, t.before) == 1, t.valueWas(1+v, high, t.before) == 0
		switch {
		case known && t.x[v] < 0:
			t.count(1+v, low, -t.x[v])
		case out && t.x[v] > 0:
			t.count(1+v, high, t.x[v])
		}
		t.weaken(t.name(v), &t.x[v])
	}
}

// settleAll is settle(but), and takes out all products and farther.
func (t *tally) settleAll(but int) {
	t.settle(but)
	out := func(list []share, variables func(a, b int) int) {
		for _, of := range list {
			t.net[of.link] += of.amount
		}
		for _, of := range list {
			if t.net[of.link] != 0 {
				t.weaken(variable(variables(of.link/t.n, of.link%t.n)), &t.net[of.link])
			}
		}
	}
	out(t.y, func(u, v int) int { return t.product(t.frame.node[u], t.frame.node[v]) })
	out(t.z, func(v, d int) int { return t.farther[t.frame.node[v]*t.n+d] })
}

// weaken takes out a variable that the sum has so often, at the cost of what it is at most.
func (t *tally) weaken(name string, times *int64) {
	if *times != 0 {
		t.do(name + " w")
	}
	t.least -= max(*times, 0)
	*times = 0
}

// overloads derives that the known nodes before an entry overload a link, with the free node v, or alone, v being -1.
func (b *branch) overloads(link, before, v int, p *rpn) int64 {
	t := b.tally(before)
	var known []int
	for u := range b.n {
		if b.valueWas(1+u, low, before) == 1 {
			known = append(known, u)
		}
	}
	t.link(link, 1)
	on := func(list []share) int64 {
		for _, s := range list {
			if s.link == link {
				return s.amount
			}
		}
		return 0
	}
	for a, list := range b.single {
		t.x[a] -= on(list)
	}
	for i, list := range b.pairs {
		if x := on(list); x > 0 {
			t.y = append(t.y, share{i, -x})
		}
	}
	for i, u := range known {
		for _, w := range known[:i] {
			t.pair(u, w, on(b.pairs[min(u, w)*b.n+max(u, w)]))
		}
		if v >= 0 {
			t.pair(u, v, on(b.pairs[min(u, v)*b.n+max(u, v)]))
		}
	}
	t.settleAll(v)
	if v >= 0 {
		t.least -= t.x[v]
	}
	t.clause(big.NewInt(t.least))
	*p = t.rpn
	return t.least
}
