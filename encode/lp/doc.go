// Package lp writes the linear constraints of package opb in the LP format of
// CPLEX, which linear and integer programming solvers read. All variables are
// binary and there is nothing to optimise: any solution is a placement.
package lp
