// Package fast computes loads of placements by the cheapest exact way that a routing and a network allow: Evaluator,
// and Incremental for placements that change by a processor. Everything it returns equals what the definitions of the
// package objective say; the checker does not link it.
package fast
