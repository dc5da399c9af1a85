package encode_test

import (
	"errors"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/encode"
	"leeway/objective"
)

// TestRefusesTableByPair: a model keeps the pairs at one link and translates.
func TestRefusesTableByPair(t *testing.T) {
	table := coretest.Table(coretest.Rng(91, 0), core.MustTorus(3, 3), true)
	var unsupported *encode.UnsupportedError
	p := objective.Problem{Routing: table, Size: 3}
	if _, err := encode.NewModel(t.Context(), p, encode.Options{}); !errors.As(err,
		&unsupported) {
		t.Errorf("error %v", err)
	}
}
