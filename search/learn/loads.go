package learn

import (
	"encoding/binary"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/encode/steps"
	"leeway/search"
)

// A load is what a link carries: of each processor of its line, and each other one, what share says by their places,
// and of two of the line the shares of both.
type load struct {
	*dimension
	link, line int
	start      int // the place behind the link, from which on spans count; on a path the first
	most       int64
	share      [][]int64
}

// addLoads adds the forms of all links.
func (r *refuter) addLoads() error {
	t := r.torus
	exchanged := make([]map[[2]int]int64, t.M()) // by link and pair
	for v := range t.N() {
		for u := range v {
			for _, s := range r.flows.Pair(u, v) {
				if exchanged[s.Link] == nil {
					exchanged[s.Link] = map[[2]int]int64{}
				}
				exchanged[s.Link][[2]int{u, v}] = s.Amount
			}
		}
	}
	seen := map[string]bool{} // the link back mostly carries the same
	for l := range t.EachLink() {
		if exchanged[l] == nil {
			continue
		}
		from, port := t.LinkFrom(l)
		d := r.dims[port.Dim]
		a := load{dimension: d, link: int(l), most: r.limits[l]}
		if a.start, a.line = d.coords(from); port.Dir == core.Plus {
			a.start++
		}
		if a.start %= d.k; d.open {
			a.start = 0
		}
		if !a.spread(exchanged[l]) {
			return search.Unsupported(Name, r.problem, "what a link carries does not follow from its line and slabs")
		}
		if key := a.key(); !seen[key] {
			seen[key] = true
			r.addForms(a)
		}
	}
	return nil
}

// key is the same for loads that are the same.
func (a *load) key() string {
	key := binary.AppendVarint(nil, a.most)
	for _, n := range [3]int{a.side, a.line, a.start} {
		key = binary.AppendVarint(key, int64(n))
	}
	for _, row := range a.share {
		for _, n := range row {
			key = binary.AppendVarint(key, n)
		}
	}
	return string(key)
}

// spread finds the shares, and reports whether pairs exchange what they say.
func (a *load) spread(pairs map[[2]int]int64) bool {
	amount := func(u, v int) int64 { return pairs[[2]int{min(u, v), max(u, v)}] }
	other := (a.line + 1) % len(a.lines)
	for x := range a.k {
		a.share = append(a.share, make([]int64, a.k))
		for z := range a.k {
			a.share[x][z] = amount(a.node(x, a.line), a.node(z, other))
		}
	}
	count := 0
	for x := range a.k {
		for v := range a.torus.N() {
			z, line := a.coords(v)
			want := a.share[x][z]
			if line == a.line {
				if want += a.share[z][x]; x > z {
					continue
				}
			}
			if want != amount(a.node(x, a.line), v) {
				return false
			}
			if want > 0 {
				count++
			}
		}
	}
	return count == len(pairs)
}

// addForms adds the forms of a load: one with the known processors of the line, and one with how many a stretch of the
// line has, unless a longer one sends the same.
func (r *refuter) addForms(a load) {
	var single []stretch
	var longer []form
	var of []stretch
	for _, at := range a.stretches() {
		switch {
		case at.count == 1:
			single = append(single, at)
		case at.count < a.k:
			if f := a.form([]stretch{at}, true); len(f.rows) > 0 {
				longer, of = append(longer, f), append(of, at)
			}
		}
	}
	r.addForm(a.form(single, false))
	for i, f := range longer {
		places := a.places(of[i])
		if !slices.ContainsFunc(core.Range(len(longer)), func(j int) bool {
			wider := a.places(of[j])
			return len(wider) > len(places) && slices.Equal(longer[j].spans, f.spans) &&
				slices.Equal(longer[j].rows[0].sent, f.rows[0].sent) &&
				!slices.ContainsFunc(places, func(x int) bool { return !slices.Contains(wider, x) })
		}) {
			r.addForm(f)
		}
	}
}

// form returns the form of a load with the stretches of its line that send anything. Spans are those to which something
// is sent, but for those that part slabs to all of which the same is sent, where there is a span of them all. With
// outer the count of a stretch counts that may be unknown, and no span has the same places.
func (a *load) form(rows []stretch, outer bool) form {
	f := form{link: a.link, most: a.most, ending: make([][]int32, a.k), beginning: make([][]int32, a.k)}
	var sent [][]int64 // by row and place, counted from the start: what one of the row and one there exchange at least
	for _, row := range rows {
		places, least := a.places(row), make([]int64, a.k)
		for x := range least {
			z := (a.start + x) % a.k
			least[x] = a.share[places[0]][z]
			for _, place := range places {
				if least[x] = min(least[x], a.share[place][z]); outer && place == z {
					least[x] = 0
				}
			}
		}
		if slices.Max(least) == 0 {
			continue
		}
		sent = append(sent, least)
		f.rows = append(f.rows, formRow{set: a.lines[a.line][row]})
		if outer {
			f.outer = append(f.outer, a.lines[a.line][row])
		}
	}
	same := func(x int) bool { // to a place as to the one before
		return !slices.ContainsFunc(sent, func(least []int64) bool { return least[x] != least[x-1] })
	}
	block := make([][2]int, a.k)
	for x := range block {
		if block[x] = [2]int{x, x + 1}; x > 0 && same(x) {
			block[x][0] = block[x-1][0]
		}
		for y := block[x][0]; y <= x; y++ {
			block[y][1] = x + 1
		}
	}
	whole := func(x int) bool { // the slabs to which the same is sent have a span
		b := block[x]
		return b[1]-b[0] < a.k && a.slabs[stretch{(a.start + b[0]) % a.k, b[1] - b[0]}] > 0
	}
	for _, at := range a.stretches() {
		x := (at.first - a.start + a.k) % a.k
		end := x + at.count
		if end > a.k || at.count == a.k || whole(x) && block[x][0] != x || whole(end-1) && block[end-1][1] != end {
			continue
		}
		sends := false
		for _, least := range sent {
			sends = sends || slices.Min(least[x:end]) > 0
		}
		if !sends {
			continue
		}
		n := int32(len(f.spans))
		f.spans = append(f.spans, span{a.slabs[at], x, end})
		f.beginning[x], f.ending[end-1] = append(f.beginning[x], n), append(f.ending[end-1], n)
		for i, least := range sent {
			f.rows[i].sent = append(f.rows[i].sent, slices.Min(least[x:end]))
		}
	}
	return f
}

// addClients adds the sets that the question has for links.
func (r *refuter) addClients() {
	t := r.torus
	factor := r.paths() / r.flows.Unit
	nodes, times, most := make([][]int, t.M()), make([][]int64, t.M()), make([]int64, t.M())
	for v, list := range r.flows.Alone {
		for i := range list {
			s := &list[i]
			s.Amount *= factor
			nodes[s.Link], times[s.Link] = append(nodes[s.Link], int(steps.Node(v))), append(times[s.Link], s.Amount)
			most[s.Link] += s.Amount
		}
	}
	for l := range t.M() {
		r.addSet(0, int(min(most[l], factor*r.limits[l])))
		if len(nodes[l]) > 0 {
			r.addSum(r.sets()-1, nodes[l], times[l])
		}
	}
}

// paths returns the unit in which steps count what processors put on links alone: the least common multiple of the
// numbers of paths of all messages.
func (r *refuter) paths() int64 {
	unit, p := int64(1), r.problem
	for kind, sent := range [2]int{p.Traffic.Request, p.Traffic.Reply} {
		by := [2]routing.Routing{p.Routing, p.ReplyRouting()}[kind]
		for v := range r.torus.N() {
			for u := 0; sent > 0 && u < r.torus.N(); u++ {
				if count := int64(0); u != v {
					for _, weight := range by.Paths(u, v, nil) {
						count += weight
					}
					unit = core.LCM(unit, count)
				}
			}
		}
	}
	return unit
}

// spreadClients says what links carry by slabs, and by what processors of their line put there beyond what all of their
// slab do.
func (r *refuter) spreadClients() {
	t := r.torus
	first := steps.Sets(r.problem) - t.M()
	alone := make([][]int64, t.M())
	for v, list := range r.flows.Alone {
		for _, s := range list {
			if alone[s.Link] == nil {
				alone[s.Link] = make([]int64, t.N())
			}
			alone[s.Link][v] = s.Amount
		}
	}
	for l := range t.EachLink() {
		if alone[l] == nil {
			continue
		}
		from, port := t.LinkFrom(l)
		d := r.dims[port.Dim]
		_, line := d.coords(from)
		by, more := make([]int64, d.k), make([]int64, d.k)
		even := true
		for v, amount := range alone[l] {
			x, of := d.coords(v)
			by[x] = alone[l][d.node(x, (line+1)%len(d.lines))]
			if of == line {
				more[x] = amount - by[x]
			}
			even = even && (amount == by[x] || amount > by[x] && of == line)
		}
		if even {
			parts, times := d.runs(d.slabs, by)
			others, more := d.runs(d.lines[line], more)
			r.declare(first+int(l), append(parts, others...), append(times, more...))
		}
	}
}

// runs returns sets, with the times of their processors, that give each place what it has: places with the same one
// after the other by one set if there is one.
func (d *dimension) runs(sets map[stretch]int, times []int64) (parts []int, each []int64) {
	for x := 0; x < d.k; {
		at := stretch{x, 1}
		for x+at.count < d.k && times[x+at.count] == times[x] {
			at.count++
		}
		if sets[at] == 0 {
			at.count = 1
		}
		if times[x] > 0 {
			parts, each = append(parts, sets[at]), append(each, times[x])
		}
		x += at.count
	}
	return parts, each
}
