package genetic

import (
	"math/rand"

	"leeway/core"
)

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
	t := is.params.Problem.Torus()
	return resize(t, core.NewSet(t.N()), is.params.Problem.Size, rng)
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
	return resize(t, set, size, rng)
}

// orderOf returns how often a translation is done until every node is back: the length of each of its orbits.
func orderOf(t *core.Torus, step int) int {
	length := 1
	for v := t.Displacement(step, 0); v != 0; v = t.Displacement(step, v) {
		length++
	}
	return length
}
