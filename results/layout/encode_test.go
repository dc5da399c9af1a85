package layout

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"testing"

	"leeway/core/coretest"
)

// TestJoinShortLists compares the scan with regular expressions, on random documents and on texts that only look like
// lists.
func TestJoinShortLists(t *testing.T) {
	list := regexp.MustCompile(`\[\n\s+((?:[-\d]+|"[-+]")(?:,\n\s+(?:[-\d]+|"[-+]"))*)\n\s+\]`)
	lineBreak := regexp.MustCompile(`,\n\s+`)
	slow := func(text []byte) []byte {
		return list.ReplaceAllFunc(text, func(list []byte) []byte {
			inner := bytes.TrimSpace(list[1 : len(list)-1])
			return append(append([]byte("["), lineBreak.ReplaceAll(inner, []byte(","))...), ']')
		})
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 3000 {
		text := coretest.Must(json.MarshalIndent(map[string]any{"a": randomDocument(rng, 4), "b": randomDocument(rng,
			4)}, "", "  "))
		if have, want := joinShortLists(bytes.Clone(text)), slow(text); !bytes.Equal(have, want) {
			t.Fatalf("%s\ngives\n%s\nwant\n%s", text, have, want)
		}
	}
}

// randomDocument returns a value of JSON: lists, numbers, directions and texts with brackets.
func randomDocument(rng *rand.Rand, depth int) any {
	switch kind := rng.IntN(8); {
	case kind < 3 && depth > 0:
		items := make([]any, rng.IntN(4))
		for i := range items {
			items[i] = randomDocument(rng, depth-1)
		}
		return items
	case kind == 3 && depth > 0:
		return map[string]any{"[": randomDocument(rng, depth-1), "x": fmt.Sprint("[", rng.IntN(9), "]")}
	case kind == 4:
		return []string{"+", "-", "[1, 2]", "", "7", "a\n[\n 1\n]"}[rng.IntN(6)]
	case kind == 5:
		return []any{nil, true, 1.5, 1e30, -2.25}[rng.IntN(5)]
	}
	return rng.IntN(2000) - 1000
}
