package orderly

import (
	"testing"

	"leeway/search/census"
	"leeway/search/searchtest"
)

func TestConformance(t *testing.T) {
	searchtest.Conform(t, census.Method{Engines: []census.Engine{Engine{}}})
	searchtest.Conform(t, census.Method{Engines: []census.Engine{Needs{}}})
}
