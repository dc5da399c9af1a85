package results

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
)

// ClaimSHA256 returns the hexadecimal SHA-256 of the compact JSON of exactly
// {"max_load","nodes","routing","torus"}, keys in this order. The nodes are
// taken as they are given: ascending in a right record.
func ClaimSHA256(torus []int, routing string, nodes [][]int, maxLoad string) string {
	text := make([]byte, 0, 64+8*len(nodes)*len(torus))
	text = appendText(append(text, `{"max_load":`...), maxLoad)
	text = append(text, `,"nodes":`...)
	if nodes == nil {
		text = append(text, "null"...)
	} else {
		text = append(text, '[')
		for i, c := range nodes {
			if i > 0 {
				text = append(text, ',')
			}
			text = appendInts(text, c)
		}
		text = append(text, ']')
	}
	text = appendText(append(text, `,"routing":`...), routing)
	text = appendInts(append(text, `,"torus":`...), torus)
	sum := sha256.Sum256(append(text, '}'))
	return hex.EncodeToString(sum[:])
}

// appendText appends a text as JSON.
func appendText(to []byte, text string) []byte {
	quoted, err := compact(text)
	if err != nil {
		panic("results: text always encodes")
	}
	return append(to, quoted...)
}

// appendInts appends a list of whole numbers as JSON.
func appendInts(to []byte, list []int) []byte {
	if list == nil {
		return append(to, "null"...)
	}
	to = append(to, '[')
	for i, v := range list {
		if i > 0 {
			to = append(to, ',')
		}
		to = strconv.AppendInt(to, int64(v), 10)
	}
	return append(to, ']')
}
