package findings

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"leeway/core/coretest"
)

// TestHighlights: there are ten, and each number in them is that of the page that it leads to.
func TestHighlights(t *testing.T) {
	findings := string(coretest.Must(os.ReadFile("../../docs/findings.md")))
	_, text, _ := strings.Cut(findings, "\n## Ten highlights\n")
	text, _, _ = strings.Cut(text, "\n## ")
	if n := len(regexp.MustCompile(`(?m)^\d+\. \*\*`).FindAllString(text, -1)); n != 10 {
		t.Errorf("there are %d highlights", n)
	}
	text = strings.Join(strings.Fields(text), " ")
	for _, c := range []struct{ here, page, there string }{
		{`propose one for (\d+) cells; in (\d+) of them`, "findings",
			`For (\d+) cells the papers propose .* In (\d+) of them a better`},
		{`24 processors on 12x12 carry (\d+) under .odr. in place of (\d+)`, "findings",
			`12x12 \| .odr. \| 24 \| (?P<b>\d+) \(.multilinear:t=2.\) \| (?P<a>\d+) \|`},
		{`(\d+) of (\d+) cells, by proofs`, "findings", `has (?P<b>\d+) cells: (?P<a>\d+) proved`},
		{`proofs of (\d+) values`, "verified", `Of the (\d+) proofs of the table`},
		{`diamond carry (\d+) on the mesh, in the first and last rows (\d+)\.`, "controllers",
			`\| .diamond. \| \*\*(\d+)\*\* .*?\| .rows:at=0,7. \| (\d+) `},
		{`torus the diamond carries (\d+), the optimum (\d+) `, "controllers",
			`16 controllers on the torus.*?\| .diamond. \| (\d+) .*?\| .spaced:t=2. \| \*\*(\d+)\*\*`},
		{`it in (\d+) of (\d+) cells`, "permutations",
			`On (?P<b>\d+) cells the least worst .*? \*\*(?P<a>\d+) times one does`},
		{`the best, (\S+), carries (\S+) % less`, "best-lattices",
			`\| 32 \| \d+ \| (4x8:\S+) \|.*?\| 4x8 \| \d+ \| (\S+) % \|`},
		{`allows on (\d+) of (\d+) networks`, "exchanges", `(\d+) of the (\d+) networks`},
		{`10\. \*\*(\d+) cells are open`, "completeness", `optimal, (\d+) open`},
	} {
		page := strings.Join(strings.Fields(string(coretest.Must(os.ReadFile("../../docs/"+c.page+".md")))), " ")
		pattern := regexp.MustCompile(c.there)
		here, there := regexp.MustCompile(c.here).FindStringSubmatch(text), pattern.FindStringSubmatch(page)
		if here == nil || there == nil {
			t.Errorf("%q is here %v, in %s %v", c.here, here, c.page, there)
			continue
		}
		if a := pattern.SubexpIndex("a"); a == 2 {
			there[1], there[2] = there[2], there[1]
		}
		if strings.Join(here[1:], " ") != strings.Join(there[1:], " ") {
			t.Errorf("%q: %v here, %v in %s", c.here, here[1:], there[1:], c.page)
		}
	}
}
