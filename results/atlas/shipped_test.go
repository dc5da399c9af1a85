package atlas_test

import (
	"testing"

	"leeway/results/atlas"
)

// TestShipped: the file of the program can be read and none of its cells is wrong.
func TestShipped(t *testing.T) {
	a, err := atlas.Shipped()
	if err != nil {
		t.Fatal(err)
	}
	wrong, _ := a.Cells(atlas.Filter{Faulty: true})
	for _, c := range wrong {
		t.Errorf("%s: %s", c.Key(), c.Fault)
	}
}
