// Package cnf is the common ground of everything that writes clauses: a sink
// that takes them and a builder that numbers variables and counts.
//
// A literal is a variable number 1, 2, ... or its negative, as in the DIMACS
// format; a clause is a list of literals of which at least one holds; a formula
// is a set of clauses.
package cnf
