package words_test

import (
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/words"
)

// TestWords: by hand. The tie rule stands where a pair has a tie: under UDR 16 processors on 8x8 have E_max 4 with both
// ways, 5 with the + way.
func TestWords(t *testing.T) {
	for _, c := range []struct{ network, text, want string }{
		{"8x8", "udr:tie=both", "UDR, both ways at ties"},
		{"8x8", "udr:tie=plus", "UDR, the + way at ties"},
		{"7x7", "udr:tie=both", "UDR"},
		{"8x8:open=0,1", "odr:order=1,0:tie=plus", "XY"},
		{"8x7:open=1", "odr:order=1,0:tie=both", "XY, both ways at ties"},
		{"8x8", "odr:tie=plus", "ODR, the + way at ties"},
		{"3x5:twist=1", "odr:tie=plus", "ODR, the + way at ties"},
		{"4x4x4", "odr:order=2,1,0:tie=both", "ODR in the order 2,1,0, both ways at ties"},
		{"5x5x5", "orders:012+120:tie=plus", "dimension orders 012, 120"},
		{"4x4", "avoid:tie=both", "UDR that avoids processors, both ways at ties"},
		{"4x4", "minimal:tie=both", "all shortest paths, both ways at ties"},
		{"4x4", "table", "table"},
		{"4x4", "free", "any shortest paths"},
		{"4x4", "free:single-path", "any single shortest path of each pair"},
		{"4x4", "free:min-paths=2", "any 2 or more shortest paths of each pair"},
	} {
		if got := words.Routing(coretest.Must(core.ParseNetwork(c.network)), c.text); got != c.want {
			t.Errorf("%s on %s is %q, want %q", c.text, c.network, got, c.want)
		}
	}
}
