package check_test

import (
	"fmt"

	"leeway/results/check"
)

func ExampleRecord() {
	v := check.Record([]byte(`{"schema":"leeway/record/9"}`))
	fmt.Println(v.Verdict, v.Reasons)
	// Output: unreadable [unknown schema "leeway/record/9"]
}
