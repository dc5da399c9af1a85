package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"leeway/core/coretest"
)

// TestDocs runs the commands that the guides show, in the order of the page and in
// an empty folder, and compares what they print. In an indented block "$ leeway
// ..." is a command, what follows its output; "..." stands for any text up to the
// end of a line, alone on a line for any number of lines. A block after "as `FILE`:"
// is that file.
func TestDocs(t *testing.T) {
	if testing.Short() {
		t.Skip("runs many searches")
	}
	pages := coretest.Must(filepath.Glob("../../docs/howto/*.md"))
	for _, page := range append(pages, "../../docs/guide.md", "../../README.md") {
		text := coretest.Must(os.ReadFile(page))
		t.Run(filepath.Base(page), func(t *testing.T) {
			t.Chdir(t.TempDir())
			for _, s := range examples(string(text)) {
				s.run(t)
			}
		})
	}
}

// A shown is a command with its output, or a file with its text, as a page shows it.
type shown struct {
	line int
	args []string
	file string
	want []string
}

var (
	fileBefore = regexp.MustCompile("as `([^`/]+)`:$")
	seconds    = regexp.MustCompile(`\d+\.\d s`)
)

// examples returns what a page shows.
func examples(page string) []shown {
	var list []shown
	var last *shown
	before := ""
	for i, line := range strings.Split(page, "\n") {
		body, indented := strings.CutPrefix(line, "    ")
		body = strings.TrimPrefix(body, "  ") // in a list
		switch {
		case indented && (strings.HasPrefix(body, "$ leeway ") || strings.HasPrefix(body, "$ bin/leeway ")):
			list = append(list, shown{line: i + 1, args: strings.Fields(body)[2:]})
			last = &list[len(list)-1]
		case indented && last != nil:
			last.want = append(last.want, strings.TrimSpace(line))
		case indented && fileBefore.MatchString(before):
			list = append(list, shown{line: i + 1, file: fileBefore.FindStringSubmatch(before)[1], want: []string{line[4:]}})
			last, before = nil, ""
		case indented && len(list) > 0 && list[len(list)-1].file != "" && before == "":
			list[len(list)-1].want = append(list[len(list)-1].want, line[4:])
		case line != "":
			before, last = line, nil
		case !indented:
			last = nil
		}
	}
	return list
}

func (s shown) run(t *testing.T) {
	if s.file != "" {
		coretest.Try(os.WriteFile(s.file, []byte(strings.Join(s.want, "\n")+"\n"), 0o666))
		return
	}
	var out, messages bytes.Buffer
	if status := execute(t.Context(), s.args, strings.NewReader(""), &out, &messages); status != 0 {
		t.Fatalf("line %d: status %d: %s", s.line, status, messages.String())
	}
	if len(s.want) == 0 {
		return
	}
	got := strings.TrimSpace(out.String())
	if pattern := s.pattern(); !regexp.MustCompile(pattern).MatchString(seconds.ReplaceAllString(got, "0.0 s")) {
		t.Errorf("line %d: leeway %s prints\n%s\nand not\n%s", s.line, strings.Join(s.args, " "), got,
			strings.Join(s.want, "\n"))
	}
}

// pattern returns the shown output as a regular expression.
func (s shown) pattern() string {
	var b strings.Builder
	b.WriteString(`^`)
	for _, line := range s.want {
		if line == "..." {
			b.WriteString(`(?:[^\n]*\n)*?`)
			continue
		}
		quoted := regexp.QuoteMeta(seconds.ReplaceAllString(line, "0.0 s"))
		fmt.Fprintf(&b, "[ ]*%s(?:\n|$)", strings.ReplaceAll(quoted, regexp.QuoteMeta("..."), "[^\n]*"))
	}
	if s.want[len(s.want)-1] == "..." {
		return b.String()
	}
	return b.String() + `$`
}

// TestDocsChart: the chart of the README is that of the atlas.
func TestDocsChart(t *testing.T) {
	file := filepath.Join(t.TempDir(), "chart.svg")
	status := execute(t.Context(), strings.Fields("draw frontier --torus 8x8 --routing udr:tie=both --out "+file),
		strings.NewReader(""), io.Discard, io.Discard)
	want, got := coretest.Must(os.ReadFile(file)), coretest.Must(os.ReadFile("../../docs/pictures/frontier-8x8.svg"))
	if status != 0 || !bytes.Equal(want, got) {
		t.Errorf("status %d, or docs/pictures/frontier-8x8.svg is out of date: make findings writes it", status)
	}
}

// TestDocsLinks sees that every relative link of the documentation leads to a file,
// and to a heading where it names one.
func TestDocsLinks(t *testing.T) {
	pages, _ := filepath.Glob("../../docs/*.md")
	more, _ := filepath.Glob("../../docs/*/*.md")
	top, _ := filepath.Glob("../../*.md")
	link := regexp.MustCompile(`\]\(([^)\s]+)\)`)
	for _, page := range append(append(pages, more...), top...) {
		text := coretest.Must(os.ReadFile(page))
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			name, heading, _ := strings.Cut(m[1], "#")
			target := page
			if name != "" {
				target = filepath.Join(filepath.Dir(page), name)
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: the link %s leads nowhere", page, m[1])
			} else if heading != "" && !hasHeading(target, heading) {
				t.Errorf("%s: %s has no such heading", page, m[1])
			}
		}
	}
}

// hasHeading reports whether a page has a heading with an anchor.
func hasHeading(page, anchor string) bool {
	text, _ := os.ReadFile(page)
	drop := regexp.MustCompile(`[^a-z0-9 _-]`)
	for _, line := range strings.Split(string(text), "\n") {
		if title, ok := strings.CutPrefix(line, "#"); ok {
			title = strings.ToLower(strings.TrimSpace(strings.TrimLeft(title, "#")))
			if strings.ReplaceAll(drop.ReplaceAllString(title, ""), " ", "-") == anchor {
				return true
			}
		}
	}
	return false
}
