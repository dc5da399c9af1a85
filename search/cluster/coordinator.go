package cluster

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"leeway/search/census"
)

// Protocol is the version of what goes between coordinator and workers.
const Protocol = 1

// Options say how a coordinator works. Program and Log are needed.
type Options struct {
	Program string // version; workers of another one are turned away
	Job     string // what it is about, for people
	Log     *slog.Logger
	// UnitTime is how long a unit should take; 0: 20 s.
	UnitTime time.Duration
	// Sample says that one of so many units of others is walked again; 0: of 128.
	// Those of at most SmallNodes are, all of them.
	Sample int
	// Watch is called with the status when it changed, at most once a second; nil: not
	// at all.
	Watch func(Status)
}

// SmallNodes is how many nodes of a tree a unit has at most to be walked again in
// any case.
const SmallNodes = 1 << 10

// A Job is the fact by which workers know what they join.
type Job struct {
	Protocol int    `json:"protocol"`
	Program  string `json:"program"`
	Job      string `json:"job"`
}

// A Coordinator hands out the work of one process and takes the results back. It
// is a census.Crew.
type Coordinator struct {
	queue   Queue
	options Options
	log     *slog.Logger
	results chan Delivery
	ctx     context.Context
	stop    context.CancelFunc
	ended   sync.WaitGroup
	secret  uint64 // which units are walked again
	issues  int64  // of the last unit
	past    map[string][]entry

	mu      sync.Mutex
	vouched map[string]bool // checksums of results of this process
	banned  map[string]bool // workers
	crew    map[string]*member
	asked   string // the question under way, and its plan
	plan    census.Plan
	stopped bool // the last walk or search did not come to its end
	status  Status
}

// Open makes this process the coordinator of a queue, or has it go on in place of
// one that was killed. It fails with a *JobError if the queue holds another job.
func Open(ctx context.Context, q Queue, o Options) (*Coordinator, error) {
	if o.UnitTime == 0 {
		o.UnitTime = 20 * time.Second
	}
	if o.Sample == 0 {
		o.Sample = 128
	}
	c := &Coordinator{queue: q, options: o, log: o.Log, results: make(chan Delivery), past: map[string][]entry{},
		vouched: map[string]bool{}, banned: map[string]bool{}, crew: map[string]*member{}}
	var seed [8]byte
	if _, err := rand.Read(seed[:]); err != nil {
		return nil, err
	}
	c.secret = binary.LittleEndian.Uint64(seed[:])
	c.status.Job = o.Job
	if err := c.claim(ctx); err != nil {
		return nil, err
	}
	if err := c.recall(ctx); err != nil {
		return nil, err
	}
	c.ctx, c.stop = context.WithCancel(context.WithoutCancel(ctx))
	if err := q.Hear(c.ctx, c.hear); err != nil {
		return nil, err
	}
	if err := q.Answer(c.ctx, func() []byte { return mustEncode(c.Status()) }); err != nil {
		return nil, err
	}
	c.ended.Go(c.receive)
	return c, nil
}

// A JobError says that a queue belongs to another job.
type JobError struct {
	Have, Want Job
}

// Error names both jobs.
func (e *JobError) Error() string {
	return fmt.Sprintf("cluster: the queue holds another job, %q of version %s, not %q of %s", e.Have.Job, e.Have.Program, e.Want.Job, e.Want.Program)
}

// claim puts up the job. The fact may change meanwhile: by another coordinator, or by
// the first try of this one, whose answer was lost.
func (c *Coordinator) claim(ctx context.Context) error {
	mine := Job{Protocol: Protocol, Program: c.options.Program, Job: c.options.Job}
	for {
		f, err := c.queue.Get(ctx, keyJob)
		if err != nil {
			return err
		}
		var have Job
		if len(f.Value) > 0 && json.Unmarshal(f.Value, &have) == nil && have != mine {
			return &JobError{Have: have, Want: mine}
		}
		if err := c.queue.Put(ctx, keyJob, mustEncode(mine), f.Revision); !errors.Is(err, ErrChanged) {
			return err
		}
	}
}

// receive passes results on to whoever waits for them.
func (c *Coordinator) receive() {
	for {
		d, err := c.queue.Result(c.ctx)
		if err != nil {
			if c.ctx.Err() == nil {
				c.log.Error("no results can be read", "error", err)
			}
			return
		}
		select {
		case c.results <- d:
		case <-c.ctx.Done():
			return
		}
	}
}

// Vouch says that a result is one of this process, which is not verified.
func (c *Coordinator) Vouch(r Result) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.vouched[r.checksum()] = true
}

// vouchedFor reports whether a result is one of this process, once.
func (c *Coordinator) vouchedFor(r Result) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	own := c.vouched[r.Check]
	delete(c.vouched, r.Check)
	return own
}

// ban has nothing more taken from a worker.
func (c *Coordinator) ban(worker string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.banned[worker] = true
}

func (c *Coordinator) isBanned(worker string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.banned[worker]
}

// refuse logs why a result does not count. Units that were given back when nobody
// wanted them any more are no news.
func (c *Coordinator) refuse(ctx context.Context, d Delivery, r Result, why error) error {
	if (why == duplicate || why == unknownUnit) && r.returned() {
		return d.Done(ctx)
	}
	c.log.Warn("result refused", "worker", r.Worker, "unit", r.Unit, "reason", why.Error())
	c.mu.Lock()
	c.status.Refused++
	c.mu.Unlock()
	return d.Done(ctx)
}

// Planned returns the plan of the question under way, nil for another one.
func (c *Coordinator) Planned(question string) census.Plan {
	c.mu.Lock()
	defer c.mu.Unlock()
	if question != c.asked {
		return nil
	}
	return c.plan
}

// ask puts up the question under way, and who has nothing to do with it.
func (c *Coordinator) ask(ctx context.Context, q question) error {
	c.mu.Lock()
	q.Banned = slices.Sorted(maps.Keys(c.banned))
	c.mu.Unlock()
	return c.queue.Put(ctx, keyQuestion, mustEncode(q), Any)
}

// A question is the fact that tells workers which units are of use.
type question struct {
	ID   string `json:"id"`   // "" between questions
	Last int    `json:"last"` // prefixes from here on are not wanted
	// Banned are the workers that are not trusted any more. One that hears of it ends.
	Banned []string `json:"banned,omitempty"`
}

// Stopped reports whether the last walk or search was stopped, or has units in
// quarantine: then there is something to go on with.
func (c *Coordinator) Stopped() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stopped || c.status.Units.Quarantined > 0
}

func (c *Coordinator) setStopped(stopped bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stopped = stopped
}

// Finish forgets the job, whose result is known: a coordinator that opens the queue
// again begins anew.
func (c *Coordinator) Finish(ctx context.Context) error { return c.queue.Clear(ctx) }

// Close stops listening. What is in the queue stays there.
func (c *Coordinator) Close() {
	c.stop()
	c.ended.Wait()
}
