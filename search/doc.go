// Package search looks for placements. It holds what all ways to look have in
// common: the interface of a method, its budget, the events it reports, and the
// runner that chains methods. Each method is a package of its own below.
//
// Nothing here reads files, prints, or trusts a value that it has not evaluated
// exactly.
package search
