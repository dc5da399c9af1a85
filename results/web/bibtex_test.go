package web_test

import (
	"fmt"
	"html"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"leeway/core/coretest"
	"leeway/results/atlas"
	"leeway/results/web"
)

// A bibEntry is an entry of a BibTeX file.
type bibEntry struct {
	kind, key string
	fields    map[string]string
}

// parseBibTeX reads one entry, more strictly than BibTeX does: values in braces that match, no field twice, and outside
// of escapes none of the characters by which TeX would stop.
func parseBibTeX(text string) (e bibEntry, err error) {
	head := regexp.MustCompile(`^@(\w+)\{([^\s,{}"#%=\\~]+),\n`).FindStringSubmatch(text)
	if head == nil || !strings.HasSuffix(text, "\n}") {
		return e, fmt.Errorf("no entry: %q", text)
	}
	e = bibEntry{head[1], head[2], map[string]string{}}
	for rest := text[len(head[0]) : len(text)-1]; rest != ""; {
		name := regexp.MustCompile(`^  ([a-z]+) = \{`).FindStringSubmatch(rest)
		if name == nil || e.fields[name[1]] != "" {
			return e, fmt.Errorf("no field, or one twice: %q", rest)
		}
		rest = rest[len(name[0]):]
		depth, end := 1, 0
		for ; depth > 0 && end < len(rest); end++ {
			switch c := rest[end]; {
			case c == '\\' && end+1 < len(rest) && strings.IndexByte(`_%#$&`, rest[end+1]) >= 0:
				end++
			case c == '{':
				depth++
			case c == '}':
				depth--
			case strings.IndexByte(`\%#$&_~^`+"\n", c) >= 0:
				return e, fmt.Errorf("%s has a bare %q", name[1], c)
			}
		}
		if depth > 0 {
			return e, fmt.Errorf("%s does not end", name[1])
		}
		e.fields[name[1]] = rest[:end-1]
		rest = rest[end:]
		if rest, _ = strings.CutPrefix(rest, ","); !strings.HasPrefix(rest, "\n") {
			return e, fmt.Errorf("after %s there is %q", name[1], rest)
		}
		rest = rest[1:]
	}
	for _, field := range []string{"title", "author", "year"} {
		if e.fields[field] == "" {
			return e, fmt.Errorf("no %s", field)
		}
	}
	if !regexp.MustCompile(`^20\d\d$`).MatchString(e.fields["year"]) {
		return e, fmt.Errorf("year %q", e.fields["year"])
	}
	return e, nil
}

// TestBibTeX: the program and the tables of an atlas are cited by entries that a strict parser reads, each table by its
// label; CITATION.cff says the same of the program. Entries of cells are made in the browser: see citesCells.
func TestBibTeX(t *testing.T) {
	server := web.NewServer(coretest.Must(web.NewSite(coretest.Must(atlas.ShippedOf(16)), web.Options{})), web.Access{})
	entry := regexp.MustCompile(`(?s)<pre><code>(@.*?)</code></pre>`)
	cited := func(address string) bibEntry {
		t.Helper()
		m := entry.FindStringSubmatch(ask(server, "GET", address, "").body)
		if m == nil {
			t.Fatalf("%s cites nothing", address)
		}
		e, err := parseBibTeX(html.UnescapeString(m[1]))
		if err != nil {
			t.Errorf("%s: %v", address, err)
		}
		return e
	}
	for _, table := range []string{"4x4", "4x4-radius-1", "4x4/udr-tie-both", "4x4-open-0-1/odr-tie-plus",
		"4x4-twist-2/minimal-tie-both"} {
		if e := cited("/" + table + ".html"); e.kind != "misc" || e.key != "leeway:"+strings.ReplaceAll(table, "/", ".") {
			t.Errorf("%s is cited as %s %s", table, e.kind, e.key)
		}
	}
	program, cff := cited("/about.html"), string(coretest.Must(os.ReadFile("../../CITATION.cff")))
	for _, line := range []string{`title: "` + program.fields["title"] + `"`, "type: " + program.kind,
		"version: " + program.fields["version"], "license: " + program.fields["license"],
		"name: " + strings.Trim(program.fields["author"], "{}")} {
		if !strings.Contains(cff, line+"\n") {
			t.Errorf("CITATION.cff has no %q", line)
		}
	}
	for _, wrong := range []string{"", "@misc{a b,\n  title = {x}\n}", "@misc{a,\n  title = {x\n}",
		"@misc{a,\n  title = {x_y},\n  author = {a},\n  year = {2026}\n}", "@misc{a,\n  author = {a},\n  year = {2026}\n}",
		"@misc{a,\n  title = {x},\n  title = {y},\n  author = {a},\n  year = {2026}\n}"} {
		if _, err := parseBibTeX(wrong); err == nil {
			t.Errorf("%q is read", wrong)
		}
	}
}

// citesCells: the pages of cells have an entry with their label.
func citesCells(b *browser, base string) {
	for _, cell := range []string{"8x8/udr-tie-both/16", "8x8-open-0-1/udr-tie-plus/8", "3x5-twist-2/udr-tie-plus/3"} {
		b.do(chromedp.Navigate(base + "/" + cell + ".html"))
		text := eval[string](b, `[...document.querySelectorAll("pre")].
			find((p) => p.textContent.startsWith("@")).textContent`)
		e, err := parseBibTeX(text)
		if err != nil || e.key != "leeway:"+strings.ReplaceAll(cell, "/", ".") {
			b.t.Errorf("%s is cited as %q: %v", cell, text, err)
		}
	}
}
