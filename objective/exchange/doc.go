// Package exchange makes schedules of complete exchange: every processor has a
// block for every other, and the schedule says in which phases they move. Sources
// and rules: docs/exchange.md.
package exchange
