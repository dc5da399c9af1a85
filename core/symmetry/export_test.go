package symmetry

import "leeway/core/routing"

// Preserves is preserves without a watch, for the tests outside of the package.
func Preserves(r routing.Routing, g Point) bool {
	ok, _ := preserves(r, g, nil)
	return ok
}
