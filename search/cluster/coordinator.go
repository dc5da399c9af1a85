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
	"leeway/search/cluster/message"
	"leeway/search/cluster/queue"
)

// Options say how a coordinator works. Program, Log and Confirm are needed.
type Options struct {
	Program string // version; workers of another one are turned away
	Job     string // what it is about, for people
	Log     *slog.Logger
	// UnitTime is how long a unit should take; 0: 20 s.
	UnitTime time.Duration
	// Confirm prepares to walk a tree again by code that workers and engines do not share.
	Confirm func(ctx context.Context, t census.Tree) (Rewalk, error)
	// Confirmers is how many reports are walked again at a time; 0: 1.
	Confirmers int
	// Sample says that only one of so many reports of other processes is walked again; 0: each, so that
	// nothing counts on the word of a worker. With a sample the first reports of a worker and units of at
	// most SmallNodes are walked again too, and every report once one was wrong, whoever gave it: workers
	// with one token are one party to the coordinator.
	Sample int
	// Key authenticates the ledger; nil: a new key, so that nothing is taken over.
	Key []byte
	// Own says that nobody but the coordinator can write jobs to the queue. Then a job that another key
	// has signed does not stand in the way.
	Own bool
	// Patience is after how long the queue delivers a unit again; 0: not known.
	Patience time.Duration
	// Watch, if not nil, is called with the status when it has changed, at most once a second.
	Watch func(message.Status)
}

// SmallNodes is up to how many nodes of a tree a unit is walked again in any case, probation how many
// reports of each worker are.
const (
	SmallNodes = 1 << 10
	probation  = 8
)

// maxBanned is how many banned workers are remembered, maxPosted how many of them are told so.
const (
	maxBanned = 100_000
	maxPosted = 256
)

// A Coordinator hands out the work of one process and takes the reports back. It is a census.Cluster.
type Coordinator struct {
	queue   queue.Queue
	options Options
	log     *slog.Logger
	results chan queue.Delivery
	ctx     context.Context
	stop    context.CancelFunc
	ended   sync.WaitGroup

	issues   int64                      // number of the last unit
	lines    int64                      // number of the last line of the ledger
	past     map[string][]message.Entry // of the ledger, by question
	asked    message.Question           // the question that is up
	returned int                        // units given back with nothing done, less those that were done

	smallNodes int64          // SmallNodes, except in tests
	probation  int            // reports for which a worker is on probation: probation, except in tests
	right      map[string]int // reports that were confirmed, by worker, up to probation

	mu      sync.Mutex
	vouched map[string]bool // checksums of reports of this process
	banned  map[string]bool // workers, by key
	bans    []string        // the same, in order
	lied    bool            // a report was wrong: nothing is taken on a worker's word any more
	workers map[string]*workerState
	plan    census.Plan // of the question under way
	planOf  string      // that question
	stopped bool        // the last census or search did not come to its end
	status  message.Status
}

// Open makes this process the coordinator of a queue, or has it go on in place of one that was killed. It
// fails with a *JobError if the queue holds another job.
func Open(ctx context.Context, q queue.Queue, o Options) (*Coordinator, error) {
	if o.UnitTime == 0 {
		o.UnitTime = 20 * time.Second
	}
	if len(o.Key) == 0 {
		o.Key = make([]byte, 32)
		_, _ = rand.Read(o.Key) // never fails
	}
	c := &Coordinator{queue: q, options: o, log: o.Log, results: make(chan queue.Delivery),
		past: map[string][]message.Entry{}, smallNodes: SmallNodes, probation: probation, right: map[string]int{},
		vouched: map[string]bool{}, banned: map[string]bool{}, workers: map[string]*workerState{}}
	c.status.Job = o.Job
	if err := c.putJob(ctx); err != nil {
		return nil, err
	}
	if err := c.readLedger(ctx); err != nil {
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

// A JobError says that a queue belongs to another job.
type JobError struct {
	Have, Want message.Job
}

// Error names both jobs.
func (e *JobError) Error() string {
	return fmt.Sprintf("cluster: the queue holds another job, %q of version %s, not %q of %s",
		e.Have.Job, e.Have.Program, e.Want.Job, e.Want.Program)
}

// putJob puts up the job. The fact may change meanwhile: by another coordinator, or by the first try
// of this one, whose answer was lost.
func (c *Coordinator) putJob(ctx context.Context) error {
	mine := message.Job{Protocol: message.Protocol, Program: c.options.Program, Job: c.options.Job}.Sealed(c.options.Key)
	for {
		f, err := c.queue.Get(ctx, message.KeyJob)
		if err != nil {
			return err
		}
		var have message.Job
		read := len(f.Value) > 0 && json.Unmarshal(f.Value, &have) == nil
		if read && (have.Protocol != mine.Protocol || have.Program != mine.Program || have.Job != mine.Job) {
			if !c.options.Own || hmac.Equal([]byte(have.MAC), []byte(have.Sealed(c.options.Key).MAC)) {
				return &JobError{Have: have, Want: mine}
			}
			c.log.Warn("the queue names a job that this coordinator has not put there", "job", have.Job)
		}
		err = c.queue.Put(ctx, message.KeyJob, message.Encode(mine), f.Revision)
		if !errors.Is(err, queue.ErrChanged) {
			return err
		}
	}
}

// maxLogged is how many bad lines of a ledger are logged one by one.
const maxLogged = 10

// readLedger reads the ledger, from which a coordinator goes on that takes the place of one that was killed. Lines that
// are not from a coordinator of this job and key are left out, and so are those that stand there a second time.
func (c *Coordinator) readLedger(ctx context.Context) error {
	bad := 0
	err := c.queue.Ledger(ctx, func(line []byte) error {
		number, e, err := message.Unseal(c.options.Key, c.options.Job, line)
		if err != nil {
			if bad++; bad <= maxLogged {
				c.log.Warn("entry of the ledger left out", "reason", err.Error())
			}
			return nil
		}
		if number <= c.lines {
			return nil // written twice, after an answer that was lost, or by somebody else
		}
		c.lines = number
		if e.Issue != nil {
			c.issues = max(c.issues, e.Issue.Issue)
		}
		if e.Void != "" {
			c.ban(e.Void)
		}
		c.past[e.Question] = append(c.past[e.Question], e)
		return nil
	})
	if bad > 0 {
		c.log.Warn("the ledger holds entries that this coordinator has not written: what they say is not believed",
			"entries", bad)
	}
	return err
}

// record writes an entry to the ledger.
func (c *Coordinator) record(ctx context.Context, e message.Entry) error {
	c.lines++
	return c.queue.Append(ctx, message.Seal(c.options.Key, c.options.Job, c.lines, e))
}

// receive passes reports on to whoever waits for them.
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

// Vouch says that a report is one of this process, which is not verified.
func (c *Coordinator) Vouch(r message.Report) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.vouched[r.Checksum()] = true
}

// vouchedFor reports whether a report is one of this process, the first time that it is asked.
func (c *Coordinator) vouchedFor(r message.Report) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	own := c.vouched[r.Check]
	delete(c.vouched, r.Check)
	return own
}

// ban has nothing more taken from a worker, and nothing more on the word of others.
func (c *Coordinator) ban(worker string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lied = true; c.banned[worker] {
		return
	}
	if c.banned[worker] = true; len(c.bans) >= maxBanned {
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

// confirmsAll reports whether nothing is to be taken on the word of workers.
func (c *Coordinator) confirmsAll() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lied || c.options.Sample == 0
}

// Planned returns the plan of the question under way, nil for another one.
func (c *Coordinator) Planned(question string) census.Plan {
	c.mu.Lock()
	defer c.mu.Unlock()
	if question != c.planOf {
		return nil
	}
	return c.plan
}

// ask puts up the question under way, and who is banned.
func (c *Coordinator) ask(ctx context.Context, q message.Question) error {
	c.asked = q
	c.mu.Lock()
	q.Banned = slices.Sorted(slices.Values(c.bans[max(0, len(c.bans)-maxPosted):]))
	c.mu.Unlock()
	return c.queue.Put(ctx, message.KeyQuestion, message.Encode(q), queue.Any)
}

// Stopped reports whether the last census or search was stopped or has units in quarantine, so that there is
// something to go on with.
func (c *Coordinator) Stopped() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stopped || c.status.Units.Quarantined > 0
}

// Finish empties the queue of a job whose outcome is known: the next coordinator begins anew.
func (c *Coordinator) Finish(ctx context.Context) error { return c.queue.Clear(ctx) }

// Close stops listening. What is in the queue stays there.
func (c *Coordinator) Close() {
	c.stop()
	c.ended.Wait()
}
