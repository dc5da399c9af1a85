package pseudo

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
)

// weights are what pairs, by u*n+v either way, and processors put on weighted links.
type weights struct{ pairs, single []int64 }

func (t *translator) weighed(number int) *weights {
	w := t.weights[number]
	if w != nil {
		return w
	}
	w = &weights{make([]int64, t.n*t.n), make([]int64, t.n)}
	t.weights[number] = w
	by := make([]int64, len(t.ends))
	for _, s := range t.weightings[number] {
		by[s.link] += s.amount
	}
	total := func(list []share) (sum int64) {
		for _, s := range list {
			sum += by[s.link] * s.amount
		}
		return sum
	}
	for u := range t.n {
		w.single[u] = total(t.single[u])
		for v := range t.n {
			w.pairs[u*t.n+v] = total(t.pairs[min(u, v)*t.n+max(u, v)])
		}
	}
	return w
}

// weigh adds the rows of weighted links, of what the processors of the branch put on them at least, and of their
// bounds: the formula LB of docs/steps.md, whose terms are the same ones. Everything counts twice.
func (b *branch) weigh(s *step) (conclusion, error) {
	w, g, view := b.weighed(s.args[0]), b.elements[s.args[1]], b.views[s.args[2]]
	t, back, inT := b.tally(len(b.entries)), g.back(), make([]bool, b.n)
	sent := func(u, v int) int64 { return w.pairs[back[u]*b.n+back[v]] }
	for _, l := range b.weightings[s.args[0]] {
		t.link(g.link[l.link], 2*l.amount)
	}
	var known []int
	for u := range b.n {
		t.x[u] -= 2 * w.single[back[u]]
		for v := u + 1; v < b.n; v++ {
			if x := sent(u, v); x > 0 {
				t.y = append(t.y, share{u*b.n + v, -2 * x})
			}
		}
		if b.lo[1+u] == 1 {
			for _, v := range known {
				t.pair(u, v, 2*sent(u, v))
			}
			known = append(known, u)
		}
	}
	free := func(v int) bool { return b.lo[1+v] == 0 && b.hi[1+v] == 1 }
	missing := func(set int) int64 {
		want := b.lo[set]
		for _, v := range b.sets[set].nodes {
			want -= b.lo[1+v]
		}
		return want
	}
	for _, outer := range view[0] {
		for _, v := range b.sets[outer].nodes {
			inT[v] = true
		}
	}
	// toInner adds what p and the least that are missing in the inner sets send each other.
	toInner := func(p int, to *tally) {
		for _, inner := range view[1] {
			want, costs, nodes := missing(inner), []int64(nil), []int(nil)
			for _, x := range b.sets[inner].nodes {
				switch {
				case x == p && free(x):
					want--
				case !free(x):
				default:
					cost := sent(p, x)
					switch {
					case !inT[x]:
						cost *= 2
					case !free(p):
						cost = 0
					}
					costs, nodes = append(costs, cost), append(nodes, x)
				}
			}
			most := dearest(costs, want)
			if most == 0 {
				continue
			}
			for i, x := range nodes {
				to.pair(p, x, min(costs[i], most))
			}
			to.count(inner, low, most)
			if free(p) && slices.Contains(b.sets[inner].nodes, p) {
				to.exclude(p, most)
			}
		}
	}
	for _, u := range known {
		toInner(u, t)
	}
	for _, outer := range view[0] {
		want := missing(outer)
		if want <= 0 {
			continue
		}
		var heads []int64
		var parts []*tally
		for _, v := range b.sets[outer].nodes {
			if !free(v) {
				continue
			}
			part := b.tally(len(b.entries))
			toInner(v, part)
			part.settle(v)
			part.least -= part.x[v] // what the inner sets are sent if v has a processor
			head := 2*w.single[back[v]] + part.least
			for _, u := range known {
				head += 2 * sent(u, v)
			}
			heads, parts = append(heads, head), append(parts, part)
		}
		most := dearest(heads, want)
		if most == 0 {
			continue
		}
		i := 0
		for _, v := range b.sets[outer].nodes {
			if !free(v) {
				continue
			}
			if parts[i].least > 0 {
				t.saturated(v, parts[i])
			}
			for _, u := range known {
				t.pair(u, v, 2*sent(u, v))
			}
			i++
		}
		t.count(outer, low, most)
	}
	return b.close(s, t)
}

// dearest returns the greatest of the least costs, this many of them, 0 if that is 0.
func dearest(costs []int64, many int64) int64 {
	if many <= 0 || len(costs) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(costs))
	return sorted[min(many, int64(len(sorted)))-1]
}

// exclude takes a node out of what counts it, as if it had a processor.
func (t *tally) exclude(v int, times int64) {
	t.operand("~"+t.name(v), fmt.Sprint(times))
	t.x[v] -= times
	t.least -= times
}

// saturated adds that what a sum is at least holds where a node has a processor.
func (t *tally) saturated(v int, part *tally) {
	t.text = append(append(t.text, part.text...), "s "...)
	t.plus()
	t.rests.Or(&t.rests, &part.rests)
	t.x[v] -= part.least
	for _, of := range part.y {
		t.y = append(t.y, share{of.link, min(of.amount, part.least)})
	}
}

// far adds what says that nodes are farther from processors than they may be together.
func (b *branch) far(s *step) (conclusion, error) {
	if b.problem.Distance == 0 {
		return conclusion{}, wrong(s, "the question has no distance")
	}
	t := b.tally(len(b.entries))
	t.row(b.away, 1)
	t.least -= int64(b.problem.Distance)
	for v := range b.n {
		for d := range b.n {
			if b.formula.far[v*b.n+d] > 0 {
				t.z = append(t.z, share{v*b.n + d, -1})
			}
		}
	}
	var known []int
	for u := range b.n {
		if b.lo[1+u] == 1 {
			known = append(known, u)
		}
	}
	for d := range b.n {
		var left []int
		for v := range b.n {
			_, there := b.farther[v*b.n+d]
			if there && !slices.ContainsFunc(known, func(u int) bool { return int(b.distance[u][v]) <= d }) {
				left = append(left, v)
			}
		}
		within := make([]int64, b.n)
		var covers []int64
		for x := range b.n {
			for _, v := range left {
				if int(b.distance[x][v]) <= d {
					within[x]++
				}
			}
			if b.lo[1+x] == 0 && b.hi[1+x] == 1 {
				covers = append(covers, within[x])
			}
		}
		slices.SortFunc(covers, func(a, b int64) int { return cmp.Compare(b, a) })
		more, total, most := b.problem.Size-len(known), int64(len(left)), int64(0)
		for i, c := range covers {
			if i < more {
				total -= c
				most = c
			}
		}
		if total <= 0 {
			continue
		}
		if more > len(covers) {
			most = 0
		}
		for _, v := range left {
			t.row(b.formula.far[b.frame.node[v]*b.n+d], 1)
			t.z = append(t.z, share{v*b.n + d, 1})
			t.least++
		}
		for x, times := range within {
			t.x[x] += times
		}
		t.count(0, high, most)
	}
	return b.close(s, t)
}

// order defines the order of placements by their keys and nodes, as the digits of one number.
func (t *translator) order() {
	places := len(t.keys) + t.n
	t.digits = make([]*big.Int, places)
	weight := big.NewInt(1)
	for i := places - 1; i >= 0; i-- {
		t.digits[i] = new(big.Int).Set(weight)
		most := t.sets[t.place(i)].most()
		weight.Add(weight, new(big.Int).Mul(t.digits[i], big.NewInt(most)))
	}
	list := func(prefix string) {
		for v := range t.n {
			fmt.Fprintf(t.to, " %s%d", prefix, v+1)
		}
		fmt.Fprint(t.to, " ;\n")
	}
	fmt.Fprint(t.to, "def_order greatest\nvars\nleft")
	list("u")
	fmt.Fprint(t.to, "right")
	list("v")
	fmt.Fprint(t.to, "aux ;\nend ;\ndef\n")
	for v, value := range t.values() {
		fmt.Fprintf(t.to, "%d u%d -%d v%d ", value, v+1, value, v+1)
	}
	fmt.Fprint(t.to, ">= 0 ;\nend ;\ntransitivity\nvars\nfresh_right")
	list("w")
	fmt.Fprint(t.to, "end ;\nproof\nproofgoal #1\npol 1 2 + 3 + ;\nqed #1 : -1 ;\nqed ;\nend ;\nend ;\n")
	fmt.Fprint(t.to, "load_order greatest")
	list("x")
}

// place returns the set that the order compares at a place: a key or a node.
func (t *translator) place(i int) int {
	if i < len(t.keys) {
		return t.keys[i]
	}
	return 1 + i - len(t.keys)
}

// values returns by how much each node makes a placement greater.
func (t *translator) values() []*big.Int {
	list := make([]*big.Int, t.n)
	for v := range list {
		list[v] = new(big.Int)
	}
	for i, digit := range t.digits {
		s := t.sets[t.place(i)]
		for j, v := range s.nodes {
			list[v].Add(list[v], new(big.Int).Mul(digit, big.NewInt(s.times[j])))
		}
	}
	return list
}

// atLeastImage returns the row that no placement is less than its image under an element, by dominance.
func (t *translator) atLeastImage(g moving) string {
	key := fmt.Sprint(g.node)
	if ref, there := t.turned[key]; there {
		return ref
	}
	ref, back := t.label(), g.back()
	t.turned[key] = ref
	fmt.Fprintf(t.to, "%s dom ", ref)
	for v, value := range t.values() {
		if back[v] != v {
			fmt.Fprintf(t.to, "%d %s -%d %s ", value, variable(t.node(v)), value, variable(t.node(back[v])))
		}
	}
	fmt.Fprint(t.to, ">= 0 :")
	move := func(from, to int) {
		if from != to {
			fmt.Fprintf(t.to, " %s -> %s", variable(from), variable(to))
		}
	}
	for v := range t.n {
		move(t.node(v), t.node(back[v]))
		for u := range v {
			if len(t.pairs[u*t.n+v]) > 0 {
				move(t.product(u, v), t.product(back[u], back[v]))
			}
		}
		for d := range t.n {
			move(t.farther[v*t.n+d], t.farther[back[v]*t.n+d])
		}
	}
	fmt.Fprint(t.to, " : subproof\nproofgoal #2\npol -1 -2 + ;\nqed #2 : -1 ;\nqed ;\n")
	return ref
}

// turn adds to the row about an element the bounds of the first keys, whose counts are then less than those of their
// images.
func (b *branch) turn(s *step) (conclusion, error) {
	g := b.elements[s.args[0]]
	back, now, values := g.back(), len(b.entries), b.values()
	var p rpn
	p.operand(b.atLeastImage(g), "1")
	net, least := make([]*big.Int, b.n), new(big.Int)
	for v := range net {
		net[v] = new(big.Int).Sub(values[v], values[g.node[v]])
	}
	add := func(set, side int, times *big.Int) {
		b.bound(&p, set, side, now, times)
		sign := new(big.Int).Set(times)
		if side == high {
			sign.Neg(sign)
		}
		least.Add(least, new(big.Int).Mul(sign, big.NewInt(b.valueWas(set, side, now))))
		for i, v := range b.sets[set].nodes {
			net[v].Add(net[v], new(big.Int).Mul(sign, big.NewInt(b.sets[set].times[i])))
		}
	}
	for i, digit := range b.digits {
		set, image := b.place(i), int64(0)
		for _, of := range b.image(b.sets[set].moved(back)) {
			add(of.set, low, new(big.Int).Mul(digit, big.NewInt(of.times)))
			image += of.times * b.lo[of.set]
		}
		add(set, high, digit)
		if image != b.hi[set] {
			break
		}
	}
	for v, times := range net {
		if times.Sign() != 0 {
			p.do(b.name(v) + " w")
		}
		if times.Sign() > 0 {
			least.Sub(least, times)
		}
	}
	if least.Sign() <= 0 {
		return conclusion{}, wrong(s, "the image need not be greater")
	}
	p.clause(least)
	return b.conclude(&p), nil
}
