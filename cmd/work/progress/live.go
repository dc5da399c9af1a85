package progress

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/big"
	"net"
	"slices"
	"sync"
	"time"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/results/frontier"
	"leeway/results/layout"
	"leeway/results/picture"
	"leeway/results/store"
	"leeway/results/web"
	"leeway/search"
	"leeway/search/cluster/message"
)

// liveInterval is how often the live page is told how a search stands.
const liveInterval = 500 * time.Millisecond

// maxLivePoints is how many improvements the live picture of a search shows.
const maxLivePoints = 1000

// A Live shows tasks on a live page, one after the other. A nil Live shows
// nothing.
type Live struct {
	hub *web.Live

	mu       sync.Mutex
	title    string
	problem  objective.Problem // its routing is nil where the size is looked for
	bound    *big.Rat          // nil where there is none
	checking *big.Rat          // a larger one that is being checked, nil if there is none
	started  time.Time
	last     search.Event
	best     core.Placement
	table    *routing.Table // of best, nil where the routing is given
	value    *big.Rat       // of best
	points   []picture.Point
	methods  map[string]search.Event
	told     map[string]string // what was last published, by topic
	improved bool              // since the last picture
	shared   map[string]string // what was last published of a cluster, by topic
}

// Tick tells how things stand until the context ends.
func (b *Live) Tick(ctx context.Context) {
	tick := time.NewTicker(liveInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			b.Tell()
		}
	}
}

// NewLive returns what publishes to a hub.
func NewLive(hub *web.Live) *Live { return &Live{hub: hub} }

// Broadcast does some work while a live page of a title, which the work gets, answers on a listener. Errors are those
// of the work and of the listener.
func Broadcast(listener net.Listener, title string, do func(*Live) error) error {
	hub := web.NewLive(title)
	live := NewLive(hub)
	handler, err := hub.Handler(web.Access{Loopback: web.Loopback(listener)})
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	var failed error
	running.Go(func() { failed = web.Serve(ctx, listener, handler) })
	running.Go(func() { live.Tick(ctx) })
	err = do(live)
	live.Tell()
	hub.Publish(web.Event{Done: true})
	stop()
	running.Wait()
	return cmp.Or(err, failed)
}

// Begin starts to show a task; nulls are those of searches before.
func (b *Live) Begin(title string, p objective.Problem, bound *big.Rat, nulls []store.Null) {
	if b == nil {
		return
	}
	b.mu.Lock()
	for topic := range b.told {
		b.hub.Publish(web.Event{Topic: topic, Over: true})
	}
	b.title, b.problem, b.bound, b.started = title, p, bound, time.Now()
	b.checking = nil
	b.last, b.best, b.table, b.value, b.points, b.improved = search.Event{}, core.Placement{}, nil, nil, nil, false
	b.methods, b.told = map[string]search.Event{}, map[string]string{}
	b.mu.Unlock()
	b.hub.Publish(web.Event{Line: "began: " + title})
	for _, n := range nulls {
		b.hub.Publish(web.Event{Line: fmt.Sprintf("null result: %s saw no less than %s in %d evaluations (seed %d)",
			n.Method, n.Best, n.Evaluations, n.Seed)})
	}
	b.Tell()
}

// Bound takes in the bound that is proved, and a larger one that is being checked, nil if there is none.
func (b *Live) Bound(lower, checking *big.Rat) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.bound, b.checking = lower, checking
}

// Observe takes in an event; methods may call it from any goroutine.
func (b *Live) Observe(e search.Event) {
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
		b.best, b.table = e.Best, e.Table
	}
	if len(b.points) < maxLivePoints {
		b.points = append(b.points, picture.Point{X: e.Evaluations, Y: e.Value, Note: e.Method})
	}
	b.hub.Publish(web.Event{Line: fmt.Sprintf("%s  E_max %s (%s, %d evaluations)",
		time.Since(b.started).Round(time.Second), decimal(e.Value), e.Method, e.Evaluations)})
}

// End says how a search ended.
func (b *Live) End(outcome string) {
	if b == nil {
		return
	}
	b.Tell()
	b.hub.Publish(web.Event{Line: outcome})
}

// Tell publishes what has changed.
func (b *Live) Tell() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.methods == nil {
		return // nothing has begun
	}
	b.publish(b.told, "search", b.title, b.fields())
	for _, name := range slices.Sorted(maps.Keys(b.methods)) {
		b.publish(b.told, "method "+name, "Method "+name, methodFields(b.methods[name]))
	}
	if b.improved {
		b.improved = false
		b.pictures()
	}
}

// publish tells the state of a topic if it is not what was told before.
func (b *Live) publish(told map[string]string, topic, title string, fields []web.Field) {
	if text := fmt.Sprint(fields); told[topic] != text {
		told[topic] = text
		b.hub.Publish(web.Event{Topic: topic, Title: title, Fields: fields})
	}
}

// fields returns how the search stands.
func (b *Live) fields() []web.Field {
	elapsed := time.Since(b.started)
	var list []web.Field
	if b.value != nil {
		list = append(list, web.Field{Name: "best", Value: decimal(b.value)})
	}
	if b.bound != nil {
		list = append(list, web.Field{Name: "bound", Value: decimal(b.bound)})
	}
	if b.checking != nil {
		list = append(list, web.Field{Name: "bound being checked", Value: decimal(b.checking)})
	}
	if b.value != nil && b.bound != nil {
		list = append(list, web.Field{Name: "gap", Value: decimal(new(big.Rat).Sub(b.value, b.bound))})
	}
	speed := float64(b.last.Evaluations) / max(elapsed.Seconds(), 0.001)
	return append(list, web.Field{Name: "evaluations", Value: fmt.Sprint(b.last.Evaluations)},
		web.Field{Name: "evaluations/s", Value: Short(speed)},
		web.Field{Name: "time", Value: elapsed.Round(time.Second).String()})
}

// methodFields returns what a method said last.
func methodFields(e search.Event) []web.Field {
	var list []web.Field
	if e.Value != nil {
		list = append(list, web.Field{Name: "best", Value: decimal(e.Value)})
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
func (b *Live) pictures() {
	var placed, progress bytes.Buffer
	chart := frontier.Timeline(b.title, b.points, b.bound, "evaluations")
	if picture.SVG(&progress, chart) == nil { // a live page without a picture is not a fault
		b.hub.Publish(web.Event{Picture: &web.Picture{Name: "progress.svg", About: "Best E_max against evaluations",
			SVG: progress.Bytes()}})
	}
	p := b.problem
	if b.table != nil {
		p.Routing = b.table
	}
	if p.Routing == nil || b.best.Torus() == nil || b.best.Torus().N() > picture.MaxNodes {
		return
	}
	what := picture.Params{Routing: p.Routing.String(), Placement: b.best, Loads: fast.Evaluate(p, b.best), Fixed: p.Fixed,
		Forbidden: p.Forbidden, Traffic: p.Traffic}
	if picture.SVG(&placed, what) == nil {
		b.hub.Publish(web.Event{Picture: &web.Picture{Name: "best.svg",
			About: "The best placement so far, E_max " + decimal(b.value), SVG: placed.Bytes()}})
	}
}

// mostShown is how many workers the page shows one by one.
const mostShown = 500

// Cluster shows how a cluster stands: the job, and every worker on its own.
func (b *Live) Cluster(s message.Status) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.shared == nil {
		b.shared = map[string]string{}
	}
	b.publish(b.shared, "cluster", s.Job, ClusterFields(s))
	present := map[string]bool{"cluster": true}
	for _, w := range s.Workers[:min(len(s.Workers), mostShown)] {
		topic := "worker " + w.Name
		present[topic] = true
		b.publish(b.shared, topic, "Worker "+w.Name, workerFields(w))
	}
	for topic := range b.shared {
		if !present[topic] {
			delete(b.shared, topic)
			b.hub.Publish(web.Event{Topic: topic, Over: true})
		}
	}
}

// ClusterFields returns how the job stands.
func ClusterFields(s message.Status) (list []web.Field) {
	add := func(name, value string) {
		if value != "" {
			list = append(list, web.Field{Name: name, Value: value})
		}
	}
	rate, cores := 0.0, 0
	for _, w := range s.Workers {
		rate, cores = rate+w.Rate, cores+w.Cores
	}
	add("problem", s.Problem)
	if s.Below != "" {
		add("question", fmt.Sprintf("E_max below %s, by %s", layout.WithDecimal(s.Below), s.Engine))
		add("units not out yet", fmt.Sprintf("%d; those under way may leave more", s.Units.Open))
	}
	add("best", layout.WithDecimal(s.Incumbent))
	add("bound", layout.WithDecimal(s.Bound))
	add("units done", fmt.Sprint(s.Units.Done))
	add("units out", fmt.Sprintf("%d, %d of them running", s.Units.Out, s.Units.Running))
	if s.Units.Quarantined > 0 {
		add("in quarantine", fmt.Sprintf("%d units, which cost several workers; the same command tries them again",
			s.Units.Quarantined))
	}
	if s.Refused > 0 {
		add("refused", fmt.Sprintf("%d results and incumbents; the log of the coordinator says why", s.Refused))
	}
	add("workers", fmt.Sprintf("%d with %d cores", len(s.Workers), cores))
	add("rate", Short(rate)+"/s")
	if s.SecondsLeft > 0 {
		add("left", "about "+time.Duration(s.SecondsLeft*float64(time.Second)).Round(time.Second).String())
	}
	return list
}

func workerFields(w message.Worker) []web.Field {
	list := []web.Field{{Name: "host", Value: w.Host},
		{Name: "running", Value: fmt.Sprintf("%d on %d cores", w.Running, w.Cores)},
		{Name: "units done", Value: fmt.Sprint(w.Done)}, {Name: "rate", Value: Short(w.Rate) + "/s"}}
	if w.Seconds >= 10 {
		ago := time.Duration(w.Seconds * float64(time.Second)).Round(10 * time.Second)
		list = append(list, web.Field{Name: "last seen", Value: ago.String() + " ago"})
	}
	return list
}

// Short writes a count with a metric suffix.
func Short(v float64) string {
	switch {
	case v >= 1e9:
		return fmt.Sprintf("%.1fG", v/1e9)
	case v >= 1e6:
		return fmt.Sprintf("%.1fM", v/1e6)
	case v >= 1e4:
		return fmt.Sprintf("%.0fk", v/1e3)
	default:
		return fmt.Sprintf("%.0f", v)
	}
}

// decimal returns a load as people read it, with its decimal beside a fraction.
func decimal(v *big.Rat) string { return layout.WithDecimal(v.RatString()) }
