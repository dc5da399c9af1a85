package plan_test

import (
	"fmt"

	"leeway/results/plan"
)

func ExampleParse() {
	searches, err := plan.Parse([]byte(`
defaults: {routing: odr, evaluations: 5000}
problems:
  - {torus: 6x6, size: 6..7}
`), []string{"family", "local"}, nil)
	fmt.Println(searches, err)
	_, err = plan.Parse([]byte("problems:\n  - {torus: 6x6, routing: odr, size: 6, seeds: 6, time: 1m}\n"), nil, nil)
	fmt.Println(err)
	// Output:
	// [--torus 6x6 --size 6 --routing odr:tie=plus --torus 6x6 --size 7 --routing odr:tie=plus] <nil>
	// 2:41: unknown key "seeds" in a problem
}
