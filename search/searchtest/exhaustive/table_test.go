package exhaustive_test

import (
	"errors"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/objective"
	"leeway/search"
	"leeway/search/searchtest/exhaustive"
)

// TestRefusesTableByPair: the count takes placements with node 0 only, which stand for all others under a table by
// displacement and not under one by pair.
func TestRefusesTableByPair(t *testing.T) {
	torus := core.MustTorus(3, 3)
	var unsupported *search.UnsupportedError
	if err := (exhaustive.Method{}).Supports(objective.Problem{Routing: coretest.Table(coretest.Rng(92, 0), torus, true),
		Size: 3}); !errors.As(err, &unsupported) {
		t.Errorf("error %v", err)
	}
	if err := (exhaustive.Method{}).Supports(objective.Problem{Routing: coretest.Table(coretest.Rng(92, 1), torus, false),
		Size: 3}); err != nil {
		t.Error(err)
	}
}
