package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"leeway/core"
)

// An entry is a line of the ledger: what the coordinator did, written before it
// acts on it.
type entry struct {
	Question string  `json:"question"`
	Issue    *Unit   `json:"issue,omitempty"`
	Accept   *Result `json:"accept,omitempty"`
	Void     string  `json:"void,omitempty"`   // a worker
	Better   []int   `json:"better,omitempty"` // the placement that showed it, of a search
}

// record writes an entry.
func (c *Coordinator) record(ctx context.Context, e entry) error {
	return c.queue.Append(ctx, mustEncode(e))
}

// recall reads the ledger, from which a coordinator that was killed goes on. What
// other questions hold it keeps for later.
func (c *Coordinator) recall(ctx context.Context) error {
	return c.queue.Ledger(ctx, func(text []byte) error {
		var e entry
		if err := json.Unmarshal(text, &e); err != nil {
			return fmt.Errorf("cluster: the ledger cannot be read: %w", err)
		}
		if e.Issue != nil {
			c.issues = max(c.issues, e.Issue.Issue)
		}
		if e.Void != "" {
			c.banned[e.Void] = true
		}
		c.past[e.Question] = append(c.past[e.Question], e)
		return nil
	})
}

// replay brings a board to where the ledger left it.
func (b *board) replay(entries []entry, torus *core.Torus, now time.Time) {
	for _, e := range entries {
		switch {
		case e.Issue != nil && e.Issue.Census != nil:
			b.issue(e.Issue.ID(), span{e.Issue.Census.From, e.Issue.Census.Count}, false, now)
		case e.Accept != nil:
			if p, err := b.open(e.Accept.Unit); err == nil && p.fits(*e.Accept) == nil {
				b.settle(p, *e.Accept, torus)
			}
		case e.Void != "":
			b.void(e.Void)
		}
	}
	for _, p := range b.outstanding() {
		p.since = now
	}
}

// touched returns, of the slices that are done, those of which a worker that was not
// trusted any more had done a part. Such a slice is in the ledger from its first
// unit on, or it would have been done before.
func (b *board) touched(entries []entry) (list []int) {
	part, of := map[string]int{}, map[string][]int{}
	for _, e := range entries {
		switch {
		case e.Issue != nil && e.Issue.Census != nil:
			if i := b.sliceOf(span{e.Issue.Census.From, e.Issue.Census.Count}); i >= 0 && b.done[i] {
				part[e.Issue.ID()] = i
			}
		case e.Accept != nil:
			if i, ok := part[e.Accept.Unit]; ok {
				of[e.Accept.Worker] = append(of[e.Accept.Worker], i)
			}
		case e.Void != "":
			list = append(list, of[e.Void]...)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// settle takes a result that was accepted onto the board and returns the slice that
// is complete now, -1 if there is none.
func (b *board) settle(p *piece, r Result, torus *core.Torus) int {
	if r.Deaths > 0 {
		p.quarantined = true
		return -1
	}
	slice := b.finish(p, r.Done, r.Nodes, r.sum(), r.Worker)
	if len(r.Found) > 0 {
		b.find(p.from+r.Done, core.MustPlacement(torus, r.Found))
	}
	return slice
}
