package atlas

import (
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/core/sides"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/objective/texts"
)

// Find returns the cell of a problem, like Cell, or else that of the same question under another name: with the
// dimensions in another order, those in the orders of the routing too; with every message sent backwards, which turns
// the orders around; or on another torus of the same graph, where the routing loads every link as much. image has, for
// each node of the cell's network, the node of the problem's that has its place; nil where the names are one. Cost: a
// look at some names, and a comparison of the loads of all pairs for each other torus of the same graph.
func (a *Atlas) Find(p objective.Problem) (c Cell, image []int, ok bool) {
	if c, ok = a.Cell(texts.KeyOf(p)); ok {
		return c, nil, true
	}
	rows := a.now.Load().rows
	lengths := sorted(p.Torus().Dims())
	var others []string // tori of the same number of nodes
	alike := false
	for i, r := range rows {
		if i > 0 && r.key.Torus == rows[i-1].key.Torus {
			continue
		}
		alike = alike || slices.Equal(sorted(r.sides), lengths)
		if r.key.Torus == core.JoinInts(r.sides, "x") && nodesOf(r.sides) == p.Torus().N() {
			others = append(others, r.key.Torus)
		}
	}
	if alike {
		for _, order := range routing.EveryOrder(p.Torus().D()) {
			for _, backwards := range []bool{false, true} {
				q, known := reordered(p, order, backwards)
				if !known {
					continue
				}
				if c, ok = a.Cell(texts.KeyOf(q)); ok {
					return c, imageOf(p.Torus(), q.Torus(), order, backwards), true
				}
			}
		}
	}
	if p.Where() != core.JoinInts(p.Torus().Dims(), "x") || p.Free != nil {
		return Cell{}, nil, false
	}
	for _, name := range others {
		u, err := core.ParseNetwork(name)
		if err != nil {
			continue
		}
		if image = sides.SameGraph(u, p.Torus()); image == nil {
			continue
		}
		for _, r := range rows {
			if r.key.Torus != name || r.key.Size != p.Size {
				continue
			}
			q, err := r.key.Problem()
			if err == nil && q.Free == nil && fast.SameLoadsBetween(q.Routing, p.Routing, image) {
				return *r.cell(), image, true
			}
		}
	}
	return Cell{}, nil, false
}

func sorted(list []int) []int { return slices.Sorted(slices.Values(list)) }

func nodesOf(sides []int) int {
	n := 1
	for _, k := range sides {
		n *= k
	}
	return n
}

// reordered returns the problem with its dimensions in another order, dimension j that of order[j] before, and with all
// messages sent backwards if that is asked for; false where it has no such name.
func reordered(p objective.Problem, order []int, backwards bool) (q objective.Problem, ok bool) {
	t := p.Torus()
	if t.Twisted() || backwards && (p.Traffic.Clients() || p.Free != nil) {
		return q, false
	}
	var sides, open, bandwidth []int
	for j, i := range order {
		sides, bandwidth = append(sides, t.Side(i)), append(bandwidth, t.Bandwidth(i))
		if t.Open(i) {
			open = append(open, j)
		}
	}
	u, err := core.NewTorus(sides...)
	if err == nil {
		u, err = u.WithLinks(open, bandwidth)
	}
	if err != nil {
		return q, false
	}
	traffic := p.Traffic
	if p.Free != nil {
		q = objective.FreeProblem(u, *p.Free)
	} else if q.Routing = rerouted(p.Routing, u, order, backwards); q.Routing == nil {
		return q, false
	}
	if r := p.Traffic.Replies; r != nil {
		if traffic.Replies = rerouted(r, u, order, false); traffic.Replies == nil {
			return q, false
		}
	}
	var fixed, forbidden []int
	if p.Fixed.Count()+p.Forbidden.Count() > 0 {
		back := make([]int, t.N())
		for v, w := range imageOf(t, u, order, backwards) {
			back[w] = v
		}
		for _, v := range p.Fixed.Nodes() {
			fixed = append(fixed, back[v])
		}
		for _, v := range p.Forbidden.Nodes() {
			forbidden = append(forbidden, back[v])
		}
	}
	q.Size, q.Near = p.Size, p.Near
	if q, err = q.WithTraffic(traffic); err == nil {
		q, err = q.WithListed(fixed, forbidden)
	}
	return q, err == nil
}

// rerouted returns a routing on a network with its dimensions in another order; nil where it has no text there, as the
// steps that a turn model takes first, and for messages sent backwards where that changes nothing.
func rerouted(r routing.Routing, u *core.Torus, order []int, backwards bool) routing.Routing {
	own, hasOrders := r.(*routing.Orders)
	switch unordered := routing.Unordered(r); {
	case unordered && backwards, !unordered && !hasOrders:
		return nil
	case unordered:
		other, err := routing.Parse(u, r.String())
		if err != nil {
			return nil
		}
		return other
	}
	var orders [][]int
	for _, o := range own.List() {
		var mapped []int
		for _, i := range o {
			mapped = append(mapped, slices.Index(order, i))
		}
		if backwards {
			slices.Reverse(mapped)
		}
		orders = append(orders, mapped)
	}
	other, err := routing.NewOrders(u, orders, own.Tie())
	if err != nil {
		return nil
	}
	return other
}

// imageOf returns for each node of a network with its dimensions reordered that of the network before. Where messages
// go backwards rings are reflected: a tie is broken the other way then, and so the same way again.
func imageOf(t, u *core.Torus, order []int, backwards bool) []int {
	image := make([]int, u.N())
	for v := range image {
		coords := make([]int, t.D())
		for j, i := range order {
			c := u.Coord(v, j)
			if backwards && !t.Open(i) {
				c = core.Mod(-c, t.Side(i))
			}
			coords[i] = c
		}
		for i, c := range coords {
			image[v] = image[v]*t.Side(i) + c
		}
	}
	return image
}
