package web_test

import (
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/labels"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/compose"
	"leeway/results/store"
	"leeway/results/web"
	"leeway/search/searchtest"
)

// hostile is the name of a method that a page must not take for its own text.
const hostile = `<script>alert("x")</script>`

// A claim is a record to be made: of a placement by name, with a load that may be wrong. Its torus may be any network,
// with traffic and conditions.
type claim struct {
	torus, routing, placement string
	load                      string // "" for the true one
	method                    string
	proved                    bool
}

// record makes the record of a claim; loads are those of the naive evaluator.
func record(t *testing.T, c claim) results.Record {
	t.Helper()
	setting := coretest.Must(texts.ParseWhere(c.torus))
	torus := setting.Torus()
	r := coretest.Must(routing.Parse(torus, c.routing))
	p := coretest.Must(family.Parse(torus, c.placement))
	problem := coretest.Must(compose.SettingOf(setting).Apply(objective.Problem{Routing: r, Size: p.Size()}))
	load, _ := problem.Naive(p).Max()
	if c.load != "" {
		load, _ = new(big.Rat).SetString(c.load)
	}
	whole := compose.Values{Routing: r, Placement: p, Setting: compose.SettingOf(problem), MaxLoad: load,
		FoundBy:    results.FoundBy{Method: c.method, Seed: 1<<63 + 1, Evaluations: 7},
		Provenance: results.Provenance{Version: "test", Started: "2026-01-02T03:04:05Z"}}
	if c.proved {
		whole.LowerBound, whole.BoundReason = load, "margin"
		whole.Proof = &results.Proof{Kind: results.ProofBound, Engine: "closed form", Below: load.RatString()}
	}
	return coretest.Must(compose.New(whole))
}

// crowded is a network with conditions too long for an address in words.
const crowded = "6x6:forbidden=0,0+0,1+0,2+0,3+0,4+0,5+1,0+1,1+1,2+1,3+1,4+1,5+2,0+2,1+2,2+2,3+2,4+2,5" +
	"+3,0+3,1+3,2+3,3+3,4+3,5"

// claims are the cells of the test store.
var claims = []claim{
	{"8x8", "udr:tie=both", "spaced:t=2", "", "family", true},
	{"8x8", "udr:tie=both", "linear", "", hostile, false},
	{"8x8", "odr", "random:n=13:seed=2", "", "local", false},
	{"5x5", "odr", "linear", "", "family", false},
	{"3x3x3", "udr", "linear", "", "family", false},
	{"4x2", "minimal", "nodes:0,0+1,1+3,0", "", "family", false},
	{"6x6", "odr", "linear", "1/7", "family", false}, // wrong
	{"8x8:open=0,1", "udr", "spaced:t=2", "", "local", false},
	{"8x8:open=0,1", "udr", "linear", "", "local", false},
	{"8x8:open=1:bandwidth=1,2", "odr", "random:n=13:seed=2", "", "local", false},
	{"8x8:open=0,1:fixed=0,0:forbidden=3,3+7,7", "udr", "nodes:0,0+1,2+3,4+4,4+5,5+6,1+7,0+7,4", "", "local", false},
	{"3x3x4:open=2:bandwidth=1,2,3", "udr", "random:n=6:seed=1", "", "local", false},
	{"3x4:open=0,1", "minimal", "nodes:0,0+1,1+2,3", "", "local", false},
	{"3x5:twist=2", "udr", "nodes:0,0+1,1+2,3", "", "local", false},
	{"2x3x4:twist=0,1,0+0,0,2+0,0,0", "udr", "nodes:0,0,0+1,1,1+1,2,3", "", "local", false},
	{"8x8:open=0,1:traffic=clients:request=1:reply=4", "odr", "diamond", "", "local", false},
	{"8x8:open=0,1:traffic=clients:request=1:reply=4:reply-routing=odr:order=1,0:tie=plus", "odr", "diamond", "", "local",
		false},
	{"8x8:traffic=clients:request=1:reply=4:reply-routing=odr:order=1,0:tie=both", "odr:tie=both", "diamond", "", "local",
		false},
	{"8x8:open=0,1:traffic=clients:request=1:reply=1", "odr:order=1,0", "diamond", "", "local", false},
	{"4x5:traffic=clients:request=1:reply=1:fixed=0,0", "udr", "nodes:0,0+2,2", "", "local", false},
	{crowded, "odr:tie=both", "nodes:5,0+5,1", "", "local", false},
}

// newStore makes a store with the claims.
func newStore(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "test.store")
	s := coretest.Must(store.Open(path))
	for _, c := range claims {
		r := record(t, c)
		coretest.Must(s.AddRecord(r))
	}
	null := store.Null{Method: hostile, Seed: 9, Evaluations: 1000, Best: "4"}
	coretest.Try(s.AddNull(texts.Key{Torus: "8x8", Routing: "udr:tie=both", Size: 16}, null))
	coretest.Try(s.Close())
	return path
}

// newSite makes the site of a test store of its own.
func newSite(t *testing.T, o web.Options) *web.Site {
	t.Helper()
	return siteOf(t, newStore(t), o)
}

// siteOf makes the site of a store.
func siteOf(t *testing.T, path string, o web.Options) *web.Site {
	t.Helper()
	view := coretest.Must(atlas.OpenStore(path))
	t.Cleanup(func() { view.Close() })
	return coretest.Must(web.NewSite(view, o))
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

// Addresses of networks with client traffic.
const (
	cdr          = "-reply-routing-odr-order-1-0-tie-"
	clientsMesh  = "8x8-open-0-1-traffic-clients-request-1-reply-4"
	clientsTorus = "8x8-traffic-clients-request-1-reply-4"
)

// pages are addresses of every kind of page, with words that must stand there.
var pages = map[string][]string{
	"/": {"<title>Leeway</title>", "The same 16 processors, placed better", `href="editor.html"`,
		`href="8x8/udr-tie-both/16.html"`, "E_max 7", "1 wrong record</a>", `href="docs/findings.html"`},
	"/networks.html": {`href="8x8/udr-tie-both.html"`, "2 dimensions",
		`href="` + clientsMesh + `.html">mesh 8x8, clients 1:4</a>`},
	"/" + clientsMesh + ".html": {"clients", "4 messages", `href="8x8-open-0-1.html"`,
		`href="editor.html#torus=8x8&amp;traffic=clients:request=1:reply=4&amp;open=0,1"`,
		`href="` + clientsMesh + `/odr-tie-plus/16.html"`},
	"/" + clientsMesh + cdr + "plus/odr-tie-plus.html": {"with this traffic",
		`<a href="../` + clientsTorus + cdr + `both/odr-tie-both.html">8x8 under odr:tie=both</a>`, "mesh 8x8</th>"},
	"/" + clientsTorus + cdr + "both/odr-tie-both/16.html": {"16 controllers", "8x8, clients 1:4",
		`"Address":"` + clientsMesh + cdr + `plus/odr-tie-plus/16.html"`,
		`href="../../editor.html#torus=8x8&amp;routing=odr:tie=both&amp;traffic=clients:request=1:reply=4&amp;` +
			`reply-routing=odr:order=1,0:tie=both&amp;nodes=`},
	"/4x5-traffic-clients-request-1-reply-1-fixed-0-0/udr-tie-plus/2.html": {"2 controllers", "fixed nodes"},
	"/optima.html": {"No cell here has all its optimal placements"},
	"/docs/findings.html": {"<h1>Findings</h1>", `href="radius.html"`, `<th scope="col">the papers'</th>`,
		`href="#meshes-what-changes-without-wrap-around"`,
		`<a href="../8x8/udr-tie-both/16.html">16</a>`},
	"/docs/laws.html":     {"<strong>Theorem 1.</strong>", `id="residues"`, "<em>Proof.</em>"},
	"/docs/concepts.html": {`src="pictures/spaced-8x8.svg"`},
	"/about.html":         {"How to read"},
	"/docs/audit.html":    {"<h1>Audit of the papers</h1>", `href="#seed000-inequality-1"`, `id="seed000-inequality-1"`},
	"/wrong.html":         {"recomputed it is 3", "6x6 odr:tie=plus n=6"},
	"/8x8.html":           {"Torus 8x8", `href="8x8/udr-tie-both/16.html"`},
	"/8x8/udr-tie-both.html": {"n = 16", "beaten", `id="n16"`, `href="../8x8/udr-tie-both/16.html"`,
		`data-v="0 7/4"`, "Compared with other networks",
		`<a href="../8x8-open-0-1/udr-tie-plus.html">mesh 8x8</a>`, `data-plot="compared-table"`},
	"/8x8/udr-tie-both/16.html": {"No placement of 16 has a smaller E_max", "multilinear:t=2, has 7",
		"57%", `href="../../8x8/udr-tie-both/16.json"`, `"values":["0","4"]`,
		"however the processors are spread over rows and columns"},
	"/8x8/udr-tie-both/8.html":             {"The gap of", `\u003cscript`, `"Address":"8x8-open-0-1/udr-tie-plus/8.html"`},
	"/3x3x3/udr-tie-plus/9.html":           {"9 processors on 3x3x3"},
	"/4x2/minimal-tie-both/3.html":         {"3 processors on 4x2"},
	"/6x6/odr-tie-plus/6.html":             {"is not shown as a result", "recomputed it is 3"},
	"/editor.html":                         {"Editor", "application/json", `"3x3x3","3x3x4"`},
	"/search.html?q=8x8+n%3D16":            {"6 cells.", `href="8x8/udr-tie-both/16.html"`},
	"/search.html?q=best+8x8+16+under+udr": {"2 cells."},
	"/search.html?q=wrong":                 {"1 cell.", "recomputed"},
	"/docs/controllers.html":               {`src="pictures/controllers-mesh-diamond.svg"`, "O1TURN"},
	"/docs/best-lattices.html":             {"The best lattice", "The shapes of pods"},
	"/search.html":                         {"Search"},
	"/8x8-open-0-1.html": {"<h1>Mesh 8x8</h1>", "64 nodes, 224 links", `href="editor.html#torus=8x8&amp;open=0,1"`,
		`<a href="8x8.html">8x8</a>`, "mesh 8x8, fixed 0,0, forbidden 3,3&#43;7,7</a>"},
	"/8x8-open-0-1/udr-tie-plus.html": {"mesh 8x8 <span", "Compared with other networks",
		`href="../8x8/udr-tie-both/16.html"`, "8x8 under udr:tie=both"},
	"/8x8-open-0-1/udr-tie-plus/8.html": {"8 processors on mesh 8x8",
		`href="../../editor.html#torus=8x8&amp;routing=udr:tie=plus&amp;open=0,1&amp;nodes=0,0&#43;`,
		`"network":"8x8:open=0,1"`,
		"mesh 8x8, fixed 0,0, forbidden 3,3+7,7", `"8x8/udr-tie-both/8.html"`},
	"/8x8-open-0-1-fixed-0-0-forbidden-3-3-7-7.html": {"Mesh 8x8", "forbidden nodes", "3,3&#43;7,7"},
	"/8x8-open-0-1-fixed-0-0-forbidden-3-3-7-7/udr-tie-plus/8.html": {`"fixed":"0,0","forbidden":"3,3+7,7"`,
		"fixed nodes", "The best placement known with these fixed and forbidden nodes has"},
	"/8x8-open-1-bandwidth-1-2/odr-tie-plus/13.html": {`"network":"8x8:open=1:bandwidth=1,2"`,
		"13 processors on 8x8:open=1:bandwidth=1,2"},
	"/3x3x4-open-2-bandwidth-1-2-3/udr-tie-plus/6.html": {"6 processors on 3x3x4:open=2:bandwidth=1,2,3"},
	"/3x5-twist-2/udr-tie-plus/3.html": {"3 processors on 3x5:twist=2", `"network":"3x5:twist=2"`,
		`editor.html#torus=3x5&amp;routing=udr:tie=plus&amp;twist=2&amp;nodes=0,0&#43;`},
	"/search.html?q=mesh+8x8+16":                  {"4 cells.", `href="8x8-open-0-1/udr-tie-plus/16.html"`},
	"/search.html?q=mesh":                         {"9 cells."},
	"/search.html?q=8x8:bandwidth%3D1,2:open%3D1": {"1 cell.", "8x8-open-1-bandwidth-1-2/odr-tie-plus/13.html"},
	"/search.html?q=forbidden%3D3,3":              {"2 cells."},
	"/search.html?q=8x8+opne+9x9": {"0 cells.", `No cell has the word "opne".`,
		`the word "9x9"`},
}

// TestEveryPage follows every link of every page, too.
func TestEveryPage(t *testing.T) {
	coretest.Alone(t)
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
		if strings.Contains(address, "traffic-clients") && strings.Contains(a.body, "papers' placement") {
			t.Errorf("%s: the papers have no placement for it", address)
		}
		checkHTML(t, address, a.body)
		for _, link := range linksOf(t, address, a.body) {
			if a := ask(server, "GET", link, ""); a.code != 200 {
				t.Errorf("%s: link to %s has status %d", address, link, a.code)
			}
		}
	}
	for _, where := range []string{"8x8:open=0,1:traffic=clients:request=1:reply=4",
		"8x8:traffic=clients:request=1:reply=4:reply-routing=odr:order=1,0:tie=both"} {
		if a := ask(server, "GET", "/8x8/known.js", ""); !strings.Contains(a.body, `"`+where+`":{`) {
			t.Errorf("the editor does not know the cells of %s", where)
		}
	}
}

// TestWrongRecordShowsNoValue: a record with a wrong load is not a result anywhere.
func TestWrongRecordShowsNoValue(t *testing.T) {
	server := web.NewServer(newSite(t, web.Options{}), web.Access{})
	for _, address := range []string{"/6x6.html", "/6x6/odr-tie-plus.html"} {
		if a := ask(server, "GET", address, ""); strings.Contains(a.body, ">1/7<") {
			t.Errorf("%s shows the wrong value", address)
		}
	}
	for _, address := range []string{"/6x6/odr-tie-plus/6.json", "/6x6/odr-tie-plus/6.svg", "/6x6/odr-tie-plus/6.png"} {
		if a := ask(server, "GET", address, ""); a.code != 404 {
			t.Errorf("%s: status %d", address, a.code)
		}
	}
}

func TestFilesOfACell(t *testing.T) {
	coretest.Alone(t)
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

func TestSlugsDoNotMeet(t *testing.T) {
	seen := map[string]string{}
	for i := range 40 {
		for _, text := range []string{"orders:01+10", "orders:0+1", "odr", "odr:tie=plus", hostile,
			strings.Repeat("9", i), fmt.Sprintf("udr:%d", i), "odr:order=1,0:tie=both"} {
			s := labels.Slug(text)
			if other, ok := seen[s]; ok && other != text || strings.ContainsAny(s, "/.:<>\"'%?#& ") {
				t.Errorf("%q and %q have the address %q", text, other, s)
			}
			seen[s] = text
		}
	}
}

// TestPlacesDoNotMeet: networks with different texts have different addresses, which are names of files and relative
// links wherever they stand.
func TestPlacesDoNotMeet(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 0))
	seen, hashed := map[string]string{}, 0
	add := func(where string) {
		at := labels.Place(where)
		if other, ok := seen[at]; ok && other != where {
			t.Errorf("%q and %q have the address %q", where, other, at)
		}
		if strings.ContainsAny(at, "/.:<>\"'%?#&=,+ ") || len(at) > 130 {
			t.Errorf("%q has the address %q", where, at)
		}
		seen[at] = where
		if !strings.Contains(at, "-f") && strings.Contains(where, ":f") {
			hashed++
		}
	}
	for range 3000 {
		on := coretest.AnyNetwork(rng, 40)
		p := objective.Problem{Routing: routing.NewUDR(on, routing.TieBoth)}
		nodes := rng.Perm(on.N())
		fixed, forbidden := rng.IntN(min(4, on.N())), rng.IntN(on.N())
		fixed = min(fixed, on.N()-forbidden)
		p.Limit = &objective.Limit{}
		p = coretest.Must(p.WithNodes(nodes[:fixed], nodes[fixed:fixed+forbidden]))
		add(on.String())
		add(p.Where())
	}
	for _, more := range []string{"traffic=clients:request=1:reply=1", "traffic=clients:request=2:reply=1", hostile,
		"traffic=clients:request=1:reply=1:reply-routing=udr:tie=both",
		"traffic=clients:request=1:reply=1:reply-routing=orders:01+10:tie=both",
		"traffic=clients:request=1:reply=1:reply-routing=orders:0110:tie=both",
		"traffic=clients:request=1:reply=1:reply-routing=odr:order=1,0:tie=both",
		"traffic=clients:request=1:reply=1:reply-routing=odr:order=1,0:tie=both:fixed=0,0"} {
		add("8x8:" + more)
	}
	if hashed == 0 || hashed > len(seen)/2 {
		t.Errorf("%d of %d networks have a hash in their address", hashed, len(seen))
	}
}

// A shownCell is what the script of a page reads of a cell.
type shownCell struct {
	Size    int
	Record  string
	Picture struct {
		Values []string
		Loads  string
	}
	Optima   []struct{ Number, Orbit int }
	Verified *struct{ Formula string }
	Others   []struct{ Address string }
	Bounds   []struct{ Basis string }
}

// shownCells returns the cells in a page of a server, or in the file of a routing.
func shownCells(t *testing.T, text string) []shownCell {
	t.Helper()
	_, data, ok := strings.Cut(text, `id="cells">`)
	if !ok {
		data, ok = strings.CutPrefix(text, "var Cells = ")
	}
	var all struct{ Cells []shownCell }
	if err := json.NewDecoder(strings.NewReader(data)).Decode(&all); err != nil || !ok || len(all.Cells) == 0 {
		t.Fatalf("%d cells, error %v: %.200s", len(all.Cells), err, text)
	}
	return all.Cells
}

// TestClientTraffic: searches find cells of client traffic.
func TestClientTraffic(t *testing.T) {
	server := web.NewServer(newSite(t, web.Options{}), web.Access{})
	for query, count := range map[string]string{
		"clients": "5 cells.", "reply%3D4": "3 cells.", "clients:request%3D1:reply%3D1": "2 cells.",
		"mesh+clients": "3 cells.", "mesh+8x8+clients": "3 cells.", "8x8+clients": "4 cells.",
		"8x8+reply%3D4+16": "3 cells.", "8x8+request%3D2": "0 cells.", "8x8:traffic%3Dclients:reply%3D4": "3 cells.",
		"mesh+8x8:traffic%3Dclients:reply%3D4": "2 cells.", "8x8": "11 cells.", "torus+8x8": "4 cells.",
		"torus+8x8:traffic%3Dclients:reply%3D4:reply-routing%3Dodr:order%3D1,0:tie%3Dboth": "1 cell.",
	} {
		if a := ask(server, "GET", "/search.html?q="+query, ""); !strings.Contains(a.body, `<p id="count">`+count) {
			t.Errorf("%s: not %s", query, count)
		}
	}
}

// TestLoadsOfPages: the loads on the pages of cells are those of the naive evaluator.
func TestLoadsOfPages(t *testing.T) {
	server := web.NewServer(newSite(t, web.Options{}), web.Access{})
	for _, c := range claims {
		rec := record(t, c)
		p := coretest.Must(compose.ProblemOf(rec))
		s := coretest.Must(core.PlacementFromCoords(p.Torus(), rec.Nodes))
		if c.load != "" { // it is wrong
			continue
		}
		page := fmt.Sprintf("/%s/%s/%d.html", labels.Place(c.torus), labels.Slug(rec.Routing), rec.Size)
		body := ask(server, "GET", page, "").body
		cells := shownCells(t, body)
		drawn := cells[slices.IndexFunc(cells, func(one shownCell) bool { return one.Size == rec.Size })].Picture
		loads := p.Naive(s)
		for l, mark := range []rune(drawn.Loads) {
			value := int(mark-'?') - 1
			if has := p.Torus().HasLink(core.Link(l)); has != (value >= 0) ||
				has && drawn.Values[value] != loads.Load(core.Link(l)).RatString() {
				t.Fatalf("%s: link %d has value %d of %q", page, l, value, drawn.Values)
			}
		}
		if len([]rune(drawn.Loads)) != p.Torus().M() {
			t.Errorf("%s: loads of %d links", page, len(drawn.Loads))
		}
	}
}

// TestOptima: the page of a cell shows each optimum that its record lists, with its nodes and the size of its orbit,
// and the gallery leads there. Together they stand for all placements with the smallest E_max, counted here.
func TestOptima(t *testing.T) {
	coretest.Alone(t)
	view := coretest.Must(atlas.Shipped())
	server := web.NewServer(coretest.Must(web.NewSite(view, web.Options{})), web.Access{})
	const at, size = "4x4/udr-tie-plus/5", 5
	d, ok, err := view.Detail(texts.Key{Torus: "4x4", Routing: "udr:tie=plus", Size: size})
	if err != nil || !ok || d.Record.Optima == nil || len(*d.Record.Optima) < 2 {
		t.Fatalf("no optima of %s: %v", at, err)
	}
	cell := shownCells(t, ask(server, "GET", "/"+at+".html", "").body)[0]
	sum, seen := 0, map[int]bool{}
	for _, o := range cell.Optima {
		sum += o.Orbit
		seen[o.Number] = true
	}
	if len(seen) != len(*d.Record.Optima) || !seen[1] || !seen[len(seen)] {
		t.Fatalf("the optima %v are shown of %d", cell.Optima, len(*d.Record.Optima))
	}
	for i, nodes := range *d.Record.Optima {
		label := labels.Orbit("4x4.udr-tie-plus.5", nodes)
		page := ask(server, "GET", "/c/"+label, "").body
		if to := fmt.Sprintf(`href="../%s.html#optimum-%d"`, at, i+1); !strings.Contains(page, to) {
			t.Errorf("the label %s leads to %s, not %s", label, page, to)
		}
	}
	if all, _ := searchtest.Best(searchtest.Problem("4x4", "udr:tie=plus", size)); sum != len(all) {
		t.Errorf("the optima stand for %d placements, there are %d", sum, len(all))
	}
	if !strings.Contains(ask(server, "GET", "/4x4/optima.html", "").body, `.html#optimum-`) {
		t.Error("the gallery leads to none of the optima")
	}
}

// TestVerifiedMark: the pages of cells say that they are verified, with the hash, exactly where the table says so.
func TestVerifiedMark(t *testing.T) {
	view := coretest.Must(atlas.Shipped())
	table := coretest.Must(atlas.ShippedVerified())
	server := web.NewServer(coretest.Must(web.NewSite(view, web.Options{})), web.Access{})
	marked, plain := 0, 0
	cells, _ := view.Cells(atlas.Filter{})
	for i := 0; i < len(cells); i += 97 {
		c := cells[i]
		known, ok := table.ValueOf(c)
		if c.Network != "" || c.Traffic != "" || c.Near != (objective.Near{}) {
			continue
		}
		slug := strings.NewReplacer(":", "-", "=", "-").Replace(c.Routing)
		a := ask(server, "GET", fmt.Sprintf("/%s/%s/%d.html", c.Where(), slug, c.Size), "")
		v := shownCells(t, a.body)[0].Verified
		if (v != nil) != ok || ok && v.Formula != known.Formula {
			t.Errorf("%s: status %d, verified %v", c.Key(), a.code, ok)
		}
		if ok {
			marked++
		} else {
			plain++
		}
	}
	if marked == 0 || plain == 0 {
		t.Errorf("%d pages with the mark, %d without", marked, plain)
	}
}

// TestSiteIsSmall: the static site of the atlas of the program has at most 40 MB, without the engine of the editor,
// which TestInBrowser keeps to 5 MB.
func TestSiteIsSmall(t *testing.T) {
	coretest.Alone(t)
	if testing.Short() {
		t.Skip("makes all pages")
	}
	site := coretest.Must(web.NewSite(coretest.Must(atlas.Shipped()), web.Options{Static: true}))
	if bytes := site.Bytes(t); bytes > 40_000_000 {
		t.Errorf("%d bytes", bytes)
	} else {
		t.Logf("%d bytes", bytes)
	}
}
