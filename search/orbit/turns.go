package orbit

import (
	"slices"

	"leeway/objective"
)

// Limits of the turns: the images of orbits that a model keeps, and the elements of
// the group beyond which only translations are looked at.
const (
	maxTurnEntries = 1 << 22
	maxTurned      = 1 << 18
)

// turnsOf returns the distinct permutations of the orbits by elements of the group
// that map orbits to orbits. They form a group. It returns the identity alone
// where they would take too much room.
func turnsOf(g *group, f *objective.PairLoads, orbits [][]int) [][]int16 {
	of := make([]int16, g.torus.N())
	for v := range of {
		of[v] = -1
	}
	for i, o := range orbits {
		for _, v := range o {
			of[v] = int16(i)
		}
	}
	identity := make([]int16, len(orbits))
	for i := range identity {
		identity[i] = int16(i)
	}
	points := g.images
	if g.order() > maxTurned {
		points = points[:1]
	}
	turns := [][]int16{identity}
	seen := map[string]bool{name(identity): true}
	for _, images := range points {
		for shift := range g.torus.N() {
			turn, ok := turnBy(func(v int) int16 { return of[f.Displaced(shift, int(images[v]))] }, orbits)
			if !ok || seen[name(turn)] {
				continue
			}
			seen[name(turn)] = true
			if turns = append(turns, turn); len(turns)*len(orbits) > maxTurnEntries {
				return turns[:1]
			}
		}
	}
	return turns
}

// turnBy returns the permutation of the orbits by an element, given as the orbit
// of the image of each node (-1 for none), if there is one.
func turnBy(orbitOf func(v int) int16, orbits [][]int) ([]int16, bool) {
	turn := make([]int16, len(orbits))
	for i, o := range orbits {
		turn[i] = orbitOf(o[0])
		if turn[i] < 0 || len(orbits[turn[i]]) != len(o) {
			return nil, false
		}
		for _, v := range o {
			if orbitOf(v) != turn[i] {
				return nil, false
			}
		}
	}
	return turn, true
}

func name(turn []int16) string {
	b := make([]byte, 0, 2*len(turn))
	for _, i := range turn {
		b = append(b, byte(i), byte(i>>8))
	}
	return string(b)
}

// fixing returns the turns that leave orbit i where it is.
func fixing(turns [][]int16, i int) [][]int16 {
	if len(turns) == 1 {
		return turns
	}
	return slices.DeleteFunc(slices.Clone(turns), func(t []int16) bool { return int(t[i]) != i })
}
