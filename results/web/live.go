package web

import (
	"encoding/json"
	"slices"
	"sync"
)

// Live is a hub for one page that follows work in progress: whoever works publishes
// events, and every reader gets them as they come. Readers that come late get the
// last state first; readers that are too slow are dropped, which makes their browsers
// connect again. Its zero value is no hub: use NewLive.
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
	return liveState{Topics: append([]Event{}, l.topics...), Log: append([]string{}, l.log...), Pictures: append([]Picture{}, l.pictures...), Done: l.done}
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
