package cluster

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"leeway/search/cluster/message"
)

// How often workers say hello, after what time they count as gone, and how many are remembered and named
// in an answer about the status, which is one message.
const (
	helloInterval = 2 * time.Second
	goneAfter     = 10 * time.Second
	maxWorkers    = 20_000
	maxAnswered   = 2000
)

// A workerState is the last hello of a worker.
type workerState struct {
	message.Hello
	heard time.Time
}

// hear takes in a hello.
func (c *Coordinator) hear(text []byte) {
	h, ok := message.ParseHello(text)
	if !ok {
		return
	}
	id := h.Name // one that another worker has too changes what is shown only
	c.mu.Lock()
	defer c.mu.Unlock()
	switch have := c.workers[id]; {
	case h.Leaving:
		delete(c.workers, id)
		if have != nil {
			c.log.Info("worker has left", "worker", h.Name, "host", h.Host)
		}
	case have == nil && len(c.workers) >= maxWorkers:
	default:
		if have == nil {
			c.log.Info("worker has joined", "worker", h.Name, "host", h.Host, "cores", h.Cores)
		}
		c.workers[id] = &workerState{Hello: h, heard: time.Now()}
	}
}

// capacity returns how many cores the workers have that were heard of lately, and how many of them had nothing to do.
func (c *Coordinator) capacity() (cores, idle int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for id, w := range c.workers {
		switch since := time.Since(w.heard); {
		case since > 60*goneAfter:
			delete(c.workers, id)
		case since < goneAfter:
			cores += w.Cores
			idle += w.Cores - min(w.Running, w.Cores)
		}
	}
	return cores, idle
}

// publish changes the status.
func (c *Coordinator) publish(change func(*message.Status)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change(&c.status)
}

// Know says what is known besides: the best value and a lower bound, "" for none.
func (c *Coordinator) Know(incumbent, bound string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.status.Incumbent, c.status.Bound = incumbent, bound
}

// Status returns how the job stands, workers by name.
func (c *Coordinator) Status() message.Status {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.status
	s.Workers = []message.Worker{}
	s.Units.Running = 0
	byName := func(a, b *workerState) int { return cmp.Compare(a.Name, b.Name) }
	for _, w := range slices.SortedFunc(maps.Values(c.workers), byName) {
		since := time.Since(w.heard)
		if since < goneAfter {
			s.Units.Running += w.Running
		}
		s.Workers = append(s.Workers, message.Worker{Name: w.Name, Host: w.Host, Cores: w.Cores, Running: w.Running,
			Done: w.Done, Rate: w.Rate, Seconds: since.Seconds()})
	}
	return s
}

// answer returns the status as it is sent.
func (c *Coordinator) answer() []byte {
	s := c.Status()
	s.Workers = s.Workers[:min(len(s.Workers), maxAnswered)]
	return message.Encode(s)
}
