package web_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"leeway/core/coretest"
	"leeway/core/labels"
	"leeway/results/atlas"
	"leeway/results/web"
)

// searches are what a person may type, with what is to be found in the atlas of the program. Words that no cell has are
// missing.
var searches = []struct {
	query   string
	finds   func(atlas.Cell) bool
	missing []string
}{
	{"open", isOpen, nil},
	{"10x10 open", func(c atlas.Cell) bool { return hasSides(c, "10x10") && isOpen(c) }, nil},
	{"proved 8x8", func(c atlas.Cell) bool { return hasSides(c, "8x8") && c.Status == atlas.Optimal }, nil},
	{"8x8 Optimal", func(c atlas.Cell) bool { return hasSides(c, "8x8") && c.Status == atlas.Optimal }, nil},
	{"feasible", isOpen, nil},
	{"beaten", atlas.Cell.Beats, nil},
	{"mesh open", func(c atlas.Cell) bool { return strings.Contains(c.Network, "open=") && isOpen(c) }, nil},
	{"torus 8x8", func(c atlas.Cell) bool { return hasSides(c, "8x8") && c.Network == "" }, nil},
	{"8×8:open=0,1 n=16", func(c atlas.Cell) bool { return c.Network == "8x8:open=0,1" && c.Size == 16 }, nil},
	{"4^3", func(c atlas.Cell) bool { return hasSides(c, "4x4x4") }, nil},
	{"4X4X8 twisted", func(c atlas.Cell) bool {
		return hasSides(c, "4x4x8") &&
			strings.Contains(c.Network, "twist")
	}, nil},
	{"twist=4", func(c atlas.Cell) bool { return strings.HasSuffix(c.Network, ":twist=4") }, nil},
	{"best 16 processors on 8x8 under UDR", func(c atlas.Cell) bool {
		return hasSides(c, "8x8") && c.Size == 16 && strings.HasPrefix(c.Routing, "udr:")
	}, nil},
	{"8x8 odr:tie=both all", func(c atlas.Cell) bool {
		return hasSides(c, "8x8") && (c.Routing == "odr:tie=both" || c.Twin == "odr:tie=both") && c.Traffic == ""
	}, nil},
	{"minimal both 6", func(c atlas.Cell) bool {
		return (c.Routing == "minimal:tie=both" || c.Twin == "minimal:tie=both") && c.Size == 6
	}, nil},
	{"clients request=1 reply=4", func(c atlas.Cell) bool { return c.Traffic == "clients:request=1:reply=4" }, nil},
	{"E_max=7/2", func(c atlas.Cell) bool { return c.MaxLoad == "7/2" }, nil},
	{"E_max=3.5 monotone", func(c atlas.Cell) bool {
		return c.MaxLoad == "7/2" && c.Proof != nil && c.Proof.Kind == "monotone"
	}, nil},
	{"steps orderly orbit", func(c atlas.Cell) bool {
		return c.Method == "orbit" && c.Proof != nil && c.Proof.Kind == "steps" && c.Proof.Engine == "orderly"
	}, nil},
	{"stabiliser=16 lattice=yes", func(c atlas.Cell) bool {
		return c.Invariants.Stabiliser == 16 && c.Invariants.Lattice
	}, nil},
	{"n=30.. orbits=2..3 packing=..2", func(c atlas.Cell) bool {
		i := c.Invariants
		return c.Size >= 30 && (i.Orbits == 2 || i.Orbits == 3) && i.Packing > 0 && i.Packing <= 2
	}, nil},
	{"8x8 n=7000..8000", nothing, []string{"n=7000..8000"}},
	{"8x8 n=..", nothing, []string{"n=.."}},
	{"8x8 n=3..x", nothing, []string{"n=3..x"}},
	{"neigh", func(c atlas.Cell) bool { return c.Method == "neighbour" }, nil},
	{"8x8 opne", nothing, []string{"opne"}},
	{"9x9x9 16 __proto__", nothing, []string{"9x9x9", "__proto__"}},
	{"8x8 n=65", nothing, []string{"n=65"}},
	{"8x8 10x10", nothing, nil},
}

func hasSides(c atlas.Cell, sides string) bool {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(c.Torus), "[]"), " ", "x") == sides
}

func isOpen(c atlas.Cell) bool { return c.Status == atlas.Feasible || c.Status == atlas.Bounded }

func nothing(atlas.Cell) bool { return false }

// wanted returns the addresses of the cells that a search is to find.
func wanted(finds func(atlas.Cell) bool) (list []string) {
	cells, _ := coretest.Must(atlas.Shipped()).Cells(atlas.Filter{})
	for _, c := range cells {
		if finds(c) {
			list = append(list, fmt.Sprintf("%s/%s/%d", labels.Place(c.Where()), labels.Slug(c.Routing), c.Size))
		}
	}
	return list
}

// TestWordsFind: the server finds what is to be found; in a browser and on the command line, see wordsFind.
func TestWordsFind(t *testing.T) {
	coretest.Alone(t)
	server := web.NewServer(coretest.Must(web.NewSite(coretest.Must(atlas.Shipped()), web.Options{})), web.Access{})
	for _, s := range searches {
		page := ask(server, "GET", "/search.html?q="+url.QueryEscape(s.query), "").body
		want := wanted(s.finds)
		if (len(want) == 0) != (s.query == "8x8 10x10" || s.missing != nil) {
			t.Errorf("%q: %d cells are to be found", s.query, len(want))
		}
		if !strings.Contains(page, `<p id="count">`+counted(len(want))) {
			t.Errorf("%q: not %s: %.200s", s.query, counted(len(want)), page[strings.Index(page, "</form>"):])
		}
		for i, at := range want[:min(len(want), 200)] {
			if !strings.Contains(page, `href="`+at+`.html"`) {
				t.Errorf("%q: %s, cell %d, is not there", s.query, at, i)
				break
			}
		}
		if n := strings.Count(page, "No cell has the word"); n != len(s.missing) {
			t.Errorf("%q: %d words are missing", s.query, n)
		}
		for _, word := range s.missing {
			if !strings.Contains(page, `No cell has the word "`+word+`"`) {
				t.Errorf("%q: nothing about %q", s.query, word)
			}
		}
	}
}

// counted returns how a page begins to say how many cells there are.
func counted(n int) string {
	switch {
	case n == 1:
		return "1 cell."
	case n > 200:
		return fmt.Sprintf("%d cells, the first 200 of them.", n)
	}
	return fmt.Sprintf("%d cells.", n)
}

// buildProgram returns the path of the program, built from this tree.
func buildProgram(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "leeway")
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", path, "leeway/cmd/leeway")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return path
}

// wordsFind: the script of a static site and the command line find what the server finds.
func wordsFind(b *browser, program string) {
	folder := b.t.TempDir()
	site := coretest.Must(web.NewSite(coretest.Must(atlas.Shipped()), web.Options{Static: true}))
	coretest.Must(site.ExportSome(b.t.Context(), folder, "search.html", "assets/search.js", "assets/site.css",
		"assets/mark.svg"))
	for i, s := range searches {
		want := wanted(s.finds)
		b.do(chromedp.Navigate("file://" + folder + "/search.html?q=" + url.QueryEscape(s.query)))
		if got := eval[string](b, `document.getElementById("count").textContent`); got != counted(len(want)) {
			b.t.Errorf("%q: the site says %q, want %q", s.query, got, counted(len(want)))
		}
		got := eval[[]string](b, `[...document.querySelectorAll("#found table a")].map((a) => a.getAttribute("href"))`)
		var pages []string
		for _, at := range want[:min(len(want), 200)] {
			pages = append(pages, at+".html")
		}
		if !slices.Equal(got, pages) {
			b.t.Errorf("%q: the site has %.300q, want %.300q", s.query, got, pages)
		}
		missing := eval[[]string](b, `[...document.querySelectorAll("#found .problem")].map((p) => p.textContent)`)
		var complaints []string
		for _, word := range s.missing {
			complaints = append(complaints, fmt.Sprintf("No cell has the word %q.", word))
		}
		if !slices.Equal(missing, complaints) {
			b.t.Errorf("%q: the site says %q, want %q", s.query, missing, complaints)
		}

		if i > 2 && s.missing == nil { // it reads words as the server does, see TestWordsFind
			continue
		}
		command := exec.Command(program, append([]string{"atlas", "--json"}, strings.Fields(s.query)...)...)
		var messages strings.Builder
		command.Stderr = &messages
		out, err := command.Output()
		if s.missing != nil {
			if command.ProcessState.ExitCode() != 2 || !strings.Contains(messages.String(), "no cell has the word") {
				b.t.Errorf("%q: the program ends with %v and says %s", s.query, err, messages.String())
			}
			continue
		}
		var list struct{ Items []atlas.Cell }
		if err == nil {
			err = json.Unmarshal(out, &list)
		}
		var cells []string
		for _, c := range list.Items {
			cells = append(cells, fmt.Sprintf("%s/%s/%d", labels.Place(c.Where()), labels.Slug(c.Routing), c.Size))
		}
		if err != nil || !slices.Equal(cells, want) {
			b.t.Errorf("%q: the program has %.300q, want %.300q, error %v", s.query, cells, want, err)
		}
	}
}
