package linkname_test

import (
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/linkname"
)

// TestNamesLeadBack: the name of every link leads back to it, and has the node that it leaves; all
// other names are refused.
func TestNamesLeadBack(t *testing.T) {
	for i := range coretest.Cases(200, 50) {
		on := coretest.Any(coretest.Rng(20, i), 20)
		for l := range on.EachLink() {
			name := linkname.NewEnded(on, l)
			from, to := on.LinkEnds(l)
			if back, err := name.Link(on); err != nil || back != l || coretest.Must(on.Node(name.From...)) != from {
				t.Fatalf("%s: link %d is %s, which is %d, %v", on, l, name.Text(on), back, err)
			}
			if name.To != nil && coretest.Must(on.Node(name.To...)) != to {
				t.Fatalf("%s: link %d to %d is %s", on, l, to, name.Text(on))
			}
		}
		found := 0
		for v := range on.N() {
			for dim := -1; dim <= on.Degree(); dim++ {
				for _, dir := range []string{"+", "-", ""} {
					if _, err := (linkname.Name{From: on.Coords(v), Dim: dim, Dir: dir}).Link(on); err == nil {
						found++
					} else if _, ok := err.(*core.InputError); !ok {
						t.Fatalf("%s: %v is no *core.InputError", on, err)
					}
				}
			}
		}
		if found != on.Links() {
			t.Errorf("%s: %d names of %d links", on, found, on.Links())
		}
	}
}
