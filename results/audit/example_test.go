package audit_test

import (
	"context"
	"fmt"

	"leeway/results/audit"
)

// Read with bound (1) in whole steps, Theorem 3 of seed 003 does not hold.
func ExampleRun() {
	claims := audit.Select("seed003-theorem-3-rounded")
	for c, f := range audit.Run(context.Background(), claims, audit.Limits{MaxK: audit.LeastMaxK}, 1) {
		fmt.Println(c.ID, f.Verdict)
	}
	// Output: seed003-theorem-3-rounded fails
}
