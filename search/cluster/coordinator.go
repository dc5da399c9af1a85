package cluster

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"leeway/search/census"
)

// Protocol is the version of what goes between coordinator and workers.
const Protocol = 2

// Options say how a coordinator works. Program and Log are needed.
type Options struct {
	Program string // version; workers of another one are turned away
	Job     string // what it is about, for people
	Log     *slog.Logger
	// UnitTime is how long a unit should take; 0: 20 s.
	UnitTime time.Duration
	// Confirm prepares to walk a tree again, without what workers and engines share;
	// nil: the plan's own walkers do.
	Confirm func(ctx context.Context, t census.Tree) (Rewalk, error)
	// Confirmers is how many results are walked again at a time; 0: 1.
	Confirmers int
	// Sample says that only one of so many results of others is walked again; 0: each,
	// so that nothing counts on the word of a worker. With a sample the first results of
	// a worker and units of at most SmallNodes are walked again too, and all are once one
	// was wrong, whoever gave it: workers with one credential are one to the
	// coordinator.
	Sample int
	// Key authenticates what the coordinator writes for the one that comes after it;
	// nil: one of its own, so that nothing is taken over.
	Key []byte
	// Own says that nobody but the coordinator can write what the queue keeps of jobs.
	// Then a job that another key signed is none.
	Own bool
	// Patience is after how long the queue delivers a unit again; 0: not known.
	Patience time.Duration
	// Watch is called with the status when it changed, at most once a second; nil: not
	// at all.
	Watch func(Status)
}

// SmallNodes is how many nodes of a tree a unit has at most to be walked again in
// any case, and probation how many results of a worker are before it is a matter of
// samples.
const (
	SmallNodes = 1 << 10
	probation  = 8
)

// mostBanned is how many workers are kept in mind as banned, mostPosted how many of
// them are told so.
const (
	mostBanned = 100_000
	mostPosted = 256
)

// A Job is the fact by which workers know what they join.
type Job struct {
	Protocol int    `json:"protocol"`
	Program  string `json:"program"`
	Job      string `json:"job"`
	MAC      string `json:"mac,omitempty"` // of the coordinator; of no meaning to others
}

// sealed returns the job with the MAC of a key.
func (j Job) sealed(key []byte) Job {
	j.MAC = ""
	j.MAC = macOf(key, "job", mustEncode(j))
	return j
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
	issues  int64 // of the last unit
	entries int64 // number of the last line of the ledger
	past    map[string][]entry
	small   int64          // nodes of units that are walked again in any case
	proved  map[string]int // results that were right, by worker, up to probation
	early   int            // of them for which no worker is on probation: tests
	givenUp int            // units given back with nothing done, less those that were done
	wanted  question       // that is up

	mu      sync.Mutex
	vouched map[string]bool // checksums of results of this process
	banned  map[string]bool // workers, by key
	bans    []string        // the same, in order
	doubt   bool            // a result was wrong: nothing is taken on a worker's word any more
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
	if len(o.Key) == 0 {
		o.Key = make([]byte, 32)
		_, _ = rand.Read(o.Key) // never fails
	}
	c := &Coordinator{queue: q, options: o, log: o.Log, results: make(chan Delivery), past: map[string][]entry{},
		small: SmallNodes, early: probation, proved: map[string]int{}, vouched: map[string]bool{}, banned: map[string]bool{}, crew: map[string]*member{}}
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
	if err := q.Answer(c.ctx, c.answer); err != nil {
		return nil, err
	}
	c.ended.Go(c.receive)
	return c, nil
}

// mostAnswered is how many workers an answer about the status names: it is one message.
const mostAnswered = 2000

// answer returns the status as it travels.
func (c *Coordinator) answer() []byte {
	s := c.Status()
	s.Workers = s.Workers[:min(len(s.Workers), mostAnswered)]
	return mustEncode(s)
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
	mine := Job{Protocol: Protocol, Program: c.options.Program, Job: c.options.Job}.sealed(c.options.Key)
	for {
		f, err := c.queue.Get(ctx, keyJob)
		if err != nil {
			return err
		}
		var have Job
		if len(f.Value) > 0 && json.Unmarshal(f.Value, &have) == nil && (have.Protocol != mine.Protocol || have.Program != mine.Program || have.Job != mine.Job) {
			if !c.options.Own || hmac.Equal([]byte(have.MAC), []byte(have.sealed(c.options.Key).MAC)) {
				return &JobError{Have: have, Want: mine}
			}
			c.log.Warn("the queue names a job that this coordinator has not put there", "job", have.Job)
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
	if c.doubt = true; c.banned[worker] {
		return
	}
	if c.banned[worker] = true; len(c.bans) >= mostBanned {
		delete(c.banned, c.bans[0])
		c.bans = c.bans[1:]
	}
	c.bans = append(c.bans, worker)
}

func (c *Coordinator) isBanned(worker string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.banned[worker]
}

// doubts reports whether nothing is to be taken on the word of workers.
func (c *Coordinator) doubts() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.doubt || c.options.Sample == 0
}

// mostGivenUp is how many units more are given back than done before they wait until
// they are overdue; every remindAfter of them workers are told again what is wanted.
const (
	mostGivenUp = 4096
	remindAfter = 8
)

// wears counts a unit that was given back as it was, and reports whether there are so
// many that handing them out again is of no use. Workers may have been told wrong what is
// wanted.
func (c *Coordinator) wears(ctx context.Context) (bool, error) {
	c.givenUp++
	if c.givenUp%remindAfter == 0 {
		return c.givenUp > mostGivenUp, c.ask(ctx, c.wanted)
	}
	return c.givenUp > mostGivenUp, nil
}

// progress counts a unit that was done.
func (c *Coordinator) progress() { c.givenUp = max(0, c.givenUp-64) }

// refuse logs why a result does not count. Units that were given back when nobody
// wanted them any more are no news.
func (c *Coordinator) refuse(ctx context.Context, d Delivery, r Result, why error) error {
	if (why == duplicate || why == unknownUnit) && r.returned() {
		return d.Done(ctx)
	}
	c.count(r, why)
	return d.Done(ctx)
}

// count logs and counts a result that is refused.
func (c *Coordinator) count(r Result, why error) {
	c.log.Warn("result refused", "worker", r.Worker, "unit", r.Unit, "reason", why.Error())
	c.mu.Lock()
	defer c.mu.Unlock()
	c.status.Refused++
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
	c.wanted = q
	q.Banned = slices.Sorted(slices.Values(c.bans[max(0, len(c.bans)-mostPosted):]))
	c.mu.Unlock()
	return c.queue.Put(ctx, keyQuestion, mustEncode(q), Any)
}

// A question is the fact that tells workers which units are of use.
type question struct {
	ID   string `json:"id"`   // "" between questions
	Last int    `json:"last"` // prefixes from here on are not wanted
	// Banned are the keys of workers that are not trusted any more, the last ones. One
	// that hears of it ends.
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
