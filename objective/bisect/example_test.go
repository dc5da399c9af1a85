package bisect_test

import (
	"context"
	"fmt"

	"leeway/core"
	"leeway/core/family"
	"leeway/objective/bisect"
)

func ExampleWidth() {
	p, _ := family.Parse(core.MustTorus(5, 5), "linear")
	cut := bisect.Width(context.Background(), bisect.Half(p))
	fmt.Println(cut.Width(), "directed links, exact:", cut.Exact)
	// Output: 16 directed links, exact: true
}
