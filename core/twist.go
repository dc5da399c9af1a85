package core

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Limits of twisted tori, of which all shortest vectors are kept: this many nodes and vectors, a few megabytes.
const (
	MaxTwistedNodes = 1 << 15
	maxVectors      = 1 << 22
	maxDifferences  = 1 << 7 // nodes of those whose differences are kept, too
)

// A twist joins the ends of dimensions with shifts: a torus is then Z^d modulo the lattice that k_j e_j - s_j span, for
// the sides k_j and the shifts s_j (Camara et al., Twisted Torus Topologies, 2010).
type twist struct {
	shifts  [][]int // by dimension; 0 in its own coordinate
	order   []int   // of the dimensions, each before those that its end shifts
	first   []int32 // by node, and the end: its first vector
	vectors []int16 // d steps each; of a node in descending order

	tabled      sync.Once
	differences []uint8 // node q minus node p at p*N + q, up to maxDifferences nodes
}

// NewTwisted returns the torus with the given sides in which going up over the end of dimension j also moves by
// shifts[j], one whole number for each dimension, its own 0. Shifts are kept as the coordinates of the node that they
// lead to, which is the same network; without any it is NewTorus. A side of 2 whose end has a shift is a ring like
// others, with two links at each node, and a side may be 1 if its end has a shift. Where two steps return to the node,
// as on a side of 2 without a shift, there is one link each way. Errors are *InputError: those of NewTorus, shifts that
// are too few or too many, shifts in a circle of dimensions, of which the sides are not a box of all nodes, and more
// than MaxTwistedNodes nodes, or too many shortest ways.
func NewTwisted(sides []int, shifts [][]int) (*Torus, error) {
	text := formatSides(sides) + ":twist=" + JoinNodes(shifts)
	fail := func(problem string) (*Torus, error) {
		return nil, &InputError{Text: text, Part: "twist=" + JoinNodes(shifts), Offset: len(formatSides(sides)) + 1,
			Problem: problem, Hint: twistHint}
	}
	nodes := 1
	for j, k := range sides {
		if k < 1 || k > MaxSide {
			return fail(sideProblem(j, k))
		}
		if nodes *= k; nodes > MaxTwistedNodes {
			return fail(fmt.Sprintf("a twisted torus of more than %d nodes", MaxTwistedNodes))
		}
	}
	if len(shifts) != len(sides) {
		return fail(Count(len(shifts), "shift") + " for " + Count(len(sides), "dimension"))
	}
	for j, s := range shifts {
		switch {
		case len(s) != len(sides):
			return fail(fmt.Sprintf("the shift at the end of dimension %d has %d coordinates, not %d", j, len(s), len(sides)))
		case s[j] != 0:
			return fail(fmt.Sprintf("the end of dimension %d shifts its own coordinate", j))
		case slices.ContainsFunc(s, func(by int) bool { return by < -MaxSide || by > MaxSide }):
			return fail(fmt.Sprintf("the end of dimension %d shifts by more than %d", j, MaxSide))
		}
	}
	order, ok := shiftOrder(shifts)
	if !ok {
		return fail("dimensions shift each other in a circle")
	}
	w := &twist{shifts: make([][]int, len(sides)), order: order}
	for i := len(order) - 1; i >= 0; i-- { // those that a shift moves come first
		j := order[i]
		w.shifts[j] = slices.Clone(shifts[j])
		w.wrap(sides, w.shifts[j])
	}
	some, both := false, make([]bool, len(sides))
	for j, k := range sides {
		shifted := slices.ContainsFunc(w.shifts[j], moves)
		if k == 1 && !shifted {
			return nil, &InputError{Text: text, Part: "1", Offset: len(formatSides(append(sides[:j:j], 0))) - 1,
				Problem: fmt.Sprintf("side %d is 1 and its end has no shift: a step returns to its own node", j), Hint: twistHint}
		}
		twice := make([]int, len(sides))
		twice[j] = 2
		w.wrap(sides, twice)
		some, both[j] = some || shifted, slices.ContainsFunc(twice, moves)
	}
	if !some {
		return NewTorus(sides...)
	}
	t, err := newTorus(sides, both)
	if err != nil {
		return nil, err
	}
	t.twist = w
	if !w.findVectors(t) {
		return fail("there are too many shortest ways between its nodes")
	}
	return t, nil
}

const twistHint = "write :twist=4 in two dimensions, or a shift for the end of each dimension, as " +
	":twist=0,0,4+0,0,4+0,0,0"

func moves(by int) bool { return by != 0 }

// shiftOrder returns the dimensions such that each stands before those that its end shifts, and false if there is no
// such order.
func shiftOrder(shifts [][]int) (order []int, ok bool) {
	for len(order) < len(shifts) {
		left := slices.DeleteFunc(Range(len(shifts)), func(j int) bool { return slices.Contains(order, j) })
		i := slices.IndexFunc(left, func(j int) bool {
			return !slices.ContainsFunc(left, func(i int) bool { return shifts[i][j] != 0 })
		})
		if i < 0 {
			return nil, false
		}
		order = append(order, left[i])
	}
	return order, true
}

// wrap brings a vector into the box of the sides: the coordinates of the node that it leads to.
func (w *twist) wrap(sides, v []int) {
	for _, j := range w.order {
		k := sides[j]
		turns := v[j] / k
		if v[j]%k < 0 {
			turns--
		}
		if turns == 0 {
			continue
		}
		v[j] -= turns * k
		for i, by := range w.shifts[j] {
			v[i] += turns * by
		}
	}
}

// NodeAt returns the node that a vector of steps leads to from node 0, one for each dimension, which it overwrites. In
// an open dimension steps go around as in a closed one.
func (t *Torus) NodeAt(v []int) int {
	if t.twist != nil {
		t.twist.wrap(t.dims, v)
	}
	node := 0
	for j, x := range v {
		node += Mod(x, t.dims[j]) * t.strides[j]
	}
	return node
}

// shift is Torus.Shift.
func (w *twist) shift(t *Torus, node, j, by int) int {
	if c := node/t.strides[j]%t.dims[j] + by; c >= 0 && c < t.dims[j] {
		return node + by*t.strides[j]
	}
	var space [8]int
	v := t.coordsIn(space[:0], node)
	v[j] += by
	return t.NodeAt(v)
}

// combine returns the node of p plus sign times q.
func (w *twist) combine(t *Torus, p, q, sign int) int {
	n := t.nodes
	if n > maxDifferences {
		return w.add(t, p, q, sign)
	}
	w.tabled.Do(func() {
		w.differences = make([]uint8, n*n)
		for i := range w.differences {
			w.differences[i] = uint8(w.add(t, i%n, i/n, -1))
		}
	})
	if sign > 0 {
		q = int(w.differences[q*n])
	}
	return int(w.differences[q*n+p])
}

// add is combine without the table.
func (w *twist) add(t *Torus, p, q, sign int) int {
	var space [8]int
	v := t.coordsIn(space[:0], p)
	for j := range v {
		v[j] += sign * t.Coord(q, j)
	}
	return t.NodeAt(v)
}

// coordsIn appends the coordinates of a node.
func (t *Torus) coordsIn(space []int, node int) []int {
	for j := range t.dims {
		space = append(space, t.Coord(node, j))
	}
	return space
}

// findVectors lists the shortest vectors to every node. It reports false if they are too many.
//
// Every part of a shortest vector is a shortest one. So those of r+1 steps are those of r steps with one step more, in
// the last dimension that they move in or a later one, that lead to a node which fewer steps do not reach.
func (w *twist) findVectors(t *Torus) bool {
	d := len(t.dims)
	byNode := make([][]int16, t.nodes)
	reached := make([]int, t.nodes)
	for v := range reached {
		reached[v] = -1
	}
	reached[0], byNode[0] = 0, make([]int16, d)
	level, count, place := [][]int{make([]int, d)}, 1, make([]int, d)
	for steps := 1; len(level) > 0; steps++ {
		var next [][]int
		for _, v := range level {
			last := 0
			for j, x := range v {
				if x != 0 {
					last = j
				}
			}
			for j := last; j < d; j++ {
				for _, dir := range [2]int{1, -1} {
					if v[j]*dir < 0 || t.portOf[j][1] < 0 && (dir < 0 || v[j] > 0) {
						continue
					}
					u := slices.Clone(v)
					u[j] += dir
					copy(place, u)
					node := t.NodeAt(place)
					if reached[node] < 0 {
						reached[node] = steps
					}
					if reached[node] < steps {
						continue
					}
					if count++; count > maxVectors {
						return false
					}
					next = append(next, u)
					for _, x := range u {
						byNode[node] = append(byNode[node], int16(x))
					}
				}
			}
		}
		level = next
	}
	for _, list := range byNode {
		w.first = append(w.first, int32(len(w.vectors)/d))
		vectors := slices.Collect(slices.Chunk(list, d))
		slices.SortFunc(vectors, func(a, b []int16) int { return slices.Compare(b, a) })
		for _, v := range vectors {
			w.vectors = append(w.vectors, v...)
		}
	}
	w.first = append(w.first, int32(len(w.vectors)/d))
	return true
}

// distance returns the number of steps to a node from node 0.
func (w *twist) distance(t *Torus, node int) int {
	d := len(t.dims)
	steps := 0
	for _, x := range w.vectors[int(w.first[node])*d:][:d] {
		steps += max(int(x), -int(x))
	}
	return steps
}

// Twisted reports whether the end of some dimension has a shift. Then shortest paths do not go around single rings, and
// Distance, Ways and what follows from sides alone are not defined.
func (t *Torus) Twisted() bool { return t.twist != nil }

// Separable reports whether the shortest paths between two nodes are made of the shortest ones along each dimension,
// which Distance and Ways describe, in any order: everywhere but on twisted tori and without dimensions.
func (t *Torus) Separable() bool { return t.twist == nil && t.given == nil }

// Twist returns what the end of each dimension adds to the coordinates; nil if nothing. The result is new.
func (t *Torus) Twist() [][]int {
	if t.twist == nil {
		return nil
	}
	list := make([][]int, len(t.dims))
	for j, s := range t.twist.shifts {
		list[j] = slices.Clone(s)
	}
	return list
}

// Axes returns the dimensions such that each stands before those that its end shifts: on a torus that is not twisted in
// sequence. In this order the vectors that lead from a node to itself have a triangular basis with the sides as pivots.
func (t *Torus) Axes() []int {
	if t.twist == nil {
		return Range(len(t.dims))
	}
	return slices.Clone(t.twist.order)
}

// listed returns the shortest vectors to a node from node 0, or the first of them.
func (w *twist) listed(to, d int, all bool) [][]int {
	first, end := int(w.first[to]), int(w.first[to+1])
	if !all {
		end = first + 1
	}
	list := make([][]int, 0, end-first)
	for i := first; i < end; i++ {
		v := make([]int, d)
		for j, x := range w.vectors[i*d:][:d] {
			v[j] = int(x)
		}
		list = append(list, v)
	}
	return list
}

// hasTies reports whether some node has two shortest vectors.
func (w *twist) hasTies() bool { return int(w.first[len(w.first)-1]) > len(w.first)-1 }

// text returns the option as ParseNetwork reads it: one number where only the end of the first of two dimensions has a
// shift.
func (w *twist) text() string {
	if s := w.shifts; len(s) == 2 && s[1][0] == 0 {
		return ":twist=" + strconv.Itoa(s[0][1])
	}
	return ":twist=" + JoinNodes(w.shifts)
}

// readTwisted reads sides with the option twist, or without.
func readTwisted(options *Text) (*Torus, error) {
	part, ok := options.Take("twist")
	if !ok {
		return ParseTorus(options.Name)
	}
	sides, err := readSides(options.Name, 1)
	if err != nil {
		return nil, err
	}
	var shifts [][]int
	for _, p := range part.Split("+") {
		s, err := options.Ints(p, ",")
		if err != nil {
			return nil, err
		}
		shifts = append(shifts, s)
	}
	if len(shifts) == 1 && len(shifts[0]) == 1 && len(sides) == 2 {
		shifts = [][]int{{0, shifts[0][0]}, {0, 0}}
	}
	t, err := NewTwisted(sides, shifts)
	if e, ok := err.(*InputError); ok {
		if strings.HasPrefix(e.Part, "twist=") {
			e.Part, e.Offset = part.Text, part.Offset
		}
		e.Text = options.Whole
	}
	return t, err
}
