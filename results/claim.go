package results

import (
	"crypto/sha256"
	"encoding/hex"
)

// ClaimSHA256 returns the hexadecimal SHA-256 of the compact JSON of exactly
// {"max_load","nodes","routing","torus"}, keys in this order. The nodes are
// taken as they are given: ascending in a right record.
func ClaimSHA256(torus []int, routing string, nodes [][]int, maxLoad string) string {
	text, err := compact(struct {
		MaxLoad string  `json:"max_load"`
		Nodes   [][]int `json:"nodes"`
		Routing string  `json:"routing"`
		Torus   []int   `json:"torus"`
	}{maxLoad, nodes, routing, torus})
	if err != nil {
		panic("results: numbers and text always encode")
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
