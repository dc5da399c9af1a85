package picture_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/results/picture"
)

// drawn returns the drawing without title and what stands below it, and the whole text.
func drawn(t *testing.T, p picture.Params) (body, whole string) {
	t.Helper()
	var b strings.Builder
	coretest.Try(picture.Terminal(&b, p))
	facts := regexp.MustCompile("\n(torus|mesh) ").FindStringIndex(b.String())
	if facts == nil {
		t.Fatalf("no line of facts:\n%s", b.String())
	}
	return b.String()[:facts[0]], b.String()
}

// widest returns the number of characters in the longest line.
func widest(text string) int {
	most := 0
	for line := range strings.Lines(text) {
		most = max(most, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")))
	}
	return most
}

// links counts what arrows of a drawing carry, by text; + and - are arrows.
func links(body string) map[string]int {
	count := map[string]int{}
	for _, m := range regexp.MustCompile(`[→←↓↑⇒⇐⇓⇑+-]([0-9/]+\*?)`).FindAllStringSubmatch(body, -1) {
		count[m[1]]++
	}
	return count
}

func TestTerminalShowsEveryNode(t *testing.T) {
	for i := range 200 {
		in := coretest.Random(coretest.Rng(14, i), 60)
		p := ofInstance(in)
		p.ASCII = i%3 == 0
		processor, other := "■", "·"
		if p.ASCII {
			processor, other = "#", "."
		}
		body, whole := drawn(t, p)
		if got := strings.Count(body, processor); got != p.Placement.Size() {
			t.Fatalf("%s: %d processors, want %d\n%s", in, got, p.Placement.Size(), whole)
		}
		if got := strings.Count(body, other); got != in.Torus.N()-p.Placement.Size() {
			t.Fatalf("%s: %d other nodes, want %d\n%s", in, got, in.Torus.N()-p.Placement.Size(), whole)
		}
		if w := widest(whole); w > 80 {
			t.Fatalf("%s: %d columns\n%s", in, w, whole)
		}
		if strings.Contains(whole, "\x1b") {
			t.Fatalf("%s: escape sequence without colour", in)
		}
	}
}

// TestTerminalShowsEveryLoad compares the numbers of the drawing with the loads above 0, those of E_max starred. The
// tori are small enough for exact loads.
func TestTerminalShowsEveryLoad(t *testing.T) {
	for _, dims := range []string{"2", "5", "30", "2x2", "4x3", "8x8", "2x3x4", "4x4x4", "2x3x2x3", "5:open=0",
		"4x5:open=0,1:bandwidth=2,1", "4x4x4:open=0,2", "4x8:twist=4", "1x9:twist=2", "3x4x2:twist=0,1,1+0,0,0+0,2,0"} {
		torus := coretest.Must(core.ParseNetwork(dims))
		for _, placement := range []string{"full", fmt.Sprintf("random:n=%d:seed=2", torus.N()/4+1)} {
			p := params(dims, placement, "odr:tie=both")
			want := map[string]int{}
			most, _ := p.Loads.Max()
			for l := range torus.M() {
				load := p.Loads.Load(core.Link(l))
				switch {
				case load.Sign() > 0 && load.Cmp(most) == 0:
					want[load.RatString()+"*"]++
				case load.Sign() > 0:
					want[load.RatString()]++
				}
			}
			body, whole := drawn(t, p)
			if got := links(body); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%v %s: loads %v, want %v\n%s", dims, placement, got, want, whole)
			}
		}
	}
}

// TestTerminalRing checks by hand a ring of 6 with processors on 0, 1 and 2 under ODR: 0 -> 1 and 1 -> 2 carry 2,
// as do the ways back; all else is idle.
func TestTerminalRing(t *testing.T) {
	body, whole := drawn(t, params("6", "nodes:0+1+2", "odr"))
	want := "0       1       2       3       4       5\n■→2*←2* ■→2*←2* ■       ·       ·       ·\n"
	if body != want {
		t.Errorf("drawing\n%swant\n%s", body, want)
	}
	if !strings.Contains(whole, "E_max = 2") || !strings.Contains(whole, "4 of 12 links at E_max") {
		t.Errorf("legend incomplete:\n%s", whole)
	}
}

// TestTerminalLevels checks by hand a full row of 8, ties plus: a link carries 1+2+3+4 = 10 upwards and 1+2+3 = 6
// downwards, which are 9 and 5.4 ninths. Two digits a link do not fit into 45 columns.
func TestTerminalLevels(t *testing.T) {
	p := params("2x8", "nodes:0,0+0,1+0,2+0,3+0,4+0,5+0,6+0,7", "odr")
	p.Width = 45
	body, whole := drawn(t, p)
	if got := links(body); fmt.Sprint(got) != "map[6:8 9*:8]" || !strings.Contains(whole, "ninths of E_max") {
		t.Errorf("levels %v in\n%s", got, whole)
	}
}

func TestTerminalFallsBack(t *testing.T) {
	wide := params("3x40", "random:n=20:seed=1", "odr")
	body, whole := drawn(t, wide)
	if len(links(body)) > 0 || !strings.Contains(whole, "only the placement is shown") {
		t.Errorf("3x40 shows loads or lacks the remark:\n%s", whole)
	}
	wide.Width = 400
	if body, whole = drawn(t, wide); len(links(body)) == 0 || strings.Contains(whole, "only the placement") {
		t.Errorf("3x40 in 400 columns lacks loads:\n%s", whole)
	}
	long := params("4x12", "random:n=17:seed=1", "minimal")
	if body, whole = drawn(t, long); len(links(body)) == 0 || !strings.Contains(whole, "ninths of E_max are shown") {
		t.Errorf("4x12 with long fractions does not fall back to levels:\n%s", whole)
	}
}

// TestTerminalWidths checks that no width is exceeded, by wide tori either.
func TestTerminalWidths(t *testing.T) {
	for _, dims := range []string{"8x8", "500", "3x200", "3x100x4", "16x16", "2x2x2x2x2x2"} {
		p := params(dims, "random:n=9:seed=4", "udr:tie=both")
		p.Routing = "orders:" + strings.Repeat("01+10+", 100)
		p.Title = strings.Repeat("title ", 100)
		for _, p.Width = range []int{0, 40, 57, 200} {
			body, whole := drawn(t, p)
			if w := widest(whole); w > max(p.Width, 80) || p.Width > 0 && w > p.Width {
				t.Errorf("%v: %d columns for width %d\n%s", dims, w, p.Width, whole)
			}
			if got := strings.Count(body, "■"); got != 9 {
				t.Errorf("%v: %d processors, want 9", dims, got)
			}
		}
	}
}

func TestTerminalASCII(t *testing.T) {
	p := params("3x4x5", "random:n=9:seed=4", "udr:tie=both")
	p.ASCII, p.Title = true, "Spaced · ünïcode "+strings.Repeat("é", 100)
	if _, whole := drawn(t, p); strings.ContainsFunc(whole, func(r rune) bool { return r > 126 || r < ' ' && r != '\n' }) {
		t.Errorf("characters beyond ASCII:\n%s", whole)
	}
}

// TestTerminalColorChangesOnlyColor checks that colours are there when asked for, end, and that the text without them
// is the same.
func TestTerminalColorChangesOnlyColor(t *testing.T) {
	codes := regexp.MustCompile("\x1b\\[[0-9;]*m")
	p := params("4x5", "random:n=6:seed=4", "udr:tie=both")
	_, plain := drawn(t, p)
	p.Color = true
	_, colored := drawn(t, p)
	if !strings.Contains(colored, "\x1b[38;5;") || codes.ReplaceAllString(colored, "") != plain {
		t.Errorf("colours are missing or change the text:\n%s", colored)
	}
	for line := range strings.Lines(colored) {
		if all := codes.FindAllString(line, -1); len(all) > 0 && all[len(all)-1] != "\x1b[0m" {
			t.Errorf("a line ends in colour: %q", line)
		}
	}
}

// TestTerminalTitleCannotSteer checks that a title cannot send control sequences.
func TestTerminalTitleCannotSteer(t *testing.T) {
	p := params("3x3", "linear", "udr")
	p.Title, p.Routing = "a\x1b[2J\r\n\u202eb\xff", "odr\x1b[31m"
	_, whole := drawn(t, p)
	if !strings.HasPrefix(whole, "a?[2J????b") && !strings.HasPrefix(whole, "a?[2J???b") {
		t.Errorf("title line %q", strings.SplitN(whole, "\n", 2)[0])
	}
	if strings.ContainsAny(whole, "\x1b\r\u202e") {
		t.Errorf("control characters pass: %q", whole)
	}
}

// TestTerminalDirections checks by hand processors on (0,0) and (2,1) of a 4x4 torus under ODR, ties plus: (0,0) goes
// down twice, then right; (2,1) goes down twice, around the torus, then left.
func TestTerminalDirections(t *testing.T) {
	p := params("4x4", "nodes:0,0+2,1", "odr")
	p.ASCII = true
	body, _ := drawn(t, p)
	want := `  0       1       2       3
0 #   <1* .       .       .
  v1*
1 .       .       .       .
  v1*
2 .>1*    #       .       .
          v1*
3 .       .       .       .
          v1*
`
	if body != want {
		t.Errorf("drawing\n%swant\n%s", body, want)
	}
}

// TestTerminalBandwidths checks by hand processors on (0,0) and (1,2) of a mesh of 2 x 3 nodes under ODR, whose links
// along dimension 1 have bandwidth 2: (0,0) goes down, then right twice; (1,2) goes up, then left twice.
func TestTerminalBandwidths(t *testing.T) {
	p := params("2x3:open=1:bandwidth=1,2", "nodes:0,0+1,2", "odr")
	for ascii, want := range map[bool]string{false: `  0           1           2
0 ■     ⇐1/2  ·     ⇐1/2  ·
  ↓1*                          ↑1*
1 ·⇒1/2       ·⇒1/2       ■
`, true: `  0           1           2
0 #     <1/2  .     <1/2  .
  v1*                          ^1*
1 .>1/2       .>1/2       #
`} {
		p.ASCII = ascii
		body, whole := drawn(t, p)
		if body != want {
			t.Errorf("drawing\n%swant\n%s", body, want)
		}
		for _, line := range []string{"bandwidth 1 along dimension 0", "bandwidth 2 along dimension 1"} {
			if !strings.Contains(whole, line) {
				t.Errorf("the legend lacks %q:\n%s", line, whole)
			}
		}
	}
	p = params("2x3:open=1:bandwidth=2,2", "nodes:0,0+1,2", "odr")
	body, whole := drawn(t, p)
	if strings.ContainsAny(body, "⇒⇐⇓⇑") || strings.Contains(whole, "bandwidth 2 along") {
		t.Errorf("equal bandwidths are told apart:\n%s", whole)
	}
}
