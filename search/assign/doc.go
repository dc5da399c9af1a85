// Package assign looks for assignments of the tasks of a traffic matrix to nodes: by swaps and moves on tabled flows
// (Search), and by going through all of them (Prove). Its bounds hold for every assignment (Bounds) or for a given one
// (BoundsAt).
package assign
