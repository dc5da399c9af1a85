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

// Orbit writes the rows of lex-leaders for a group, and that node 0 carries a
// processor; variables[v] says that node v does. Placements must not be empty.
//
// Node 0 is sound together with the rows: the group holds all translations, so
// the largest vector of an orbit starts with a one. Elements are taken
// translation by translation, and for each the points in their order, until
// maxElements rows are written. Each compares the first maxEntries entries.
func Orbit(b *cnf.Builder, group *symmetry.Group, variables []int) {
	b.Clause(variables[0])
	rows := 0
	for shift := range group.Torus().N() {
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
