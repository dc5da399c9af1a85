package cluster

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// A Status is how a job stands.
type Status struct {
	Job          string   `json:"job"`
	Problem      string   `json:"problem"`
	Below        string   `json:"below,omitempty"`  // of a census: the question under way
	Engine       string   `json:"engine,omitempty"` // of a census
	Incumbent    string   `json:"incumbent,omitempty"`
	Bound        string   `json:"bound,omitempty"`
	Units        Units    `json:"units"`
	Prefixes     int      `json:"prefixes"`
	PrefixesLeft int      `json:"prefixes_left"`
	SecondsLeft  float64  `json:"seconds_left"` // a guess, 0 if there is none
	Refused      int      `json:"refused"`      // results and incumbents
	Workers      []Worker `json:"workers"`
}

// Units counts units of the question under way.
type Units struct {
	Done        int `json:"done"`
	Out         int `json:"out"`        // in the queue, or being worked on
	Running     int `json:"running"`    // being worked on
	Confirming  int `json:"confirming"` // done, to be walked again by the coordinator
	Quarantined int `json:"quarantined"`
}

// A Worker is a process that takes units.
type Worker struct {
	Name    string  `json:"name"`
	Host    string  `json:"host"`
	Cores   int     `json:"cores"`
	Running int     `json:"running"`
	Done    int     `json:"done"`    // units
	Rate    float64 `json:"rate"`    // nodes or evaluations per second
	Seconds float64 `json:"seconds"` // since it was heard of
	Trusted bool    `json:"trusted"`
}

// A member is a worker as the coordinator knows it.
type member struct {
	hello
	heard time.Time
}

// A hello is what a worker says now and then. It holds no time: clocks differ.
type hello struct {
	Key     string  `json:"key"`
	Name    string  `json:"name"`
	Host    string  `json:"host"`
	Cores   int     `json:"cores"`
	Running int     `json:"running"`
	Done    int     `json:"done"`
	Rate    float64 `json:"rate"`
	Leaving bool    `json:"leaving,omitempty"`
}

// How often workers say hello, after what time they count as gone, and how many are
// kept in mind.
const (
	helloInterval = 2 * time.Second
	goneAfter     = 10 * time.Second
	maxMembers    = 20_000
	maxCores      = 4096
)

// hear takes in a hello.
func (c *Coordinator) hear(text []byte) {
	var h hello
	if len(text) > 4096 || json.Unmarshal(text, &h) != nil || h.Name == "" || !plain(h.Name) || !plain(h.Host) || !plain(h.Key) {
		return
	}
	id := cmp.Or(h.Key, h.Name) // a name that another worker has too changes what is shown only
	h.Cores, h.Running = min(max(h.Cores, 0), maxCores), min(max(h.Running, 0), maxCores)
	c.mu.Lock()
	defer c.mu.Unlock()
	switch have := c.crew[id]; {
	case h.Leaving:
		delete(c.crew, id)
		if have != nil {
			c.log.Info("worker has left", "worker", h.Name, "host", h.Host)
		}
	case have == nil && len(c.crew) >= maxMembers:
	default:
		if have == nil {
			c.log.Info("worker has joined", "worker", h.Name, "host", h.Host, "cores", h.Cores)
		}
		c.crew[id] = &member{hello: h, heard: time.Now()}
	}
}

// cores returns how many cores the workers have that were heard of lately.
func (c *Coordinator) cores() int {
	cores, _ := c.capacity()
	return cores
}

// idle returns how many of the cores had nothing to do lately.
func (c *Coordinator) idle() int {
	cores, running := c.capacity()
	return cores - running
}

// capacity adds up the cores of workers that are trusted and were heard of lately,
// and what they run.
func (c *Coordinator) capacity() (cores, running int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for id, m := range c.crew {
		switch since := time.Since(m.heard); {
		case since > 60*goneAfter:
			delete(c.crew, id)
		case since < goneAfter && !c.banned[id]:
			cores += m.Cores
			running += min(m.Running, m.Cores)
		}
	}
	return cores, running
}

// publish changes the status and shows it.
func (c *Coordinator) publish(change func(*Status)) {
	c.mu.Lock()
	change(&c.status)
	c.mu.Unlock()
	if c.options.Watch != nil {
		c.options.Watch(c.Status())
	}
}

// Know says what is known besides: the best value and a lower bound, "" for none.
func (c *Coordinator) Know(incumbent, bound string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.status.Incumbent, c.status.Bound = incumbent, bound
}

// Status returns how the job stands, workers by name.
func (c *Coordinator) Status() Status {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.status
	s.Workers = []Worker{}
	s.Units.Running = 0
	for _, m := range slices.SortedFunc(maps.Values(c.crew), func(a, b *member) int { return cmp.Compare(a.Name, b.Name) }) {
		since := time.Since(m.heard)
		if since < goneAfter {
			s.Units.Running += m.Running
		}
		s.Workers = append(s.Workers, Worker{Name: m.Name, Host: m.Host, Cores: m.Cores, Running: m.Running, Done: m.Done, Rate: m.Rate,
			Seconds: since.Seconds(), Trusted: !c.banned[m.Key]})
	}
	return s
}

// plain reports whether a name is a short one that a terminal shows as it is.
func plain(name string) bool {
	return len(name) <= 200 && !strings.ContainsFunc(name, func(r rune) bool { return r == utf8.RuneError || !unicode.IsPrint(r) })
}

// ParseStatus reads what Queue.Ask returns. It fails on names that are not plain.
func ParseStatus(text []byte) (Status, error) {
	var s Status
	if len(text) > maxStatus {
		return s, fmt.Errorf("cluster: a status of %d bytes is not read", len(text))
	}
	if err := json.Unmarshal(text, &s); err != nil {
		return s, fmt.Errorf("cluster: not a status: %w", err)
	}
	names := []string{s.Problem, s.Below, s.Engine, s.Incumbent, s.Bound}
	for _, w := range s.Workers {
		names = append(names, w.Name, w.Host)
	}
	for _, n := range names {
		if strings.ContainsFunc(n, func(r rune) bool { return !unicode.IsPrint(r) }) {
			return Status{}, errors.New("cluster: not a status: it has names that cannot be shown")
		}
	}
	if strings.ContainsFunc(s.Job, unicode.IsControl) {
		return Status{}, errors.New("cluster: not a status: its job cannot be shown")
	}
	return s, nil
}

// maxStatus is the length of the longest status that is read.
const maxStatus = 16 << 20
