package cli

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestFold compares with lines folded by hand.
func TestFold(t *testing.T) {
	for text, want := range map[string]string{
		"short\n": "short\n",
		"leeway: --torus 8x8: the routing of this command has a name that is too long\n": "" +
			"leeway: --torus 8x8: the routing of this\n  command has a name that is too long\n",
		"  proof        none is below 9: the numbers of processors rule it out\n": "" +
			"  proof        none is below 9: the\n               numbers of processors\n               rule it out\n",
		"  nodes        0,0+0,2+0,4+1,1+1,3+1,5+2,0+2,2+2,4\n": "" +
			"  nodes        0,0+0,2+0,4+1,1+1,3+1,5+\n               2,0+2,2+2,4\n",
		"          see      leeway bisect --torus 3x3 --alpha 1/3\n": "" +
			"          see      leeway bisect \\\n                       --torus 3x3 \\\n" +
			"                       --alpha 1/3\n",
		"a\tb" + strings.Repeat(" word", 20): "a\tb" + strings.Repeat(" word", 20),
		strings.Repeat("x", 50) + " y":       strings.Repeat("x", 50) + "\n  y",
	} {
		if got := fold(text, 40); got != want {
			t.Errorf("%q becomes\n%s\nand not\n%s", text, got, want)
		}
	}
}

// TestFoldKeepsAll folds random lines: no letter is lost, and no line is too wide that has a place to fold.
func TestFoldKeepsAll(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	letters := []rune("ab c,+  é:-1 ")
	bare := func(s string) string { return strings.NewReplacer(" ", "", "\n", "").Replace(s) }
	for range 20000 {
		line := make([]rune, rng.IntN(300))
		for i := range line {
			line[i] = letters[rng.IntN(len(letters))]
		}
		width := leastWidth + rng.IntN(60)
		got := fold(string(line), width)
		if bare(got) != bare(string(line)) {
			t.Fatalf("%q becomes %q", string(line), got)
		}
		for part := range strings.SplitSeq(got, "\n") {
			if text := strings.TrimSpace(part); utf8.RuneCountInString(part) > width && strings.ContainsAny(text, " ") {
				t.Fatalf("%q of %q is wider than %d", part, string(line), width)
			}
		}
	}
}
