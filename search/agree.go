package search

import (
	"fmt"
	"math/big"
)

// A DisagreementError says that one engine has refuted every placement below a value, and another has found one. It
// means a bug in one of the two.
type DisagreementError struct {
	Problem string
	Below   *big.Rat
	Engine  string // that found none
	Nodes   []int
}

// Error names the engine and the placement.
func (e *DisagreementError) Error() string {
	return fmt.Sprintf("%s: %s found no placement below %s, but nodes %v are one", e.Problem, e.Engine,
		e.Below.RatString(), e.Nodes)
}

// Hash takes the next number of a list into its hash, which starts at 0.
func Hash(h uint64, v int) uint64 {
	h += (uint64(v) + 1) * 0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}
