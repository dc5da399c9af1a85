package findings

import (
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"leeway/core/coretest"
	"leeway/objective/texts"
	"leeway/results/atlas"
)

// Pages that are written by hand say what E_max a cell has in these forms only:
//
//	8x8 n=16 `udr:tie=both` has 4      the E_max of the cell, which is proved; with ", 4" and ": 4" the best known
//	8x8 n=16 `udr:tie=both` below 4    no placement is below 4; also a table with the columns "cell" and "below"
//	8x8 n=16 `udr:tie=both` is open    not proved
//	8x8, 16 processors, udr:tie=both: E_max 4, optimal     or feasible: what a command prints, under its flags
//	more than 7000 cells               of the atlas
var (
	cellName   = "(\\d+(?:x\\d+)+(?::[a-z]+=[\\d,+]+)*) n=(\\d+) `([a-z]+(?::[a-z]+=[a-z\\d,]+)*)`"
	fractionly = `(\d+(?:/\d+)?)\b`
	statement  = regexp.MustCompile(cellName + `( has|,|:| below| is open)(?: ` + fractionly + `)?`)
	below      = regexp.MustCompile(`^\| ` + cellName + ` \| ` + fractionly + ` \|`)
	answered   = regexp.MustCompile(`^(\S+), (\d+) processors, (\S+): E_max ` + fractionly +
		`(?: \S+)?, (optimal|feasible)$`)
	countOf     = regexp.MustCompile(`more than (\d+) (?:cells|cases)`)
	loose       = regexp.MustCompile(`\b\d+(?:x\d+)+\b.*\bn ?= ?\d+.*(?:E_max|[Bb]est known|\bopen\b|proved|optim)`)
	openNetwork = regexp.MustCompile(`:open=|open dimension`)
)

// written are the pages that other tests hold against what they are made from.
var written = []string{"audit.md", "reference.md", "licences.md"}

// TestPagesAgree: no page says less of a cell than the atlas, calls open what is proved, or has a value in a form that
// this test does not read.
func TestPagesAgree(t *testing.T) {
	view := coretest.Must(atlas.Shipped())
	names := append(coretest.Must(filepath.Glob("../../docs/howto/*.md")), "../../README.md")
	read := map[string]int{} // statements by form
	for _, name := range append(coretest.Must(filepath.Glob("../../docs/*.md")), names...) {
		base := filepath.Base(name)
		if slices.Contains(append(pageNames(), written...), base) {
			continue
		}
		for form, n := range agree(t, view, base, string(coretest.Must(os.ReadFile(name)))) {
			read[form] += n
		}
	}
	for form, least := range map[string]int{"statement": 5, "answer": 8, "count": 1} {
		if read[form] < least {
			t.Errorf("%d of the form %s are read, not %d", read[form], form, least)
		}
	}
}

// pageNames returns the names of the files that the program writes.
func pageNames() (names []string) {
	for _, p := range Pages {
		names = append(names, p.Name+".md")
	}
	return names
}

// agree holds a page against an atlas and returns how many statements of each form it has.
func agree(t interface{ Errorf(string, ...any) }, view *atlas.Atlas, page, text string) map[string]int {
	read := map[string]int{}
	known := func(what, where, routed, size string) (atlas.Cell, bool) {
		n, _ := strconv.Atoi(size)
		p, err := texts.ParseProblem(where, routed, n)
		if err != nil {
			t.Errorf("%s: %s: %v", page, what, err)
			return atlas.Cell{}, false
		}
		return view.Cell(texts.KeyOf(p))
	}
	holds := func(what string, c atlas.Cell, ok bool, claim, value string) {
		least := number(c.LowerBound)
		switch wrong := c.Status != atlas.Optimal || c.MaxLoad != value; {
		case !ok && claim != " below":
			t.Errorf("%s: %s: the atlas has no such cell", page, what)
		case ok && (claim == " has" || claim == "optimal") && wrong,
			ok && value != "" && (claim == "," || claim == ":") && c.MaxLoad != value,
			ok && claim == " below" && (value == "" || least.Cmp(number(value)) < 0),
			ok && (claim == " is open" || claim == "feasible") && c.Status == atlas.Optimal,
			ok && claim == "feasible" && number(c.MaxLoad).Cmp(number(value)) < 0:
			t.Errorf("%s: %s: the atlas has %s, at least %s, %s", page, what, c.MaxLoad, c.LowerBound, c.Status)
		}
	}
	command := ""
	paragraph := ""
	for _, line := range append(strings.Split(text, "\n"), "") {
		if body := strings.TrimSpace(line); strings.HasPrefix(line, "    ") {
			if strings.HasPrefix(body, "$ ") {
				command = body
			} else if m := answered.FindStringSubmatch(body); m != nil && !strings.Contains(command, "--max-load") {
				read["answer"]++
				if where, ok := asked(m[1], command); ok {
					c, ok := known(body, where, m[3], m[2])
					if !ok && where != m[1] {
						continue // few questions with conditions are cells
					}
					holds(body, c, ok, m[5], m[4])
				}
			}
			continue
		}
		if m := below.FindStringSubmatch(line); m != nil {
			read["below"]++
			c, ok := known(line, m[1], m[3], m[2])
			holds(line, c, ok, " below", m[4])
			continue
		}
		if line != "" && !strings.HasPrefix(line, "|") {
			paragraph += line + " "
			continue
		}
		for _, sentence := range append(regexp.MustCompile(`[.;] |: [A-Z]`).Split(paragraph, -1), line) {
			for _, m := range statement.FindAllStringSubmatch(sentence, -1) {
				read["statement"]++
				if m[4] == " is open" || m[5] != "" {
					c, ok := known(sentence, m[1], m[3], m[2])
					holds(m[0], c, ok, m[4], m[5])
				}
			}
			for _, m := range countOf.FindAllStringSubmatch(sentence, -1) {
				read["count"]++
				if _, all := view.Cells(atlas.Filter{}); number(m[1]).Cmp(new(big.Rat).SetInt64(int64(all))) > 0 {
					t.Errorf("%s: %s: the atlas has %d", page, m[0], all)
				}
			}
			if loose.MatchString(sentence) && !statement.MatchString(sentence) && !openNetwork.MatchString(sentence) {
				t.Errorf("%s: %q is none of the forms that are read", page, sentence)
			}
		}
		paragraph = ""
	}
	return read
}

// asked returns the network with the conditions of a command line; ok is false with a traffic and for free routings,
// of which other pages are made.
func asked(network, command string) (where string, ok bool) {
	words := strings.Fields(command)
	for i, word := range words[:max(0, len(words)-1)] {
		switch word {
		case "--traffic", "free":
			return "", false
		case "--fixed", "--forbidden", "--radius", "--distance":
			network += ":" + strings.TrimPrefix(word, "--") + "=" + words[i+1]
		}
	}
	return network, !strings.Contains(command, "--routing free")
}

// noted keeps what is wrong.
type noted []string

func (n *noted) Errorf(format string, args ...any) { *n = append(*n, format) }

// TestAgree: what contradicts the atlas is seen in every form, what agrees is not. The values are theorems and known
// optima: 4 of 16 processors on 8x8 is half a side (docs/laws.md).
func TestAgree(t *testing.T) {
	view := coretest.Must(atlas.Shipped())
	for text, wrong := range map[string]int{
		"So 8x8 n=16 `udr:tie=both` has 4.":                                                             0,
		"So 8x8 n=16 `udr:tie=both` has 5.":                                                             1,
		"So 8x8 n=16\n`udr:tie=both` has 9/2, and 8x8 n=16 `udr:tie=both` has 4.":                       1,
		"| 8x8 n=16 `udr:tie=both`, 5 | 3 s |":                                                          1,
		"Nothing on 8x8 n=16 `udr:tie=both` below 4.":                                                   0,
		"Nothing on 8x8 n=16 `udr:tie=both` below 5.":                                                   1,
		"| 8x8 n=16 `udr:tie=both` | 5 | 0.1 |":                                                         1,
		"But 8x8 n=16 `udr:tie=both` is open.":                                                          1,
		"But 5x5x5 n=50 `udr:tie=both` is open.":                                                        0,
		"    8x8, 16 processors, udr:tie=both: E_max 4, optimal":                                        0,
		"    8x8, 16 processors, udr:tie=both: E_max 4, feasible":                                       1,
		"    8x8, 16 processors, udr:tie=both: E_max 5, optimal":                                        1,
		"    $ leeway search --max-load 5\n    8x8, 16 processors, udr:tie=both: E_max 5, optimal":      0,
		"    5x5x5, 50 processors, udr:tie=both: E_max 15, feasible":                                    1,
		"    $ leeway prove --radius 1\n    4x4, 4 processors, udr:tie=both: E_max 3/4 (0.75), optimal": 0,
		"There are more than 10 cells.":                                                                 0,
		"There are more than 1000000 cells.":                                                            1,
		"The best known of 8x8 and n = 16 is open.":                                                     1,
		"9x9 n=400 `odr` has 3":                                                                         2,
		"16x16 n=200 `odr` has 3, which nobody knows":                                                   1,
		"8x8:open=0,1 n=16 `odr` has 1":                                                                 1,
		"a sentence on 8x8 with n=16 that says nothing of values":                                       0,
	} {
		var found noted
		if agree(&found, view, "page", text); len(found) != wrong {
			t.Errorf("%q: %d faults, not %d: %q", text, len(found), wrong, found)
		}
	}
}

// TestOddSides: what docs/laws.md says of 2k processors on k x k for odd k holds in the atlas.
func TestOddSides(t *testing.T) {
	view, seen := coretest.Must(atlas.Shipped()), 0
	for k := 3; k <= 15; k += 2 {
		c, ok := view.Cell(texts.Key{Torus: fmt.Sprintf("%dx%d", k, k), Routing: "udr:tie=both", Size: 2 * k})
		if ok && c.Status == atlas.Optimal {
			if seen++; c.MaxLoad != strconv.Itoa((k+1)/2) {
				t.Errorf("%s has %s", c.Key(), c.MaxLoad)
			}
		}
	}
	if seen < 4 {
		t.Errorf("%d cells", seen)
	}
}
