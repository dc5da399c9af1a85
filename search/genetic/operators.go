package genetic

import (
	"math/rand"
	"slices"

	"leeway/core"
	"leeway/objective"
)

// crossed returns the processors of one placement inside a band of slabs and those
// of the other, moved by a random symmetry, outside it, brought to size at random.
func (is *island) crossed(nodes, mate []int, rng *rand.Rand) []int {
	t := is.params.Problem.Torus()
	j := longer(t, rng)
	k := t.Side(j)
	width, start := 1+rng.Intn(k-1), rng.Intn(k)
	inBand := func(v int) bool { return (t.Coord(v, j)-start+k)%k < width }
	child := core.NewSet(t.N())
	for _, v := range nodes {
		if inBand(v) {
			child.Add(v)
		}
	}
	for _, v := range is.kin.move(mate, rng) {
		if !inBand(v) {
			child.Add(v)
		}
	}
	return mend(is.params.Problem, child, rng)
}

// mutated returns the nodes after one random operator of those below, of which
// all but scatter rearrange whole rings and slabs.
func (is *island) mutated(nodes []int, rng *rand.Rand) []int {
	p := is.params.Problem
	t := p.Torus()
	if p.Alone() {
		return nodes
	}
	operators := []func(*core.Torus, *rand.Rand) func(int) int{turnRing, exchangeSlabs, turnSlab, reflectSlab}
	if pick := rng.Intn(len(operators) + 2); pick < len(operators) {
		image := operators[pick](t, rng)
		moved := make([]int, len(nodes))
		for i, v := range nodes {
			moved[i] = image(v)
		}
		if p.Conditioned() {
			moved = mend(p, setOf(t, moved), rng)
		}
		if slices.Sort(moved); !slices.Equal(moved, nodes) {
			return moved
		}
	}
	return scatter(p, nodes, rng)
}

// scatter moves up to an eighth of the processors that are not fixed, at least one, to random candidates.
func scatter(p objective.Problem, nodes []int, rng *rand.Rand) []int {
	t := p.Torus()
	set := setOf(t, nodes)
	if p.Fixed != nil {
		nodes = slices.DeleteFunc(slices.Clone(nodes), p.MustHave)
	}
	most := (len(nodes) + 7) / 8
	for _, i := range rng.Perm(len(nodes))[:1+rng.Intn(most)] {
		to := rng.Intn(t.N())
		for set.Has(to) || !p.MayHave(to) {
			to = rng.Intn(t.N())
		}
		set.Remove(nodes[i])
		set.Add(to)
	}
	return set.Nodes()
}

// longer returns a random dimension whose side is not 1.
func longer(t *core.Torus, rng *rand.Rand) int {
	j := rng.Intn(t.D())
	for t.Side(j) == 1 {
		j = rng.Intn(t.D())
	}
	return j
}

// moved returns the node whose coordinate j is another, modulo the side, and the others those of v.
func moved(t *core.Torus, v, j, coordinate int) int {
	return v + (core.Mod(coordinate, t.Side(j))-t.Coord(v, j))*t.Stride(j)
}

// turnRing moves one random ring along itself.
func turnRing(t *core.Torus, rng *rand.Rand) func(int) int {
	on, j := rng.Intn(t.N()), longer(t, rng)
	by := 1 + rng.Intn(t.Side(j)-1)
	return func(v int) int {
		if moved(t, v, j, t.Coord(on, j)) == on {
			return moved(t, v, j, t.Coord(v, j)+by)
		}
		return v
	}
}

// exchangeSlabs exchanges two random slabs of one dimension.
func exchangeSlabs(t *core.Torus, rng *rand.Rand) func(int) int {
	j := longer(t, rng)
	x := rng.Intn(t.Side(j))
	y := (x + 1 + rng.Intn(t.Side(j)-1)) % t.Side(j)
	return func(v int) int {
		switch t.Coord(v, j) {
		case x:
			return moved(t, v, j, y)
		case y:
			return moved(t, v, j, x)
		}
		return v
	}
}

// turnSlab moves one random slab along itself, by a random translation.
func turnSlab(t *core.Torus, rng *rand.Rand) func(int) int {
	j := rng.Intn(t.D())
	x, shift := rng.Intn(t.Side(j)), rng.Intn(t.N())
	return func(v int) int {
		for i := 0; t.Coord(v, j) == x && i < t.D(); i++ {
			if i != j {
				v = moved(t, v, i, t.Coord(v, i)-t.Coord(shift, i))
			}
		}
		return v
	}
}

// reflectSlab reflects one random slab in a random dimension.
func reflectSlab(t *core.Torus, rng *rand.Rand) func(int) int {
	j, i := rng.Intn(t.D()), rng.Intn(t.D())
	x := rng.Intn(t.Side(j))
	return func(v int) int {
		if i != j && t.Coord(v, j) == x {
			return moved(t, v, i, -t.Coord(v, i))
		}
		return v
	}
}

func setOf(t *core.Torus, nodes []int) core.Set {
	s := core.NewSet(t.N())
	for _, v := range nodes {
		s.Add(v)
	}
	return s
}

// mend takes the forbidden nodes out of a set and the fixed ones in, then adds or removes others at random until it has
// the size of the problem. The set is changed.
func mend(p objective.Problem, set core.Set, rng *rand.Rand) []int {
	for _, v := range p.Forbidden.Nodes() {
		set.Remove(v)
	}
	fixed := p.Fixed.Nodes()
	for _, v := range fixed {
		set.Remove(v)
	}
	nodes, size := set.Nodes(), p.Size-len(fixed)
	for len(nodes) > size {
		i := rng.Intn(len(nodes))
		nodes[i] = nodes[len(nodes)-1]
		nodes = nodes[:len(nodes)-1]
	}
	if missing := size - len(nodes); missing > 0 {
		free := slices.DeleteFunc(p.Candidates(), set.Has)
		for i := range missing {
			x := i + rng.Intn(len(free)-i)
			free[i], free[x] = free[x], free[i]
		}
		nodes = append(nodes, free[:missing]...)
	}
	nodes = append(nodes, fixed...)
	slices.Sort(nodes)
	return nodes
}

// firstNodes plans individual number i of the first population: the starts, then
// random and periodic placements in turn.
func (is *island) firstNodes(i int, rng *rand.Rand) []int {
	switch starts := is.params.Starts; {
	case i < len(starts) && i < is.options.population/2:
		return starts[i].Nodes()
	case i%2 == 0:
		return is.randomNodes(rng)
	default:
		return is.periodicNodes(rng)
	}
}

func (is *island) randomNodes(rng *rand.Rand) []int {
	p := is.params.Problem
	return mend(p, core.NewSet(p.Torus().N()), rng)
}

// periodicNodes plans a union of random orbits of a random translation, filled
// up at random where the orbits do not fit the size.
func (is *island) periodicNodes(rng *rand.Rand) []int {
	t, size := is.params.Problem.Torus(), is.params.Problem.Size
	step := 1 + rng.Intn(t.N()-1)
	set := core.NewSet(t.N())
	count := 0
	length := orderOf(t, step)
	for range 2 * t.N() {
		first := rng.Intn(t.N())
		if set.Has(first) || count+length > size {
			continue
		}
		orbit := []int{first}
		for v := t.Displacement(step, first); v != first; v = t.Displacement(step, v) {
			orbit = append(orbit, v)
		}
		for _, v := range orbit {
			set.Add(v)
		}
		if count += length; count == size {
			break
		}
	}
	return mend(is.params.Problem, set, rng)
}

// orderOf returns how often a translation is done until every node is back: the length of each of its orbits.
func orderOf(t *core.Torus, step int) int {
	length := 1
	for v := t.Displacement(step, 0); v != 0; v = t.Displacement(step, v) {
		length++
	}
	return length
}
