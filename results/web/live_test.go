package web_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"leeway/objective/texts"
	"leeway/results/store"
	"leeway/results/web"
)

// A listener reads the events of a live page.
type listener struct {
	t    *testing.T
	scan *bufio.Scanner
	stop func()
}

func listen(t *testing.T, server *httptest.Server) *listener {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	r, _ := http.NewRequestWithContext(ctx, "GET", server.URL+"/runs/events", nil)
	answer, err := server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if kind := answer.Header.Get("Content-Type"); kind != "text/event-stream" {
		t.Errorf("type %q", kind)
	}
	scan := bufio.NewScanner(answer.Body)
	scan.Buffer(nil, 32<<20)
	return &listener{t, scan, func() { cancel(); answer.Body.Close() }}
}

// next returns the next event, "" at the end.
func (l *listener) next() string {
	for l.scan.Scan() {
		if data, ok := strings.CutPrefix(l.scan.Text(), "data: "); ok {
			return data
		}
	}
	return ""
}

func liveServer(t *testing.T, hub *web.Live) *httptest.Server {
	t.Helper()
	h, err := hub.Handler(web.Access{Loopback: true})
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}

// TestLateComersGetTheState: what was published before is there, the last of every topic only, and what comes then
// follows.
func TestLateComersGetTheState(t *testing.T) {
	hub := web.NewLive("Work")
	server := liveServer(t, hub)
	hub.Publish(web.Event{Topic: "a", Fields: []web.Field{{Name: "best", Value: "9"}}, Line: "one"})
	hub.Publish(web.Event{Topic: "b"})
	hub.Publish(web.Event{Topic: "a", Fields: []web.Field{{Name: "best", Value: "7/2"}}, Line: "two"})
	hub.Publish(web.Event{Topic: "b", Over: true})
	hub.Publish(web.Event{Picture: &web.Picture{Name: "p.svg", About: "x", SVG: []byte("<svg/>")}})
	hub.Publish(web.Event{Picture: &web.Picture{Name: "p.svg", About: "x", SVG: []byte("<svg>2</svg>")}})
	l := listen(t, server)
	defer l.stop()
	want := `{"topics":[{"topic":"a","fields":[{"name":"best","value":"7/2"}]}],"log":["one","two"],` +
		`"pictures":[{"name":"p.svg","about":"x","version":2}],"done":false}`
	if got := l.next(); got != want {
		t.Errorf("state %s\nwant  %s", got, want)
	}
	hub.Publish(web.Event{Topic: "c", Line: hostile})
	var e web.Event
	if err := json.Unmarshal([]byte(l.next()), &e); err != nil || e.Topic != "c" || e.Line != hostile {
		t.Errorf("event %+v, %v", e, err)
	}
	page := ask(server.Config.Handler, "GET", "/", "")
	for _, word := range []string{"7/2", "one", "p.svg?v=2", "&lt;script&gt;alert", "In progress."} {
		if !strings.Contains(page.body, word) {
			t.Errorf("the page lacks %q", word)
		}
	}
	checkHTML(t, "live", page.body)
	if p := ask(server.Config.Handler, "GET", "/runs/p.svg", ""); p.body != "<svg>2</svg>" {
		t.Errorf("picture %q", p.body)
	}
	if p := ask(server.Config.Handler, "GET", "/runs/other.svg", ""); p.code != 404 || !strings.Contains(p.body,
		"<h1>Not found</h1>") {
		t.Errorf("unknown picture: status %d", p.code)
	}
}

// A stuckReader takes nothing in until it is released. Between a server and a client there are buffers, and how much
// they hold is a matter of the machine.
type stuckReader struct {
	*httptest.ResponseRecorder
	stuck   func() // called before the first byte
	release chan struct{}
	leave   func() // called with the last of the news
}

const lastNews = "the last of the news"

func (r *stuckReader) Write(p []byte) (int, error) {
	r.stuck()
	<-r.release
	if bytes.Contains(p, []byte(lastNews)) {
		r.leave()
	}
	return r.ResponseRecorder.Write(p)
}

// TestSlowReadersAreDropped: a reader that takes nothing in does not hold up the publisher; it is cut off and gets
// the state when it comes back.
func TestSlowReadersAreDropped(t *testing.T) {
	hub := web.NewLive("Work")
	server := liveServer(t, hub)
	stuck, ended := make(chan struct{}), make(chan struct{})
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	reader := &stuckReader{httptest.NewRecorder(), sync.OnceFunc(func() { close(stuck) }), make(chan struct{}), leave}
	go func() {
		server.Config.Handler.ServeHTTP(reader, httptest.NewRequestWithContext(ctx, "GET",
			"http://localhost/runs/events", nil))
		close(ended)
	}()
	<-stuck
	for i := range 600 { // more than a reader may lag behind
		hub.Publish(web.Event{Topic: fmt.Sprint(i % 3), Line: "news"})
	}
	hub.Publish(web.Event{Line: lastNews})
	close(reader.release)
	<-ended
	if got := reader.Body.String(); !strings.Contains(got, "news") || strings.Contains(got, lastNews) {
		t.Errorf("got all events, or none: %.600s", got)
	}
	again := listen(t, server)
	defer again.stop()
	if !strings.Contains(again.next(), `"topic":"2"`) {
		t.Error("the state is not there after coming back")
	}
}

// TestHubIsSafe publishes and reads side by side.
func TestHubIsSafe(t *testing.T) {
	hub := web.NewLive("Work")
	server := liveServer(t, hub)
	var readers sync.WaitGroup // which a reader that fails leaves too
	for range 3 {
		readers.Go(func() {
			l := listen(t, server)
			defer l.stop()
			for text := l.next(); text != "" && !strings.Contains(text, `"done":true`); text = l.next() {
			}
		})
	}
	for i := range 20 {
		hub.Publish(web.Event{Topic: "t", Line: fmt.Sprint(i)})
	}
	hub.Publish(web.Event{Done: true})
	readers.Wait()
}

// TestWatchShowsUnfinishedRuns: a run shows with its best value, and goes when it is finished.
func TestWatchShowsUnfinishedRuns(t *testing.T) {
	watchShows(t, "5x5", "5x5")
	watchShows(t, "5x5:open=0,1:fixed=0,0:forbidden=4,4", "mesh 5x5, fixed 0,0, forbidden 4,4")
}

// watchShows looks at a run on a network with conditions, which has a name on the page.
func watchShows(t *testing.T, where, name string) {
	t.Helper()
	s, err := store.Open(t.TempDir() + "/runs.store")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	r := record(t, claim{where, "odr", "nodes:0,0+1,1+2,3", "", "family", false})
	run := store.Run{Problem: texts.Key{Torus: where, Routing: "odr:tie=plus", Size: 3}, Seed: 5}
	hub := web.NewLive("Runs")
	look := web.Looker(s, hub)
	began := time.Now() // the store has the clock of the machine
	look(began)
	if page := livePage(t, hub); !strings.Contains(page, "No search is under way") {
		t.Error("idle: not said")
	}
	if err := s.Checkpoint(run, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := s.AddInterim(r); err != nil {
		t.Fatal(err)
	}
	look(began.Add(time.Minute))
	if page := livePage(t, hub); !strings.Contains(page, name+", 3 processors under odr:tie=plus") ||
		!strings.Contains(page, "<dd>"+r.MaxLoad+"</dd>") || strings.Contains(page, "No search is under way") {
		t.Errorf("running: not shown: %s", page)
	} else if !strings.Contains(page, "<dd>running</dd>") || !strings.Contains(page, "last written") {
		t.Errorf("running: not said: %s", page)
	}
	look(began.Add(time.Hour))
	if page := livePage(t, hub); !strings.Contains(page, "<dd>stopped, it seems") || !strings.Contains(page,
		"No search is under way") {
		t.Errorf("quiet for an hour: shown as running: %s", page)
	}
	if err := s.Finish(run); err != nil {
		t.Fatal(err)
	}
	look(began.Add(time.Hour))
	if page := livePage(t, hub); strings.Contains(page, "<h2>"+name) || !strings.Contains(page, "finished: ") {
		t.Error("finished: still shown")
	}
}

func livePage(t *testing.T, hub *web.Live) string {
	t.Helper()
	h, err := hub.Handler(web.Access{})
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", "/", bytes.NewReader(nil)))
	return w.Body.String()
}
