package web

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/picture"
	"leeway/results/store"
	"leeway/results/web/pages"
)

// Live is a hub for one page that follows work in progress: whoever works publishes events, and every reader gets
// them as they come. Readers that come late get the last state first; readers that are too slow are dropped, which
// makes their browsers connect again. Its zero value is not a hub: use NewLive.
type Live struct {
	title string

	mu       sync.Mutex
	topics   []Event // the last of every topic, in the order in which they began
	log      []string
	pictures []Picture
	done     bool
	readers  map[chan []byte]bool
}

// An Event is news of a topic. It replaces what was said about the topic before.
type Event struct {
	Topic  string  `json:"topic"`            // what the news is about: "search", "worker 3"; "" for none
	Title  string  `json:"title,omitempty"`  // of the topic, in words; "" is Topic
	Fields []Field `json:"fields,omitempty"` // the state, in the order in which it is shown
	Line   string  `json:"line,omitempty"`   // "" or a line for the list of what happened
	Over   bool    `json:"over,omitempty"`   // the topic goes off the page
	Done   bool    `json:"done,omitempty"`   // all work is done
	// Picture, with its name, replaces the picture of that name.
	Picture *Picture `json:"picture,omitempty"`
}

// A Field is a number or word of a state under its name.
type Field struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// A Picture is an SVG document of a live page.
type Picture struct {
	Name    string `json:"name"`    // part of its address: letters and digits
	About   string `json:"about"`   // what it shows, for those who do not see it
	Version int    `json:"version"` // set by Publish
	SVG     []byte `json:"-"`
}

// Limits of a hub.
const (
	maxTopics  = 1000 // later topics are left out of the state
	maxLines   = 100  // the oldest lines go first
	readerRoom = 64   // events that a reader may lag behind
)

// NewLive returns a hub without news. Its page has the title given.
func NewLive(title string) *Live {
	return &Live{title: title, readers: map[chan []byte]bool{}}
}

// Publish tells all readers an event; it never waits for them.
func (l *Live) Publish(e Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.keep(&e)
	data, err := json.Marshal(e)
	if err != nil {
		panic("web: text always encodes")
	}
	for reader := range l.readers {
		select {
		case reader <- data:
		default: // too slow
			delete(l.readers, reader)
			close(reader)
		}
	}
}

// keep makes an event part of the state.
func (l *Live) keep(e *Event) {
	l.done = l.done || e.Done
	if e.Line != "" {
		l.log = append(l.log, e.Line)
		l.log = l.log[max(0, len(l.log)-maxLines):]
	}
	if e.Picture != nil {
		p := *e.Picture
		p.Version = 1
		i := slices.IndexFunc(l.pictures, func(have Picture) bool { return have.Name == p.Name })
		if i < 0 {
			l.pictures = append(l.pictures, p)
		} else {
			p.Version = l.pictures[i].Version + 1
			l.pictures[i] = p
		}
		e.Picture = &p
	}
	if e.Topic == "" {
		return
	}
	i := slices.IndexFunc(l.topics, func(have Event) bool { return have.Topic == e.Topic })
	switch {
	case e.Over && i >= 0:
		l.topics = slices.Delete(l.topics, i, i+1)
	case e.Over:
	case i >= 0:
		l.topics[i] = Event{Topic: e.Topic, Title: e.Title, Fields: e.Fields}
	case len(l.topics) < maxTopics:
		l.topics = append(l.topics, Event{Topic: e.Topic, Title: e.Title, Fields: e.Fields})
	}
}

// A liveState is what readers that come now must know.
type liveState struct {
	Topics   []Event   `json:"topics"`
	Log      []string  `json:"log"`
	Pictures []Picture `json:"pictures"`
	Done     bool      `json:"done"`
}

// state returns a copy of the state; the lock must be held.
func (l *Live) state() liveState {
	return liveState{Topics: append([]Event{}, l.topics...), Log: append([]string{}, l.log...),
		Pictures: append([]Picture{}, l.pictures...), Done: l.done}
}

// join adds a reader and returns the state that its events follow on.
func (l *Live) join() (events chan []byte, state liveState) {
	l.mu.Lock()
	defer l.mu.Unlock()
	events = make(chan []byte, readerRoom)
	l.readers[events] = true
	return events, l.state()
}

// leave takes a reader off.
func (l *Live) leave(events chan []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.readers[events] {
		delete(l.readers, events)
		close(events)
	}
}

// picture returns the last picture of a name.
func (l *Live) picture(name string) ([]byte, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, p := range l.pictures {
		if p.Name == name {
			return p.SVG, true
		}
	}
	return nil, false
}

// writeTime is how long one event may take to be written to a reader; heartbeat is how often a reader without news
// gets a sign of life.
const (
	writeTime = 10 * time.Second
	heartbeat = 20 * time.Second
)

// liveBody is what a live page shows before its script runs, or without it.
type liveBody struct {
	liveState
	Title      string
	Events     string // address of the events
	PicturesAt string // where pictures lie
}

// Handler returns the pages of a hub as a site of their own, with the live page at the root.
func (l *Live) Handler(access Access) (http.Handler, error) {
	site, err := NewSite(noAtlas{}, Options{Bare: true})
	if err != nil {
		return nil, err
	}
	s := NewServer(site, access)
	live := l.handler(site, pages.StartAddress)
	s.mux.Handle("GET /{$}", live)
	s.mux.Handle("GET /"+pages.StartAddress, live)
	s.mux.Handle("GET /"+runsFolder, live)
	return s, nil
}

// runsFolder is where the events and pictures of a live page lie, beside it.
const runsFolder = "runs/"

// handler answers with the page, whose address is home, the events and the pictures.
func (l *Live) handler(site *Site, home string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, isFile := strings.CutPrefix(r.URL.Path, "/"+runsFolder)
		switch {
		case isFile && name == "events":
			l.stream(w, r)
		case isFile && name == "":
			http.Redirect(w, r, "/"+home, http.StatusSeeOther)
		case isFile:
			svg, ok := l.picture(name)
			if !ok {
				site.fail(w, http.StatusNotFound, "Not found", "There is no such picture of a running search.")
				return
			}
			// The style of a picture stands in it.
			w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
			document{kindSVG, svg}.send(w, http.StatusOK)
		default:
			l.page(w, site)
		}
	})
}

func (l *Live) page(w http.ResponseWriter, site *Site) {
	l.mu.Lock()
	state := l.state()
	l.mu.Unlock()
	d, err := site.html(pages.Live(l.title, liveBody{liveState: state, Title: l.title, Events: runsFolder + "events",
		PicturesAt: runsFolder}), nil)
	if err != nil {
		http.Error(w, "the page could not be made", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	d.send(w, http.StatusOK)
}

// stream sends the state and then every event, until the reader leaves or is too slow.
func (l *Live) stream(w http.ResponseWriter, r *http.Request) {
	control := http.NewResponseController(w)
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	events, state := l.join()
	defer l.leave(events)
	data, err := json.Marshal(state)
	if err != nil {
		panic("web: text always encodes")
	}
	send := func(format string, args ...any) bool {
		control.SetWriteDeadline(time.Now().Add(writeTime)) // not every writer has one
		if _, err := fmt.Fprintf(w, format, args...); err != nil {
			return false
		}
		return control.Flush() == nil
	}
	if !send("event: state\ndata: %s\n\n", data) {
		return
	}
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for {
		ok := true
		select {
		case <-r.Context().Done():
			return
		case <-beat.C:
			ok = send(": still here\n\n")
		case data, open := <-events:
			ok = open && send("data: %s\n\n", data)
		}
		if !ok {
			return
		}
	}
}

// noAtlas is the source of a site that has a live page only.
type noAtlas struct{}

func (noAtlas) Tori() []atlas.Summary                        { return nil }
func (noAtlas) Cells(atlas.Filter) ([]atlas.Cell, int)       { return nil, 0 }
func (noAtlas) Words() atlas.Words                           { return nil }
func (noAtlas) Cell(texts.Key) (atlas.Cell, bool)            { return atlas.Cell{}, false }
func (noAtlas) Detail(texts.Key) (atlas.Detail, bool, error) { return atlas.Detail{}, false, nil }

// watchInterval is how often a store is asked for its runs.
const watchInterval = 2 * time.Second

// quietTime is how long nothing is written of a run before it counts as stopped. Runs write after every epoch, which
// takes seconds, on large tori a minute.
const quietTime = 10 * time.Minute

// Watch publishes the runs that a store knows to be unfinished, and every improvement of theirs, until the context
// ends. Whether the process behind a run is alive the store cannot say: a run that was stopped stays unfinished, and
// shows as stopped once it has been quiet for long.
func Watch(ctx context.Context, s *store.Store, to *Live) {
	w := newWatcher(s, to, time.Now)
	tick := time.NewTicker(watchInterval)
	defer tick.Stop()
	for {
		w.look()
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

func newWatcher(s *store.Store, to *Live, now func() time.Time) *watcher {
	return &watcher{store: s, live: to, now: now, seen: map[string]runState{}}
}

// A watcher remembers what it has published.
type watcher struct {
	now   func() time.Time
	store *store.Store
	live  *Live
	seen  map[string]runState // by topic
	fault string
	idle  bool
}

// A runState is what was last published of a run.
type runState struct {
	updated, best, bound string
	quiet                bool
}

// look publishes what has changed since the last look.
func (w *watcher) look() {
	runs, err := w.store.Unfinished()
	if err != nil {
		if w.fault != err.Error() {
			w.fault = err.Error()
			w.live.Publish(Event{Topic: "store", Title: "The store cannot be read", Line: w.fault})
		}
		return
	}
	found := map[string]bool{}
	working := 0
	for _, r := range runs {
		if r.Updated == "" {
			continue // it has not begun
		}
		topic := fmt.Sprintf("%s seed %d %v", r.Run.Problem, r.Run.Seed, r.Run.Goal)
		found[topic] = true
		s, fields := w.stateOf(r)
		if !s.quiet {
			working++
		}
		if before, known := w.seen[topic]; known && before == s {
			continue
		} else if s.best != "" && s.best != before.best {
			w.live.Publish(Event{Line: fmt.Sprintf("%s  %s: E_max %s", r.Updated, titleOf(r.Run), s.best)})
		}
		w.seen[topic] = s
		w.live.Publish(Event{Topic: topic, Title: titleOf(r.Run), Fields: fields})
	}
	for topic := range w.seen {
		if !found[topic] {
			delete(w.seen, topic)
			w.live.Publish(Event{Topic: topic, Over: true, Line: "finished: " + topic})
		}
	}
	if idle := working == 0; idle != w.idle {
		w.idle = idle
		w.live.Publish(Event{Topic: "none", Title: "No search is under way", Over: !idle})
	}
}

func titleOf(r store.Run) string {
	if r.Goal != "" {
		return fmt.Sprintf("%s under %s, %s", picture.Shown(r.Problem.Torus), r.Problem.Routing, r.Goal)
	}
	return fmt.Sprintf("%s, %s under %s", picture.Shown(r.Problem.Torus),
		picture.Processors(r.Problem.Size, trafficOf(r.Problem.Torus)), r.Problem.Routing)
}

// stateOf reads how a run stands.
func (w *watcher) stateOf(r store.Stopped) (runState, []Field) {
	s := runState{updated: r.Updated, quiet: w.quiet(r)}
	var best, lower *big.Rat
	if record, ok, err := w.store.Best(r.Run.Problem); err == nil && ok {
		s.best = record.MaxLoad
		best, _ = results.ParseFraction(record.MaxLoad)
	}
	if b, ok, err := w.store.Bound(r.Run.Problem); err == nil && ok {
		s.bound, lower = results.FormatFraction(b.Value), b.Value
	}
	state := "running"
	if s.quiet {
		state = "stopped, it seems: leeway resume goes on"
	}
	fields := []Field{{"best", orDash(s.best)}, {"bound", orDash(s.bound)}}
	if best != nil && lower != nil {
		fields = append(fields, Field{"gap", new(big.Rat).Sub(best, lower).RatString()})
	}
	if nulls, err := w.store.Nulls(r.Run.Problem); err == nil {
		fields = append(fields, Field{"null results", fmt.Sprint(len(nulls))})
	}
	return s, append(fields, Field{"seed", fmt.Sprint(r.Run.Seed)}, Field{"state", state},
		Field{"started", r.Started}, Field{"last written", r.Updated})
}

// quiet reports whether nothing has been written of a run for long. A time that cannot be read is long ago.
func (w *watcher) quiet(r store.Stopped) bool {
	at, err := time.Parse(time.RFC3339, r.Updated)
	return err != nil || w.now().Sub(at) > quietTime
}

func orDash(text string) string {
	if text == "" {
		return "–"
	}
	return text
}

// trafficOf returns the text of the traffic in that of a network with terms, "" for all to all.
func trafficOf(where string) string {
	_, values, err := texts.SplitWhere(where)
	if err != nil {
		return ""
	}
	return values["traffic"].Text
}
