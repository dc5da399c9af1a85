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

// TestInTurnConforms: so are several in turn, and one that takes its turn among others.
func TestInTurnConforms(t *testing.T) {
	var all refuters.InTurn
	for _, r := range refuters.Deciding(refuters.All()) {
		m := refuters.Method{Refuter: r}
		all = append(all, m)
		t.Run("bounded "+r.Name, func(t *testing.T) { searchtest.Conform(t, refuters.Bounded{Method: m}) })
	}
	searchtest.Conform(t, all)
}
