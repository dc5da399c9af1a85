package main

import (
	"bytes"
	"context"
	"fmt"
	"math/big"
	"slices"
	"sync"
	"time"

	"leeway/core"
	"leeway/objective"
	"leeway/results/frontier"
	"leeway/results/picture"
	"leeway/results/store"
	"leeway/results/web"
	"leeway/search"
)

// broadcastInterval is how often the live page is told how a search stands.
const broadcastInterval = 500 * time.Millisecond

// maxBroadcastPoints is how many improvements the live picture of a search shows.
const maxBroadcastPoints = 1000

// A broadcast shows searches on a live page, one after the other. A nil broadcast
// shows nothing.
type broadcast struct {
	hub *web.Live

	mu       sync.Mutex
	title    string
	problem  objective.Problem // its routing is nil where the size is looked for
	bound    *big.Rat          // nil where there is none
	started  time.Time
	last     search.Event
	best     core.Placement
	value    *big.Rat // of best
	points   []picture.Point
	methods  map[string]search.Event
	told     map[string]string // what was last published, by topic
	improved bool              // since the last picture
	crew     map[string]string // what was last published of a cluster, by topic
}

// broadcasting does some work with a live page of a title at an address; without an
// address it just does the work.
func (a *app) broadcasting(address, title string, work func(*broadcast) error) error {
	if address == "" {
		return work(nil)
	}
	listener, err := a.listen("serve", address)
	if err != nil {
		return err
	}
	b := &broadcast{hub: web.NewLive(title)}
	handler, err := b.hub.Handler(web.Access{Loopback: loopback(listener)})
	if err != nil {
		return err
	}
	a.remark("live page at http://%s/", listener.Addr())
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	var failed error
	running.Go(func() { failed = serveUntil(ctx, listener, handler) })
	running.Go(func() { b.tick(ctx) })
	err = work(b)
	b.tell()
	b.hub.Publish(web.Event{Done: true})
	stop()
	running.Wait()
	if err == nil {
		err = failed
	}
	return err
}

// tick tells how things stand until the context ends.
func (b *broadcast) tick(ctx context.Context) {
	tick := time.NewTicker(broadcastInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			b.tell()
		}
	}
}

// begin starts to show a search; nulls are those of searches before.
func (b *broadcast) begin(title string, p objective.Problem, bound *big.Rat, nulls []store.Null) {
	if b == nil {
		return
	}
	b.mu.Lock()
	for topic := range b.told {
		b.hub.Publish(web.Event{Topic: topic, Over: true})
	}
	b.title, b.problem, b.bound, b.started = title, p, bound, time.Now()
	b.last, b.best, b.value, b.points, b.improved = search.Event{}, core.Placement{}, nil, nil, false
	b.methods, b.told = map[string]search.Event{}, map[string]string{}
	b.mu.Unlock()
	b.hub.Publish(web.Event{Line: "began: " + title})
	for _, n := range nulls {
		b.hub.Publish(web.Event{Line: fmt.Sprintf("null result: %s saw no less than %s in %d evaluations (seed %d)", n.Method, n.Best, n.Evaluations, n.Seed)})
	}
	b.tell()
}

// observe takes in an event; methods may call it from any goroutine.
func (b *broadcast) observe(e search.Event) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.last, b.methods[e.Method] = e, e
	if e.Value == nil || !e.Improved || b.value != nil && e.Value.Cmp(b.value) >= 0 {
		return
	}
	b.value, b.improved = e.Value, true
	if e.Best.Torus() != nil {
		b.best = e.Best
	}
	if len(b.points) < maxBroadcastPoints {
		b.points = append(b.points, picture.Point{X: e.Evaluations, Y: e.Value, Note: e.Method})
	}
	b.hub.Publish(web.Event{Line: fmt.Sprintf("%s  E_max %s (%s, %d evaluations)", time.Since(b.started).Round(time.Second), e.Value.RatString(), e.Method, e.Evaluations)})
}

// end says how a search ended.
func (b *broadcast) end(outcome string) {
	if b == nil {
		return
	}
	b.tell()
	b.hub.Publish(web.Event{Line: outcome})
}

// tell publishes what has changed.
func (b *broadcast) tell() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.methods == nil {
		return // nothing has begun
	}
	b.publish("search", b.title, b.fields())
	names := make([]string, 0, len(b.methods))
	for name := range b.methods {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		b.publish("method "+name, "Method "+name, methodFields(b.methods[name]))
	}
	if b.improved {
		b.improved = false
		b.pictures()
	}
}

// publish tells the state of a topic if it is not what was told before.
func (b *broadcast) publish(topic, title string, fields []web.Field) {
	text := fmt.Sprint(fields)
	if b.told[topic] == text {
		return
	}
	b.told[topic] = text
	b.hub.Publish(web.Event{Topic: topic, Title: title, Fields: fields})
}

// fields returns how the search stands.
func (b *broadcast) fields() []web.Field {
	elapsed := time.Since(b.started)
	var list []web.Field
	if b.value != nil {
		list = append(list, web.Field{Name: "best", Value: b.value.RatString()})
	}
	if b.bound != nil {
		list = append(list, web.Field{Name: "bound", Value: b.bound.RatString()})
	}
	if b.value != nil && b.bound != nil {
		list = append(list, web.Field{Name: "gap", Value: new(big.Rat).Sub(b.value, b.bound).RatString()})
	}
	speed := float64(b.last.Evaluations) / max(elapsed.Seconds(), 0.001)
	return append(list, web.Field{Name: "evaluations", Value: fmt.Sprint(b.last.Evaluations)}, web.Field{Name: "evaluations/s", Value: short(speed)},
		web.Field{Name: "time", Value: elapsed.Round(time.Second).String()})
}

// methodFields returns what a method said last.
func methodFields(e search.Event) []web.Field {
	var list []web.Field
	if e.Value != nil {
		list = append(list, web.Field{Name: "best", Value: e.Value.RatString()})
	}
	if e.Total > 0 {
		list = append(list, web.Field{Name: "parts done", Value: fmt.Sprintf("%d of %d", e.Done, e.Total)})
	}
	if e.Note != "" {
		list = append(list, web.Field{Name: "says", Value: e.Note})
	}
	return list
}

// pictures publishes the best placement and the improvements so far.
func (b *broadcast) pictures() {
	var placed, progress bytes.Buffer
	chart := frontier.Timeline(b.title, b.points, b.bound, "evaluations")
	if picture.ChartSVG(&progress, chart) == nil { // a live page without a picture is no fault
		b.hub.Publish(web.Event{Picture: &web.Picture{Name: "progress.svg", About: "Best E_max against evaluations", SVG: progress.Bytes()}})
	}
	r := b.problem.Routing
	if r == nil || b.best.Torus() == nil || b.best.Torus().N() > picture.MaxNodes {
		return
	}
	p := picture.Params{Routing: r.String(), Placement: b.best, Loads: objective.Evaluate(r, b.best)}
	if picture.SVG(&placed, p) == nil {
		b.hub.Publish(web.Event{Picture: &web.Picture{Name: "best.svg", About: "The best placement so far, E_max " + b.value.RatString(), SVG: placed.Bytes()}})
	}
}
