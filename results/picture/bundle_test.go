package picture_test

import (
	"bytes"
	"encoding/xml"
	"strconv"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/results/picture"
)

// TestCompact: every link stands once, by number, in an element with its load, with the outline that it has in the
// full picture.
func TestCompact(t *testing.T) {
	cases := 60
	if testing.Short() {
		cases = 15
	}
	for i := range cases {
		in := coretest.Random(coretest.Rng(14, i), 40)
		p := ofInstance(in)
		torus := p.Placement.Torus()
		full := map[string]string{} // outlines by name of the link and load
		for _, l := range parse(t, p).all("link") {
			full[l.title()] = l.Data
		}
		p.Compact = true
		var b bytes.Buffer
		if err := picture.SVG(&b, p); err != nil {
			t.Fatal(err)
		}
		var root struct {
			Paths []struct {
				Links string `xml:"data-links,attr"`
				Data  string `xml:"d,attr"`
				Title string `xml:"title"`
			} `xml:"path"`
		}
		// Readers of XML make blanks of the ends of lines in attributes.
		if err := xml.Unmarshal(bytes.ReplaceAll(b.Bytes(), []byte("\nM"), []byte("|M")), &root); err != nil {
			t.Fatal(err)
		}
		for _, path := range root.Paths {
			if path.Links == "" {
				continue // of the key
			}
			links, lines := strings.Fields(path.Links), strings.Split(path.Data, "|")
			if len(links) != len(lines) {
				t.Fatalf("%v: %d links, %d lines", in, len(links), len(lines))
			}
			for j, text := range links {
				l, _ := strconv.Atoi(text)
				from, to := torus.LinkEnds(core.Link(l))
				name := node(torus.Dims(), from) + " -> " + node(torus.Dims(), to) + ": " + path.Title
				if p.Loads.Load(core.Link(l)).RatString() != path.Title || long(lines[j]) != full[name] {
					t.Fatalf("%v: link %s is drawn as %q, in full %q", in, name, lines[j], full[name])
				}
				delete(full, name)
			}
		}
		if len(full) > 0 {
			t.Fatalf("%v: not drawn: %v", in, full)
		}
	}
}

// long writes steps along an axis as any others.
func long(outline string) string {
	var b strings.Builder
	for rest := outline; rest != ""; {
		end := strings.IndexAny(rest[1:], "MlhvzZ") + 1
		if end == 0 {
			end = len(rest)
		}
		switch part := rest[:end]; part[0] {
		case 'h':
			b.WriteString("l" + part[1:] + " 0")
		case 'v':
			b.WriteString("l0 " + part[1:])
		default:
			b.WriteString(part)
		}
		rest = rest[end:]
	}
	return b.String()
}
