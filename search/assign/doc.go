// Package assign looks for assignments of the tasks of a traffic matrix to nodes, by swaps and moves on tabled flows.
package assign
