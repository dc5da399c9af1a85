package symbreak

import "leeway/encode/cnf"

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
