package audit_test

import (
	"context"
	"fmt"

	"leeway/results/audit"
	"leeway/results/audit/claims"
)

// Read with bound (1) in whole steps, Theorem 3 of seed 003 does not hold.
func ExampleRun() {
	rounded := claims.Select("seed003-theorem-3-rounded")
	for c, f := range audit.Run(context.Background(), rounded, audit.Limits{MaxK: audit.LeastMaxK}, 1) {
		fmt.Println(c.ID, f.Verdict)
	}
	// Output: seed003-theorem-3-rounded fails
}
