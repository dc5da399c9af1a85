package coretest

import (
	"context"
	"sync/atomic"
)

// A Counted context ends by how often it was looked at, not by time, so that tests of
// what ends with a context say the same on every machine.
type Counted struct {
	context.Context
	cancel context.CancelFunc
	looks  atomic.Int64
	most   int64
}

// EndsAfter returns a context that has ended once Err was asked more than so many times.
func EndsAfter(looks int) *Counted {
	ctx, cancel := context.WithCancel(context.Background())
	c := &Counted{Context: ctx, cancel: cancel, most: int64(looks)}
	if looks == 0 {
		cancel()
	}
	return c
}

// Err counts the look and ends the context when there were too many.
func (c *Counted) Err() error {
	if c.looks.Add(1) > c.most {
		c.cancel()
	}
	return c.Context.Err()
}

// Looks returns how often the context was asked.
func (c *Counted) Looks() int64 { return c.looks.Load() }
