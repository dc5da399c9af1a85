package results

import (
	"crypto/sha256"
	"fmt"
	"testing"
)

// TestClaimText: the hash is that of the compact JSON, written out here by hand.
func TestClaimText(t *testing.T) {
	for _, c := range []struct {
		text, routing, load string
		torus               []int
		nodes               [][]int
	}{
		{`{"max_load":"3/4","nodes":[[0,0],[1,12]],"routing":"udr:tie=both","torus":[4,13]}`, "udr:tie=both", "3/4",
			[]int{4, 13}, [][]int{{0, 0}, {1, 12}}},
		{`{"max_load":"","nodes":null,"routing":"","torus":null}`, "", "", nil, nil},
		{`{"max_load":"0","nodes":[],"routing":"a\"\\\n<&>é","torus":[]}`, "a\"\\\n<&>é", "0", []int{}, [][]int{}},
		{`{"max_load":"-1","nodes":[null,[],[-5]],"routing":"x","torus":[2]}`, "x", "-1", []int{2}, [][]int{nil, {}, {-5}}},
	} {
		want := fmt.Sprintf("%x", sha256.Sum256([]byte(c.text)))
		if got := (Record{Grid: Grid{Torus: c.torus}, Routing: c.routing, Nodes: c.nodes,
			MaxLoad: c.load}).Hash(); got != want {
			t.Errorf("%s: %s, want %s", c.text, got, want)
		}
	}
}
