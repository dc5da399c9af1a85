package web_test

import (
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"leeway/core"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/store"
	"leeway/results/web"
)

// hostile is the name of a method that a page must not take for its own text.
const hostile = `<script>alert("x")</script>`

// A claim is a record to be made: of a placement by name, with a load that may be wrong.
type claim struct {
	torus, routing, placement string
	load                      string // "" for the true one
	method                    string
	proved                    bool
}

// record makes the record of a claim; loads are those of the naive evaluator.
func record(t *testing.T, c claim) results.Record {
	t.Helper()
	torus, err := core.ParseTorus(c.torus)
	if err != nil {
		t.Fatal(err)
	}
	r, err := routing.Parse(torus, c.routing)
	if err != nil {
		t.Fatal(err)
	}
	p, err := family.Parse(torus, c.placement)
	if err != nil {
		t.Fatal(err)
	}
	load, _ := objective.Naive(r, p).Max()
	if c.load != "" {
		load, _ = new(big.Rat).SetString(c.load)
	}
	whole := results.Values{Routing: r, Placement: p, MaxLoad: load, FoundBy: results.FoundBy{Method: c.method,
		Seed: 3, Evaluations: 7},
		Provenance: results.Provenance{Version: "test", Started: "2026-01-02T03:04:05Z"}}
	if c.proved {
		whole.LowerBound, whole.BoundReason = load, "margin"
		whole.Proof = &results.Proof{Kind: results.ProofBound, Engine: "bound", Bound: "margin", Value: load.RatString()}
	}
	rec, err := results.New(whole)
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// claims are the cells of the test store.
var claims = []claim{
	{"8x8", "udr:tie=both", "spaced:t=2", "", "family", true},
	{"8x8", "udr:tie=both", "linear", "", hostile, false},
	{"8x8", "odr", "random:n=13:seed=2", "", "local", false},
	{"5x5", "odr", "linear", "", "family", false},
	{"3x3x3", "udr", "linear", "", "family", false},
	{"4x2", "minimal", "nodes:0,0+1,1+3,0", "", "family", false},
	{"6x6", "odr", "linear", "1/7", "family", false}, // wrong
}

// newStore makes a store with the claims.
func newStore(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "test.store")
	s, err := store.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range claims {
		r := record(t, c)
		if _, err := s.AddRecord(r); err != nil {
			t.Fatal(err)
		}
	}
	null := store.Null{Method: hostile, Seed: 9, Evaluations: 1000, Best: "4"}
	if err := s.AddNull(store.Problem{Torus: "8x8", Routing: "udr:tie=both", Size: 16}, null); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// newSite makes the site of the test store. Its splits are worked out to their end on a busy machine too.
func newSite(t *testing.T, o web.Options) *web.Site {
	t.Helper()
	o.SplitTime = time.Hour
	view, err := atlas.OpenStore(newStore(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { view.Close() })
	site, err := web.NewSite(view, o)
	if err != nil {
		t.Fatal(err)
	}
	return site
}

// answer is what a handler says.
type answer struct {
	code   int
	header http.Header
	body   string
}

// ask sends a request to a handler.
func ask(h http.Handler, method, target, body string, header ...string) answer {
	r := httptest.NewRequest(method, "http://localhost"+target, strings.NewReader(body))
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
		if header[i] == "Host" {
			r.Host = header[i+1]
		}
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	data, _ := io.ReadAll(w.Result().Body)
	return answer{w.Code, w.Result().Header, string(data)}
}

// pages are addresses of every kind of page, with words that must stand there.
var pages = map[string][]string{
	"/": {"<title>Leeway</title>", "16 processors on 8x8 under UDR",
		`href="8x8/udr-tie-both.html"`, "wrong records"},
	"/about.html": {"How to read"},
	"/audit.html": {"What is wrong",
		"leeway eval --torus 3x3 --placement linear --routing avoid", "seed004"},
	"/wrong.html":            {"recomputed it is 3", "6x6 odr:tie=plus n=6"},
	"/8x8.html":              {"Torus 8x8", `href="8x8/udr-tie-both/16.html"`},
	"/8x8/udr-tie-both.html": {"n = 16", "beaten", "E_max on 8x8 under udr:tie=both"},
	"/8x8/udr-tie-both/16.html": {"No placement of 16 has a smaller E_max", "multilinear:t=2, has 7",
		"57%", `href="../../8x8/udr-tie-both/16.json"`, "leeway eval --torus 8x8"},
	"/8x8/udr-tie-both/8.html":             {"The gap is", "&lt;script&gt;"},
	"/8x8/udr-tie-both/16.split.html":      {"proved from both sides", "527/105"},
	"/3x3x3/udr-tie-plus/9.html":           {"9 processors on 3x3x3"},
	"/4x2/minimal-tie-both/3.html":         {"3 processors on 4x2"},
	"/6x6/odr-tie-plus/6.html":             {"is not shown as a result", "recomputed it is 3"},
	"/8x8/editor.html":                     {"Editor", "application/json"},
	"/search.html?q=8x8+n%3D16":            {"1 cell.", `href="8x8/udr-tie-both/16.html"`},
	"/search.html?q=best+8x8+16+under+udr": {"1 cell."},
	"/search.html?q=wrong":                 {"1 cell.", "recomputed"},
	"/search.html":                         {"Search"},
}

func TestEveryPage(t *testing.T) {
	server := web.NewServer(newSite(t, web.Options{}), web.Access{Loopback: true})
	for address, words := range pages {
		a := ask(server, "GET", address, "")
		if a.code != 200 || !strings.HasPrefix(a.header.Get("Content-Type"), "text/html") {
			t.Errorf("%s: status %d, type %s", address, a.code, a.header.Get("Content-Type"))
			continue
		}
		for _, w := range words {
			if !strings.Contains(a.body, w) {
				t.Errorf("%s: %q is not there", address, w)
			}
		}
		if strings.Contains(a.body, hostile) {
			t.Errorf("%s: text of a record was not escaped", address)
		}
		if !strings.Contains(a.header.Get("Content-Security-Policy"), "default-src 'none'") {
			t.Errorf("%s: policy %q", address, a.header.Get("Content-Security-Policy"))
		}
		checkHTML(t, address, a.body)
	}
}

// TestWrongRecordShowsNoValue: a record with a wrong load is no result anywhere.
func TestWrongRecordShowsNoValue(t *testing.T) {
	server := web.NewServer(newSite(t, web.Options{}), web.Access{})
	for _, address := range []string{"/6x6.html", "/6x6/odr-tie-plus.html"} {
		if a := ask(server, "GET", address, ""); strings.Contains(a.body, ">1/7<") {
			t.Errorf("%s shows the wrong value", address)
		}
	}
	for _, address := range []string{"/6x6/odr-tie-plus/6.json", "/6x6/odr-tie-plus/6.svg", "/6x6/odr-tie-plus/6.png",
		"/6x6/odr-tie-plus/6.split.html"} {
		if a := ask(server, "GET", address, ""); a.code != 404 {
			t.Errorf("%s: status %d", address, a.code)
		}
	}
}

func TestFilesOfACell(t *testing.T) {
	server := web.NewServer(newSite(t, web.Options{}), web.Access{})
	rec := ask(server, "GET", "/8x8/udr-tie-both/16.json", "")
	got, err := results.ReadRecord([]byte(rec.body))
	if err != nil || got.MaxLoad != "4" || got.ClaimSHA256 != record(t, claims[0]).ClaimSHA256 {
		t.Errorf("record %v, %v", got, err)
	}
	for address, start := range map[string]string{"16.svg": "<svg", "16.png": "\x89PNG"} {
		a := ask(server, "GET", "/8x8/udr-tie-both/"+address, "")
		if a.code != 200 || !strings.HasPrefix(a.body, start) {
			t.Errorf("%s: status %d, %.20q", address, a.code, a.body)
		}
	}
	if a := ask(server, "GET", "/8x8/udr-tie-both.frontier.svg", ""); a.code != 200 || !strings.Contains(a.body,
		"best known at 16: 4") {
		t.Errorf("frontier: status %d", a.code)
	}
}

// TestCertificateInThreeClicks walks from the start page by links alone.
func TestCertificateInThreeClicks(t *testing.T) {
	server := web.NewServer(newSite(t, web.Options{}), web.Access{})
	for _, step := range []struct{ page, link string }{
		{"/", "8x8/udr-tie-both.html"},
		{"/8x8/udr-tie-both.html", "../8x8/udr-tie-both/16.html"},
		{"/8x8/udr-tie-both/16.html", "../../8x8/udr-tie-both/16.json"},
	} {
		if a := ask(server, "GET", step.page, ""); !strings.Contains(a.body, `href="`+step.link+`"`) {
			t.Errorf("%s has no link to %s", step.page, step.link)
		}
	}
}

// TestLinksLead follows every link of every page.
func TestLinksLead(t *testing.T) {
	server := web.NewServer(newSite(t, web.Options{}), web.Access{})
	for address := range pages {
		for _, link := range linksOf(t, address, ask(server, "GET", address, "").body) {
			if a := ask(server, "GET", link, ""); a.code != 200 {
				t.Errorf("%s: link to %s has status %d", address, link, a.code)
			}
		}
	}
}

func TestSlugsDoNotMeet(t *testing.T) {
	seen := map[string]string{}
	for i := range 40 {
		for _, text := range []string{"orders:01+10", "orders:0+1", "odr", "odr:tie=plus", hostile,
			strings.Repeat("9", i), fmt.Sprintf("udr:%d", i), "odr:order=1,0:tie=both"} {
			s := web.Slug(text)
			if other, ok := seen[s]; ok && other != text || strings.ContainsAny(s, "/.:<>\"'%?#& ") {
				t.Errorf("%q and %q have the address %q", text, other, s)
			}
			seen[s] = text
		}
	}
}
