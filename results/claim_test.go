package results

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"
)

// TestClaimText: the hash is that of what the encoder makes of the claim.
func TestClaimText(t *testing.T) {
	for _, c := range []struct {
		MaxLoad string  `json:"max_load"`
		Nodes   [][]int `json:"nodes"`
		Routing string  `json:"routing"`
		Torus   []int   `json:"torus"`
	}{
		{"3/4", [][]int{{0, 0}, {1, 12}}, "udr:tie=both", []int{4, 13}},
		{"", nil, "", nil},
		{"0", [][]int{}, "a\"\\\n<&>\u2028\u00e9\x01", []int{}},
		{"-1", [][]int{nil, {}, {-5}}, "\xff", []int{2}},
	} {
		text, err := compact(c)
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(text)
		if got := ClaimSHA256(c.Torus, c.Routing, c.Nodes, c.MaxLoad); got != hex.EncodeToString(sum[:]) {
			t.Errorf("%s: %s", text, got)
		}
	}
}
