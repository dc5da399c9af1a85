// Package judgetest has the kernel judge steps in tests of engines. Only tests import it.
package judgetest

import (
	"io"
	"math/big"

	"leeway/objective"
	"leeway/results/check"
	"leeway/results/check/kernel"
)

// Steps returns nil if the kernel accepts a stream as a proof that no placement of a problem is below a value, or at
// most it.
func Steps(p objective.Problem, value *big.Rat, atMost bool, stream io.Reader) error {
	_, err := kernel.Check(check.StepsQuestion(p, value, atMost), stream, false, func(int64) error { return nil })
	return err
}
