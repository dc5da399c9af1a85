package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"leeway/search/cluster/message"
	"leeway/search/cluster/queue"
)

// Options say how a coordinator works. Program and Log are needed.
type Options struct {
	Program string // version; workers of another one are turned away
	Job     string // what it is about, for people
	Log     *slog.Logger
	// UnitTime is how long a unit should take; 0: 20 s.
	UnitTime time.Duration
	// Judges is how many streams are judged at a time; 0: 1.
	Judges int
	// Patience is after how long the queue delivers a unit again; 0: not known.
	Patience time.Duration
}

// A Coordinator hands out the work of one process and takes the reports back.
type Coordinator struct {
	queue   queue.Queue
	options Options
	log     *slog.Logger
	results chan queue.Delivery
	ctx     context.Context
	stop    context.CancelFunc
	ended   sync.WaitGroup

	issues   int64                      // number of the last unit of a search
	past     map[string][]message.Entry // of the ledger, by question
	asked    message.Question           // the question that is up
	returned int                        // units given back with nothing done, less those that were done

	mu      sync.Mutex
	workers map[string]*workerState
	stopped bool // the last proof or search did not come to its end
	status  message.Status
}

// Open makes this process the coordinator of a queue, or has it go on in place of one that was killed. It
// fails with a *JobError if the queue holds another job.
func Open(ctx context.Context, q queue.Queue, o Options) (*Coordinator, error) {
	if o.UnitTime == 0 {
		o.UnitTime = 20 * time.Second
	}
	c := &Coordinator{queue: q, options: o, log: o.Log, results: make(chan queue.Delivery),
		past: map[string][]message.Entry{}, workers: map[string]*workerState{}}
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
	mine := message.Job{Protocol: message.Protocol, Program: c.options.Program, Job: c.options.Job}
	for {
		f, err := c.queue.Get(ctx, message.KeyJob)
		if err != nil {
			return err
		}
		var have message.Job
		if len(f.Value) > 0 && json.Unmarshal(f.Value, &have) == nil && have != mine {
			return &JobError{Have: have, Want: mine}
		}
		err = c.queue.Put(ctx, message.KeyJob, message.Encode(mine), f.Revision)
		if !errors.Is(err, queue.ErrChanged) {
			return err
		}
	}
}

// maxLogged is how many bad lines of a ledger are logged one by one.
const maxLogged = 10

// readLedger reads the ledger of a search, from which a coordinator goes on that takes the place of one that was
// killed.
func (c *Coordinator) readLedger(ctx context.Context) error {
	bad := 0
	return c.queue.Ledger(ctx, func(line []byte) error {
		e, err := message.ParseEntry(line)
		if err != nil {
			if bad++; bad <= maxLogged {
				c.log.Warn("entry of the ledger left out", "reason", err.Error())
			}
			return nil
		}
		if e.Issue != nil {
			c.issues = max(c.issues, e.Issue.Issue)
		}
		c.past[e.Question] = append(c.past[e.Question], e)
		return nil
	})
}

// record writes an entry to the ledger.
func (c *Coordinator) record(ctx context.Context, e message.Entry) error {
	return c.queue.Append(ctx, message.Encode(e))
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

// ask puts up the question under way.
func (c *Coordinator) ask(ctx context.Context, q message.Question) error {
	c.asked = q
	return c.queue.Put(ctx, message.KeyQuestion, message.Encode(q), queue.Any)
}

// Stopped reports whether the last proof or search was stopped or has units in quarantine, so that there is
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
