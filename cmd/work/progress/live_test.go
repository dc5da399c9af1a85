package progress

import (
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results/web"
	"leeway/search"
	"leeway/search/cluster/message"
)

// TestLiveCluster shows a cluster, whose worker then leaves.
func TestLiveCluster(t *testing.T) {
	b := &Live{hub: web.NewLive("Proof under way")}
	page := func() string {
		h := coretest.Must(b.hub.Handler(web.Access{Loopback: true}))
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", "http://127.0.0.1/", nil))
		return w.Body.String()
	}
	s := message.Status{Job: "leeway prove", Problem: "that", Below: "13/2", Engine: "margin",
		Incumbent: "7", Bound: "3", SecondsLeft: 61,
		Units:   message.Units{Done: 12, Out: 5, Running: 2, Open: 321},
		Workers: []message.Worker{{Name: "far-1", Host: "far", Cores: 4, Running: 2, Done: 11, Rate: 337_000}}}
	b.Cluster(s)
	text := page()
	for _, want := range []string{"leeway prove", "E_max below 13/2 (6.5), by margin", "321; those under way",
		"5, 2 of them running",
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

// TestLivePicture shows the best placement of a network with its fixed and forbidden nodes, under the table that was
// found with it if the routing is free.
func TestLivePicture(t *testing.T) {
	on := coretest.Must(core.ParseNetwork("4x5:open=0,1:bandwidth=2,1"))
	p := coretest.Must(objective.Problem{Routing: routing.NewUDR(on, routing.TieBoth), Size: 3}.WithNodes([]int{0},
		[]int{7, 8}))
	best := core.MustPlacement(on, []int{0, 6, 19})
	table := coretest.Table(rand.New(rand.NewPCG(8, 0)), on, true)
	clients := coretest.Must(p.WithTraffic(objective.Traffic{Request: 1, Reply: 2}))
	for i, with := range []*routing.Table{nil, table, nil} {
		noun := "processor"
		if i == 2 {
			p, noun = clients, "controller"
		}
		b := NewLive(web.NewLive("Search under way"))
		b.Begin("that", p, nil, nil)
		asked := p
		if with != nil {
			asked.Routing = with
		}
		loads := asked.Naive(best)
		most, _ := loads.Max()
		b.Observe(search.Event{Method: "local", Value: most, Improved: true, Best: best, Table: with})
		b.Tell()
		h := coretest.Must(b.hub.Handler(web.Access{Loopback: true}))
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", "http://127.0.0.1/runs/best.svg", nil))
		text := w.Body.String()
		for _, want := range []string{"fixed " + noun + " (0,0)", "forbidden node (1,2)", "forbidden node (1,3)",
			"mesh 4x5:bandwidth=2,1", "E_max = " + most.RatString()} {
			if !strings.Contains(text, want) {
				t.Errorf("case %d: the picture lacks %q", i, want)
			}
		}
		for l := range on.M() {
			if from, to := on.LinkEnds(core.Link(l)); on.HasLink(core.Link(l)) {
				want := fmt.Sprintf("(%s) -&gt; (%s): %s<", core.JoinInts(on.Coords(from), ","),
					core.JoinInts(on.Coords(to), ","), loads.Load(core.Link(l)).RatString())
				if !strings.Contains(text, want) {
					t.Errorf("case %d: the picture lacks %q", i, want)
				}
			}
		}
	}
}
