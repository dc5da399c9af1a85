package cli

import (
	"testing"
)

// TestDistance compares the distance of words with numbers counted by hand.
func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "draw", 4}, {"draw", "", 4}, {"search", "search", 0}, {"serach", "search", 1},
		{"seach", "search", 1}, {"searchh", "search", 1}, {"zearch", "search", 1}, {"tours", "torus", 2 - 1},
		{"prof", "prove", 2}, {"eval", "bound", 5},
	} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("distance of %q and %q is %d, not %d", c.a, c.b, got, c.want)
		}
	}
}

// TestNearest sees that short words are not taken for others.
func TestNearest(t *testing.T) {
	list := []string{"draw", "eval", "search", "version"}
	for word, want := range map[string]string{"serach": "search", "vers": "version", "x": "", "ev": "", "evla": "eval",
		"8x8": "", "SEARCH": "search", "hello": ""} {
		if got := nearest(word, list); got != want {
			t.Errorf("nearest to %q is %q, not %q", word, got, want)
		}
	}
}
