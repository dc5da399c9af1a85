package family_test

import (
	"fmt"

	"leeway/core"
	"leeway/core/family"
)

func ExampleParse() {
	p, err := family.Parse(core.MustTorus(4, 4), "linear:c=1,2")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Coords())
	// Output: [[0 0] [0 2] [2 1] [2 3]]
}

func ExampleRecognise() {
	t := core.MustTorus(6, 6)
	p, _ := family.Parse(t, "nodes:0,0+0,3+1,2+1,5+2,1+2,4+3,0+3,3+4,2+4,5+5,1+5,4")
	fmt.Println(family.Recognise(p))
	// Output: residue class residues:c=1,1:m=3:r=0
}
