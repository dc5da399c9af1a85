package web_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"leeway/core/coretest"
	"leeway/core/labels"
	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/layout"
	"leeway/results/resultstest"
	"leeway/results/store"
	"leeway/results/web"
)

// TestBadRequests: nothing outside of the site is reached, nothing but reading is done, and every refusal says why.
func TestBadRequests(t *testing.T) {
	server := web.NewServer(newSite(t, web.Options{}), web.Access{Loopback: true})
	list := []struct {
		method, target string
		header         []string
		code           int
	}{
		{"GET", "/nothing.html", nil, 404},
		{"GET", "/9x9.html", nil, 404},
		{"GET", "/9x9/odr.html", nil, 404},
		{"GET", "/8x8/nothing.html", nil, 404},
		{"GET", "/8x8/udr-tie-both/15.html", nil, 404},
		{"GET", "/8x8/udr-tie-both/016.html", nil, 404},
		{"GET", "/8x8/udr-tie-both/+16.html", nil, 404},
		{"GET", "/8x8/udr-tie-both/-1.html", nil, 404},
		{"GET", "/8x8/udr-tie-both/99999999999999999999.html", nil, 404},
		{"GET", "/8x8/udr-tie-both/16.exe", nil, 404},
		{"GET", "/8x8/udr-tie-both/16/17/18.html", nil, 404},
		{"GET", "/8x8/udr-tie-both.p1.html", nil, 404},
		{"GET", "/8x8/udr-tie-both.p2.html", nil, 404},
		{"GET", "/8x8/udr-tie-both.js", nil, 404}, // which a static site has
		{"GET", "/editor.html?torus=3x3x3", nil, 200},
		{"GET", "/3x3x3/known.js", nil, 200},
		{"GET", "/9x9/known.js", nil, 404},
		{"GET", "/assets/engine.js", nil, 200},
		{"GET", "/8x8/editor.html", nil, 404},
		{"GET", "/8x8-open-0-1/udr-tie-plus/15.html", nil, 404},
		{"GET", "/8x8-open-1-0.html", nil, 404},
		{"GET", "/8x8-open-0.html", nil, 404},
		{"GET", "/8x8:open=0,1.html", nil, 303}, // as on the command line
		{"GET", "/8x8:open=1,0/udr-tie-plus/16.html", nil, 303},
		{"GET", "/8x8:open=0.html", nil, 303},
		{"GET", "/8x8:open=7.html", nil, 400},
		{"GET", "/8x8:open=0,0/udr-tie-plus/16.html", nil, 400},
		{"GET", "/8x8:bandwidth=0,1.html", nil, 400},
		{"GET", "/8x8:bandwidth=4096,4095.html", nil, 400},
		{"GET", "/8x8:twist=4.html", nil, 303},
		{"GET", "/8x8:twist=x.html", nil, 400},
		{"GET", "/8x8:fixed=0,0:forbidden=0,0.html", nil, 400},
		{"GET", "/8x8:fixed=8,0.html", nil, 400},
		{"GET", "/8x8:fixed=%3Cscript%3E.html", nil, 400},
		{"GET", "/8x8:traffic=none.html", nil, 400},
		{"GET", "/8x8:traffic=clients:reply=4.html", nil, 303},
		{"GET", "/" + clientsMesh + "/odr-tie-plus/16.json", nil, 200},
		{"GET", "/" + clientsMesh + "/odr-tie-plus/16.svg", nil, 200},
		{"GET", "/" + clientsMesh + "/odr-tie-plus.frontier.svg", nil, 200},
		{"GET", "/65535x65535:open=0.html", nil, 400},
		{"GET", "/:.html", nil, 400},
		{"GET", "/8x8:forbidden=" + strings.Repeat("0,0+", 600), nil, 414},
		{"GET", "/assets/../site.go", nil, 307},
		{"GET", "/assets/..%2f..%2fsite.go", nil, 404},
		{"GET", "/..%5c..%5cetc", nil, 404},
		{"GET", "/assets/nothing.css", nil, 404},
		{"GET", "/pages/cell.html", nil, 404},
		{"GET", "/search.html?q=" + strings.Repeat("x", 300), nil, 414},
		{"GET", "/search.html?q=" + strings.Repeat("x", 3000), nil, 414},
		{"POST", "/", nil, 405},
		{"DELETE", "/8x8.html", nil, 405},
		{"PUT", "/records", nil, 405},
		{"POST", "/records", nil, 403},
		{"GET", "/", []string{"Host", "evil.example"}, 421},
		{"GET", "/", []string{"Host", "127.0.0.1.evil.example:8080"}, 421},
		{"GET", "/", []string{"Host", "[::1]:8080"}, 200},
		{"GET", "/", []string{"Host", "127.0.0.1:8080"}, 200},
		{"HEAD", "/", nil, 200},
	}
	for _, c := range list {
		a := ask(server, c.method, c.target, "", c.header...)
		if a.code != c.code {
			t.Errorf("%s %.60s %v: status %d, want %d", c.method, c.target, c.header, a.code, c.code)
		}
		if a.code >= 400 && len(a.body) < 20 {
			t.Errorf("%s %.60s: nothing is said", c.method, c.target)
		}
		if a.code == 404 || a.code == 400 {
			if !strings.Contains(a.body, `href="/assets/site.css"`) {
				t.Errorf("%s: the page has no style where it stands", c.target)
			}
			checkHTML(t, c.target, a.body)
		}
	}
}

// TestPostNeedsTokenAndTruth: a record goes in with the token only, and only if it is right.
func TestPostNeedsTokenAndTruth(t *testing.T) {
	const token = "a-token-of-many-letters"
	s := coretest.Must(store.Open(t.TempDir() + "/post.store"))
	defer s.Close()
	server := web.NewServer(newSite(t, web.Options{}), web.Access{Token: token, Post: web.Submit(s, nil)})
	good := record(t, claim{"5x5", "odr", "nodes:0,0+1,1+2,3", "", "family", false})
	wrong := record(t, claim{"5x5", "odr", "nodes:0,0+1,1", "1/7", "family", false})
	network := record(t, claim{"5x5:open=0:bandwidth=2,1:fixed=0,0:forbidden=4,4", "odr", "nodes:0,0+1,1+2,3", "",
		"family", false})
	with := func(changes string) []byte { return resultstest.Forged(network, changes) }
	encoded, _ := layout.Encode(good)
	untrue, _ := layout.Encode(wrong)
	for _, c := range []struct {
		name, token string
		body        []byte
		code        int
	}{
		{"no token", "", encoded, 401},
		{"another token", "a-token-of-many-letterS", encoded, 401},
		{"a wrong record", token, untrue, 422},
		{"no record", token, []byte("{}"), 422},
		{"a text", token, []byte("hello"), 422},
		{"a good record", token, encoded, 201},
		{"it again", token, encoded, 200},
		{"a good record of a network", token, with(""), 201},
		{"another bandwidth", token, with(`network="5x5:open=0:bandwidth=1,5"; torus=[5,5]`), 422},
		{"the torus", token, with(`-network; torus=[5,5]`), 422},
		{"other sides", token, with(`network="5x5:open=0:bandwidth=2,1"; torus=[5,6]`), 422},
		{"no bandwidth", token, with(`network="5x5:open=0:bandwidth=2,0"; torus=[5,5]`), 422},
		{"no dimension", token, with(`network="5x5:open=2:bandwidth=2,1"; torus=[5,5]`), 422},
		{"a huge network", token, with(`network="65535x65535:open=0"; torus=[65535,65535]`), 422},
		{"a large network", token, with(`network="8192x8192:open=0"; torus=[8192,8192]`), 422},
		{"a text that is not canonical", token, with(`network="5x5:bandwidth=2,1:open=0"; torus=[5,5]`), 422},
		{"a network that is a torus", token, with(`network="5x5"; torus=[5,5]`), 422},
		{"a fixed node without a processor", token, with("fixed=[[0,1]]"), 422},
		{"a forbidden node outside", token, with("forbidden=[[5,4]]"), 422},
		{"a forbidden node with a processor", token, with("forbidden=[[1,1]]"), 422},
		{"a node fixed twice", token, with("fixed=[[0,0],[0,0]]"), 422},
		{"too much", token, []byte(strings.Repeat(" ", 33<<20)), 413},
	} {
		a := ask(server, "POST", "/records", string(c.body), "Authorization", "Bearer "+c.token)
		if a.code != c.code {
			t.Errorf("%s: status %d, want %d: %s", c.name, a.code, c.code, a.body)
		}
	}
	if best, ok, err := s.Best(texts.Key{Torus: "5x5", Routing: "odr:tie=plus", Size: 3}); !ok || err != nil ||
		best.MaxLoad != good.MaxLoad {
		t.Errorf("the store holds %v %v %v", best.MaxLoad, ok, err)
	}
	if best, ok, err := s.Best(texts.Key{Torus: "5x5:open=0:bandwidth=2,1:fixed=0,0:forbidden=4,4",
		Routing: "odr:tie=plus", Size: 3}); !ok || err != nil || best.MaxLoad != network.MaxLoad {
		t.Errorf("the store holds %v of the network, %v %v", best.MaxLoad, ok, err)
	}
	if _, ok, _ := s.Best(texts.Key{Torus: "5x5", Routing: "odr:tie=plus", Size: 2}); ok {
		t.Error("the wrong record went in")
	}
}

// TestTwoServersOnOneStore: one takes a record in, the other shows it.
func TestTwoServersOnOneStore(t *testing.T) {
	path := newStore(t)
	const token = "a-token-of-many-letters"
	var servers []http.Handler
	for range 2 {
		view := coretest.Must(atlas.OpenStore(path))
		defer view.Close()
		s := coretest.Must(store.Open(path))
		defer s.Close()
		site := coretest.Must(web.NewSite(view, web.Options{}))
		servers = append(servers, web.NewServer(site, web.Access{Token: token, Post: web.Submit(s, nil)}))
	}
	encoded, _ := layout.Encode(record(t, claim{"7x7", "udr", "nodes:0,0+1,1", "", "family", false}))
	if a := ask(servers[0], "POST", "/records", string(encoded), "Authorization", "Bearer "+token); a.code != 201 {
		t.Fatalf("status %d: %s", a.code, a.body)
	}
	if a := ask(servers[1], "GET", "/7x7/udr-tie-plus/2.html", ""); a.code != 200 {
		t.Errorf("the other server has status %d", a.code)
	}
}

// broken is a source whose details cannot be read.
type broken struct{ *atlas.Atlas }

func (broken) Detail(texts.Key) (atlas.Detail, bool, error) {
	return atlas.Detail{}, true, errors.New("disk on fire at /secret/path")
}

// TestFaultsAreNotTold: a fault of the source is an error page without its words.
func TestFaultsAreNotTold(t *testing.T) {
	view := coretest.Must(atlas.OpenStore(newStore(t)))
	defer view.Close()
	site := coretest.Must(web.NewSite(broken{view}, web.Options{}))
	a := ask(web.NewServer(site, web.Access{}), "GET", "/8x8/udr-tie-both/16.html", "")
	if a.code != 500 || strings.Contains(a.body, "secret") {
		t.Errorf("status %d: %s", a.code, a.body)
	}
}

// TestExportNeedsNoServer: the links of a written site lead to files, by relative ways only.
func TestExportNeedsNoServer(t *testing.T) {
	coretest.Alone(t)
	folder := t.TempDir()
	site := newSite(t, web.Options{Static: true})
	count, err := site.Export(context.Background(), folder, nil)
	if err != nil || count < 60 {
		t.Fatalf("%d files, %v", count, err)
	}
	files := http.FileServer(http.Dir(folder))
	server := web.NewServer(newSite(t, web.Options{}), web.Access{})
	for _, c := range claims { // a cell has one address, on a server and on disk
		r := record(t, c)
		at := fmt.Sprintf("/%s/%s/%d.html", labels.Place(c.torus), labels.Slug(r.Routing), r.Size)
		if here, there := ask(server, "GET", at, "").code, ask(files, "GET", at, "").code; here != 200 || there != 200 {
			t.Errorf("%s: status %d on a server, %d of the file", at, here, there)
		}
		label := labels.Cell(labels.Place(c.torus), r.Routing, r.Size)
		for _, page := range []string{ask(server, "GET", "/c/"+label, "").body,
			ask(server, "GET", "/c/"+label+".01234567", "").body, ask(files, "GET", "/c/"+label+".html", "").body} {
			checkHTML(t, label, page)
			if !strings.Contains(page, `href="..`+at+`"`) {
				t.Errorf("the label %s leads to %s", label, page)
			}
		}
	}
	for _, address := range []string{"/index.html", "/8x8.html", "/8x8/udr-tie-both.html", "/8x8/udr-tie-both/16.html",
		"/8x8-open-0-1/udr-tie-plus/8.html",
		"/editor.html", "/search.html", "/6x6/odr-tie-plus.html", "/docs/findings.html", "/docs/best-lattices.html",
		"/docs/concepts.html",
		"/8x8-open-0-1.html", "/8x8-open-0-1/udr-tie-plus.html", "/optima.html",
		"/8x8-open-0-1-fixed-0-0-forbidden-3-3-7-7/udr-tie-plus.html"} {
		file := address
		if file == "/index.html" {
			file = "/" // the file server sends one there
		}
		page := ask(files, "GET", file, "").body
		checkHTML(t, address, page)
		for _, link := range linksOf(t, address, page) {
			link, _, _ = strings.Cut(link, "?")
			if link == "/index.html" {
				continue
			}
			if a := ask(files, "GET", link, ""); a.code != 200 {
				t.Errorf("%s: link to %s has status %d", address, link, a.code)
			}
		}
		for _, absolute := range []string{`href="/`, `src="/`, "http://localhost"} {
			if strings.Contains(page, absolute) {
				t.Errorf("%s has %s", address, absolute)
			}
		}
	}
	for _, c := range claims { // what the script of a page finds
		r := record(t, c)
		at := fmt.Sprintf("/%s/%s", labels.Place(c.torus), labels.Slug(r.Routing))
		cells := shownCells(t, ask(files, "GET", at+".js", "").body)
		i := slices.IndexFunc(cells, func(s shownCell) bool { return s.Size == r.Size })
		if i < 0 {
			t.Errorf("%s: no size %d", at, r.Size)
			continue
		}
		got, err := results.ReadRecord([]byte(cells[i].Record))
		if c.load == "" && (err != nil || got.ClaimSHA256 != r.ClaimSHA256) {
			t.Errorf("%s: the record of size %d is %.100s, error %v", at, r.Size, cells[i].Record, err)
		}
		for _, o := range cells[i].Others {
			if ask(files, "GET", "/"+o.Address, "").code != 200 {
				t.Errorf("%s: size %d leads to %s", at, r.Size, o.Address)
			}
		}
	}
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = newSite(t, web.Options{Static: true}).Export(stopped, t.TempDir(), nil)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}

// TestValuesWithoutScripts: in a static site the page of a network says, as text, what is known of each cell.
func TestValuesWithoutScripts(t *testing.T) {
	server := web.NewServer(newSite(t, web.Options{Static: true}), web.Access{})
	for _, c := range claims {
		rec := record(t, c)
		page := ask(server, "GET", "/"+labels.Place(c.torus)+".html", "").body
		row := regexp.MustCompile(fmt.Sprintf(`<tr><th scope="row">%d</th>.*`, rec.Size)).FindString(page)
		value := regexp.MustCompile(`[ >]` + rec.MaxLoad + `[ <]`)
		if value.MatchString(row) != (c.load == "") || strings.Contains(row, ">–<") != (c.load != "") {
			t.Errorf("%s %s n=%d: %q does not have %s", c.torus, c.routing, rec.Size, row, rec.MaxLoad)
		}
	}
}

// TestPostsAreBounded: while as many records are being checked as there are processors,
// others are sent away, and a check is told when its sender goes.
func TestPostsAreBounded(t *testing.T) {
	const token = "a-token-of-many-letters"
	started, ended := make(chan struct{}), make(chan error)
	server := web.NewServer(newSite(t, web.Options{}), web.Access{Token: token,
		Post: func(ctx context.Context, _ []byte) (web.Receipt, error) {
			started <- struct{}{}
			<-ctx.Done()
			ended <- ctx.Err()
			return web.Receipt{}, ctx.Err()
		}})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	most := runtime.GOMAXPROCS(0)
	for range most {
		go func() {
			r := httptest.NewRequestWithContext(ctx, "POST", "http://localhost/records", strings.NewReader("{}"))
			r.Header.Set("Authorization", "Bearer "+token)
			server.ServeHTTP(httptest.NewRecorder(), r)
		}()
	}
	for range most {
		<-started
	}
	if a := ask(server, "POST", "/records", "{}", "Authorization", "Bearer "+token); a.code != 503 ||
		a.header.Get("Retry-After") == "" {
		t.Errorf("one more: %d %v %s", a.code, a.header, a.body)
	}
	cancel()
	for range most {
		if err := <-ended; err == nil {
			t.Error("a check was not told that its sender has gone")
		}
	}
}

// TestCheckEndsWithItsSender: a record whose sender has gone is neither checked nor kept.
func TestCheckEndsWithItsSender(t *testing.T) {
	s := coretest.Must(store.Open(t.TempDir() + "/gone.store"))
	defer s.Close()
	good := record(t, claim{"5x5", "odr", "nodes:0,0+1,1+2,3", "", "family", false})
	encoded, _ := layout.Encode(good)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if answer, err := web.Submit(s, nil)(ctx, encoded); !errors.Is(err, context.Canceled) || answer.Kept {
		t.Errorf("%+v, %v", answer, err)
	}
}
