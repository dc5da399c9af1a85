package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"leeway/results"
	"leeway/results/web"
	"leeway/search/cluster"
)

// TestLiveCluster shows a cluster, whose worker then leaves.
func TestLiveCluster(t *testing.T) {
	b := &broadcast{hub: web.NewLive("Proof under way")}
	page := func() string {
		h, err := b.hub.Handler(web.Access{Loopback: true})
		if err != nil {
			t.Fatal(err)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", "http://127.0.0.1/", nil))
		return w.Body.String()
	}
	s := cluster.Status{Job: "leeway prove", Problem: "that", Below: "13/2", Engine: "margin", Incumbent: "7", Bound: "3", Prefixes: 900, PrefixesLeft: 321, SecondsLeft: 61,
		Units: cluster.Units{Done: 12, Out: 5, Running: 2}, Workers: []cluster.Worker{{Name: "far-1", Host: "far", Cores: 4, Running: 2, Done: 11, Rate: 337_000}}}
	b.cluster(s)
	text := page()
	for _, want := range []string{"leeway prove", "E_max below 13/2, by margin", "321 of 900", "5, 2 of them running", "about 1m1s", "Worker far-1", "337k/s", "1 with 4 cores"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	s.Workers = nil
	if b.cluster(s); strings.Contains(page(), "far-1") {
		t.Error("a worker that has left is on the page")
	}
	(*broadcast)(nil).cluster(s) // without a page
}

// TestSearchTogetherProves searches, as a cluster of one, a size of which no bound but a
// census shows the optimum.
func TestSearchTogetherProves(t *testing.T) {
	file := filepath.Join(t.TempDir(), "r.json")
	var stdout bytes.Buffer
	if code := run(t.Context(), strings.Fields(fmt.Sprintf("search --torus 5x5 --size 11 --routing odr --evaluations 300000 -j 1 --json --out %s --cluster listen:%d", file, freePort(t))),
		nil, &stdout, io.Discard); code != 0 {
		t.Fatal("exit status ", code)
	}
	r, err := results.ReadRecord(stdout.Bytes())
	if err != nil || r.Status != results.StatusOptimal || r.Proof == nil || len(r.Proof.Slices) == 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	stdout.Reset()
	if code := run(t.Context(), []string{"check", file}, nil, &stdout, io.Discard); code != 0 || !strings.Contains(stdout.String(), "valid, proof verified") {
		t.Errorf("status %d: %s", code, stdout.String())
	}
}
