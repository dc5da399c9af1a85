// Package assign places the tasks of a traffic matrix, by swaps and moves on tabled flows.
package assign
