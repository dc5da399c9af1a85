package texts_test

import (
	"errors"
	"testing"

	"leeway/core"
	"leeway/objective/texts"
)

// TestParseMesh: a mesh is the network with every dimension listed as open.
func TestParseMesh(t *testing.T) {
	for text, want := range map[string]string{
		"8x8": "8x8:open=0,1", "4^3": "4x4x4:open=0,1,2", "5": "5:open=0", "2x3": "2x3:open=1", "2x2": "2x2",
		"8x8:bandwidth=2,1": "8x8:open=0,1:bandwidth=2,1", "2:bandwidth=3": "2:bandwidth=3",
	} {
		m, err := texts.ParseMesh(text)
		if err != nil || m.String() != want {
			t.Errorf("mesh %s is %v, error %v, want %s", text, m, err, want)
		}
	}
	for _, text := range []string{"", "8x", "8x8:open=0", "8x8:open=0,1", "2x2:open=0", "8x8:bandwidth=1", "8x8:twist=1"} {
		var e *core.InputError
		if m, err := texts.ParseMesh(text); !errors.As(err, &e) || e.Text != text {
			t.Errorf("mesh %q is %v, error %v, want an input error about it", text, m, err)
		}
	}
}
