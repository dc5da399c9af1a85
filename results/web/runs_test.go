package web_test

import (
	"strings"
	"testing"
	"time"

	"leeway/core/coretest"
	"leeway/objective/texts"
	"leeway/results/atlas"
	"leeway/results/store"
	"leeway/results/web"
)

// TestRunsAreShown: a run shows with its best value, as stopped when it has been quiet, and goes when it is finished;
// networks with conditions have their names.
func TestRunsAreShown(t *testing.T) {
	runShows(t, "5x5", "5x5")
	runShows(t, "5x5:open=0,1:fixed=0,0:forbidden=4,4", "mesh 5x5, fixed 0,0, forbidden 4,4")
}

func runShows(t *testing.T, where, name string) {
	t.Helper()
	path := t.TempDir() + "/runs.store"
	s := coretest.Must(store.Open(path))
	defer s.Close()
	view := coretest.Must(atlas.OpenStore(path))
	defer view.Close()
	site := coretest.Must(web.NewSite(view, web.Options{Runs: s}))
	server := web.NewServer(site, web.Access{})
	look := func() string {
		a := ask(server, "GET", "/runs.html", "")
		if checkHTML(t, "/runs.html", a.body); a.code != 200 {
			t.Errorf("status %d", a.code)
		}
		return a.body
	}
	r := record(t, claim{where, "odr", "nodes:0,0+1,1+2,3", "", "family", false})
	run := store.Run{Problem: texts.Key{Torus: where, Routing: "odr:tie=plus", Size: 3}, Seed: 5}
	if !strings.Contains(look(), "No search is under way") {
		t.Error("idle: not said")
	}
	began := time.Now() // the store has the clock of the machine
	coretest.Try(s.Checkpoint(run, nil))
	coretest.Must(s.AddInterim(r))
	for _, want := range []string{name + ", 3 processors under odr:tie=plus", "<dd>" + r.MaxLoad + "</dd>",
		"<dd>running</dd>", "last written", `href="index.html"`} {
		if page := look(); !strings.Contains(page, want) {
			t.Errorf("running: %q is missing: %s", want, page)
		}
	}
	if page := coretest.Must(site.RunsAt(began.Add(time.Hour))); !strings.Contains(page, "<dd>stopped, it seems") {
		t.Errorf("quiet for an hour: shown as running: %s", page)
	}
	coretest.Try(s.Finish(run))
	if page := look(); strings.Contains(page, "<h2>"+name) {
		t.Error("finished: still shown")
	}
	server = web.NewServer(coretest.Must(web.NewSite(view, web.Options{})), web.Access{})
	if a := ask(server, "GET", "/runs.html", ""); a.code != 404 {
		t.Errorf("without a store of runs: status %d", a.code)
	}
}
