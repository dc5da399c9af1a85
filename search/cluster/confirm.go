package cluster

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"sync"

	"leeway/search/census"
	"leeway/search/cluster/message"
)

// A Rewalk walks the prefixes from..to-1 of a tree again. It ends early with the first placement below
// the value, or when the context ends. Several goroutines call it.
type Rewalk func(ctx context.Context, from, to int) (census.Tally, error)

// A confirmer walks reports again, beside everything else.
type confirmer struct {
	prepare  func() (Rewalk, error)
	banned   func(worker string) bool
	finished chan confirmation
	ended    sync.WaitGroup

	mu      sync.Mutex
	waiting []confirmation
	added   *sync.Cond // to waiting, or the context has ended
}

// A confirmation is a report that is walked again.
type confirmation struct {
	result message.Report
	batch  *batch
	span   span // of the batch when it was handed out
	local  bool // there is no report of a worker: none wants the unit

	tally census.Tally // what was counted here, afterwards
	wrong error        // what the report has wrong
	err   error        // why it could not be walked
}

// newConfirmer returns a confirmer that waits for work until the context ends.
func newConfirmer(ctx context.Context, t census.Tree, o Options, banned func(string) bool) *confirmer {
	c := &confirmer{finished: make(chan confirmation), banned: banned}
	c.added = sync.NewCond(&c.mu)
	context.AfterFunc(ctx, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.added.Broadcast()
	})
	c.prepare = sync.OnceValues(func() (Rewalk, error) { return o.Confirm(ctx, t) })
	for range max(1, o.Confirmers) {
		c.ended.Go(func() { c.work(ctx) })
	}
	return c
}

// add has a report walked again; it never waits.
func (c *confirmer) add(r confirmation) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting = append(c.waiting, r)
	c.added.Signal()
}

// next waits for a report. It reports false if the context ends first.
func (c *confirmer) next(ctx context.Context) (r confirmation, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.waiting) == 0 && ctx.Err() == nil {
		c.added.Wait()
	}
	if ctx.Err() != nil {
		return r, false
	}
	r, c.waiting = c.waiting[0], c.waiting[1:]
	return r, true
}

func (c *confirmer) work(ctx context.Context) {
	for {
		r, ok := c.next(ctx)
		if !ok {
			return
		}
		if !r.local && c.banned(r.result.Key) {
			r.tally.Ended = true
		} else {
			c.walk(ctx, &r)
		}
		select {
		case c.finished <- r:
		case <-ctx.Done():
			return
		}
	}
}

// walk walks the prefixes of a report, to the end: if the report is wrong, what was counted here takes its place.
func (c *confirmer) walk(ctx context.Context, r *confirmation) {
	var rewalk Rewalk
	if rewalk, r.err = c.prepare(); r.err != nil {
		return
	}
	r.tally, r.err = rewalk(ctx, r.span.from, r.span.from+r.result.Done)
	switch {
	case r.err != nil || r.local || r.tally.Ended:
	case r.tally.Found.Size() > 0:
		r.wrong = fmt.Errorf("one of its prefixes from %d on holds a placement", r.span.from)
	case r.tally.Nodes != r.result.Nodes || r.tally.Sum != r.result.NodeSum():
		r.wrong = fmt.Errorf("its counts are wrong: %d nodes, sum %016x, not %d, %s",
			r.tally.Nodes, r.tally.Sum, r.result.Nodes, r.result.Sum)
	}
}

// believed reports whether a report of another process counts on the word of its worker.
func (w *censusRun) believed(r message.Report) bool {
	if w.confirmsAll() || r.Nodes <= w.smallNodes || w.right[r.Key] < w.probation {
		return false
	}
	id, err := hex.DecodeString(message.MAC(w.options.Key, "sample", []byte(r.Unit)))
	return err == nil && binary.LittleEndian.Uint64(id)%uint64(w.options.Sample) != 0
}
