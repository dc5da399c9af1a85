// Package atlas shows what is known, cell by cell: a cell is a torus or network, a routing with its tie rule and a
// number of processors, and fixed and forbidden nodes if there are any, with the best placement known, the best lower
// bound, and why.
//
// An Atlas is a view in memory of the files that are part of the program (Shipped) or of a store (OpenStore). Every
// record is looked at, in a store when it comes in, in the program's own files when Detail is asked for it: its claim
// is hashed and its loads are computed again, exactly. A cell with a wrong record has a Fault and shows no value.
// Proofs are not repeated then; the package check does that, see Verify.
//
//	a, err := atlas.Shipped()
//	cell, ok := a.Cell(texts.Key{Torus: "8x8", Routing: "udr:tie=both", Size: 16})
//	fmt.Println(cell.MaxLoad, cell.Status) // 4 optimal
//
// The file of an atlas is described in docs/formats.md. Records whose routing is a table that was given have no cell:
// their routing has no name. Where a search chose the table the cell has the name of what it chose from, free.
package atlas
