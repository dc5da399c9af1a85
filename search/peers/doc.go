// Package peers times the searchers of this project against plain ones: how much
// processor time each needs to a given value, from no starting placement.
//
//	go test -run '^$' -bench . -benchtime 1x -timeout 30m ./search/peers
//
// The plain ones are complete programs that share no engine with search: a genetic algorithm on eaopt as its manual has
// it, with the naive evaluator, and simulated annealing on the loads of pairs with a smoothed cost.
package peers
