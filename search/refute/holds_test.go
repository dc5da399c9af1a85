package refute

// Holds reports whether a variable, 1, 2, ..., is true in the model of a formula that can be satisfied.
func (a *Answer) Holds(variable int) bool { return a.solver.values[literalOf(variable)] > 0 }
