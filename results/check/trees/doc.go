// Package trees walks the census trees of docs/proofs.md again: orderly, margin and levels, each in the files of its
// name; what margin and levels share is in fill.go and necklace.go. On up to 20 nodes all placements are counted
// (count.go). It shares no code with the engines in search, which must come to the same counts.
package trees
