package core

// A Dir is the direction of a link along its dimension.
type Dir int8

// The two directions. On a side of 2 only Plus exists.
const (
	Plus  Dir = 1
	Minus Dir = -1
)

// String returns "+" or "-".
func (d Dir) String() string {
	if d == Minus {
		return "-"
	}
	return "+"
}

// A Port is a dimension with a direction: one of the ways out of every node.
type Port struct {
	Dim int
	Dir Dir
}

// A Link is the number of a directed link: port*N + node it leaves.
type Link int

// Ports returns the ports of the torus in their numbering.
func (t *Torus) Ports() []Port { return append([]Port(nil), t.ports...) }

// Port returns the port with the given number.
func (t *Torus) Port(i int) Port { return t.ports[i] }

// PortIndex returns the number of the port along dimension dim in direction
// dir. On a side of 2 both directions name the one port there is.
func (t *Torus) PortIndex(dim int, dir Dir) int {
	if dir == Minus && t.portOf[dim][1] >= 0 {
		return t.portOf[dim][1]
	}
	return t.portOf[dim][0]
}

// Link returns the link that leaves node from along dimension dim in direction
// dir.
func (t *Torus) Link(from, dim int, dir Dir) Link {
	return Link(t.PortIndex(dim, dir)*t.nodes + from)
}

// LinkFrom returns the node that a link leaves and its port.
func (t *Torus) LinkFrom(l Link) (from int, port Port) {
	return int(l) % t.nodes, t.ports[int(l)/t.nodes]
}

// LinkEnds returns the nodes that a link leaves and enters.
func (t *Torus) LinkEnds(l Link) (from, to int) {
	from, p := t.LinkFrom(l)
	return from, t.Shift(from, p.Dim, int(p.Dir))
}

// Reverse returns the other link of the edge of l.
func (t *Torus) Reverse(l Link) Link {
	_, to := t.LinkEnds(l)
	_, port := t.LinkFrom(l)
	return t.Link(to, port.Dim, -port.Dir)
}

// LinkClasses numbers the links, in their order, by class: the two links of an edge are one
// where both is true for its dimension, all others are classes of their own.
func (t *Torus) LinkClasses(both []bool) (class []int, count int) {
	class = make([]int, t.M())
	for l := range class {
		if r := t.Reverse(Link(l)); both[t.Port(l/t.nodes).Dim] && int(r) < l {
			class[l] = class[r]
			continue
		}
		class[l] = count
		count++
	}
	return class, count
}
