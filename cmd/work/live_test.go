package work

import (
	"net/http/httptest"
	"strings"
	"testing"

	"leeway/results/web"
	"leeway/search/cluster/message"
)

// TestLiveCluster shows a cluster, whose worker then leaves.
func TestLiveCluster(t *testing.T) {
	b := &Live{hub: web.NewLive("Proof under way")}
	page := func() string {
		h, err := b.hub.Handler(web.Access{Loopback: true})
		if err != nil {
			t.Fatal(err)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", "http://127.0.0.1/", nil))
		return w.Body.String()
	}
	s := message.Status{Job: "leeway prove", Problem: "that", Below: "13/2", Engine: "margin",
		Incumbent: "7", Bound: "3", Prefixes: 900, PrefixesLeft: 321, SecondsLeft: 61,
		Units:   message.Units{Done: 12, Out: 5, Running: 2},
		Workers: []message.Worker{{Name: "far-1", Host: "far", Cores: 4, Running: 2, Done: 11, Rate: 337_000}}}
	b.Cluster(s)
	text := page()
	for _, want := range []string{"leeway prove", "E_max below 13/2, by margin", "321 of 900", "5, 2 of them running",
		"about 1m1s", "Worker far-1", "337k/s", "1 with 4 cores"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	s.Workers = nil
	if b.Cluster(s); strings.Contains(page(), "far-1") {
		t.Error("a worker that has left is on the page")
	}
	(*Live)(nil).Cluster(s) // without a page
}
