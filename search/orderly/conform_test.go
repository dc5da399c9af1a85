package orderly

import (
	"testing"

	"leeway/search/searchtest"
)

func TestConformance(t *testing.T) { searchtest.Conform(t, New()) }
