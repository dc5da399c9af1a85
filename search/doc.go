// Package search looks for placements. It holds what all ways to look have in common: the interface of a method, its
// budget and the events it reports. Each method is a package of its own below; package portfolio runs them.
//
// Nothing here reads files, prints, or trusts a value that it has not evaluated exactly.
package search
