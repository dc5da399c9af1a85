// Package symbreak writes clauses that keep one placement of every orbit (and
// perhaps a few more) under a group of automorphisms.
//
// The indicator vector of a placement has entry 1 for every node with a
// processor, in the order of the node numbers. A placement is kept if its
// vector is lexicographically at least that of its images; the largest vector
// of an orbit always is.
package symbreak

import (
	"leeway/core/symmetry"
	"leeway/encode/cnf"
)

// maxElements is the most group elements for which rows are written. Leaving out
// elements is always sound and only keeps more placements of an orbit.
const maxElements = 1024

// maxEntries is how many entries a row compares. With more, formulas grow and take
// longer to solve: see docs/proofs.md.
const maxEntries = 16

// Orbit writes the rows of lex-leaders for a group, and, if it moves node 0
// everywhere, that node 0 carries a processor; variables[v] says that node v does.
// Placements must not be empty.
//
// Node 0 is sound together with the rows: if the group holds all translations,
// the largest vector of an orbit starts with a one. Elements are taken
// translation by translation, and for each the points in their order, until
// maxElements rows are written. Each compares the first maxEntries entries.
func Orbit(b *cnf.Builder, group *symmetry.Group, variables []int) {
	if group.Transitive() {
		b.Clause(variables[0])
	}
	rows := 0
	for _, shift := range group.Shifts() {
		for i := range group.Points() {
			if i == 0 && shift == 0 {
				continue
			}
			if rows == maxElements || b.Err() != nil {
				return
			}
			lexLeader(b, variables, group.Images(i, shift), maxEntries)
			rows++
		}
	}
}

// lexLeader writes that the vector of the variables is lexicographically at
// least the same vector with entry i taken from variables[image[i]] (J. Crawford
// and others, Symmetry-breaking predicates for search problems, KR 1996). image
// must be a permutation. Only the first so many entries that move are compared,
// which lets more vectors pass and none fewer. It takes a variable and three
// clauses for each of these.
func lexLeader(b *cnf.Builder, variables, image []int, entries int) {
	last := lastMoved(image, entries)
	equal := 0 // holds if all entries so far are equal; 0: there is none yet
	for i := 0; i <= last; i++ {
		if image[i] == i {
			continue
		}
		x, y := variables[i], variables[image[i]]
		if equal == 0 {
			b.Clause(x, -y)
		} else {
			b.Clause(-equal, x, -y)
		}
		if i == last {
			return
		}
		next := b.Var()
		// Where x >= y, they are equal if y holds or x does not.
		if equal == 0 {
			b.Clause(-y, next)
			b.Clause(x, next)
		} else {
			b.Clause(-equal, -y, next)
			b.Clause(-equal, x, next)
		}
		equal = next
	}
}

// lastMoved returns the last entry that has to be compared, -1 if nothing moves.
// The vectors hold the same number of ones, so with all entries but one equal
// that one is equal too.
func lastMoved(image []int, entries int) int {
	var moved []int
	for i, v := range image {
		if v != i {
			moved = append(moved, i)
		}
	}
	if len(moved) == 0 {
		return -1
	}
	return moved[min(entries, len(moved)-1)-1]
}
