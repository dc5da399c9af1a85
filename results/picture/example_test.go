package picture_test

import (
	"fmt"
	"os"

	"leeway/core"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/results/picture"
)

func ExampleTerminal() {
	t := core.MustTorus(3, 3)
	p, _ := family.Parse(t, "linear")
	r := routing.NewUDR(t, routing.TieBoth)
	loads := fast.Evaluate(objective.Problem{Routing: r}, p)
	err := picture.Terminal(os.Stdout, picture.Params{Routing: r.String(), Placement: p, Loads: loads, ASCII: true})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// 0           1           2
	// 0 #>1/2*<1/2* .           .>1/2*<1/2*
	//   v1/2*^1/2*              v1/2*^1/2*
	// 1 .           .>1/2*<1/2* #>1/2*<1/2*
	//               v1/2*^1/2*  v1/2*^1/2*
	// 2 .>1/2*<1/2* #>1/2*<1/2* .
	//   v1/2*^1/2*  v1/2*^1/2*
	//
	// torus 3x3 | n = 3 | UDR | E_max = 1/2 | 24 of 36 links at E_max
	// # processor   . other node   horizontal (x): dimension 1
	// vertical (y): dimension 0   ><v^ load of the link that way   * at E_max
	// idle links are left out
}
