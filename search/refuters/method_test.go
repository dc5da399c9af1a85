package refuters_test

import (
	"testing"

	"leeway/search/refuters"
	"leeway/search/searchtest"
)

// TestConformance: every refuter is a method.
func TestConformance(t *testing.T) {
	for _, r := range refuters.Deciding(refuters.All()) {
		t.Run(r.Name, func(t *testing.T) { searchtest.Conform(t, refuters.Method{Refuter: r}) })
	}
}
