// Package queue carries units to workers and reports back, and keeps what a coordinator needs to go on after its death.
//
//	queue.go    the interface
//	nats.go     a queue on a NATS server with JetStream: connection and streams
//	methods.go  the methods of that queue, which wait while the server is away
//	server.go   a NATS server in this process, and what it lets workers do
//
// Package queuetest has a queue in memory for tests.
package queue

import (
	"context"
	"errors"
	"time"
)

// A Queue holds the units, reports, ledger and facts of one job. Its methods may be called from any
// goroutine. While the connection is lost they wait, until it is back or the context ends.
type Queue interface {
	// Issue puts a unit into the queue unless it is there.
	Issue(ctx context.Context, id string, text []byte) error
	// Take waits for a unit. The unit is delivered again when nothing has been heard of its worker for some time.
	Take(ctx context.Context) (Delivery, error)
	// Submit hands in a report.
	Submit(ctx context.Context, text []byte) error
	// Result waits for a report. It is delivered again, also to the next coordinator, until Done is called.
	Result(ctx context.Context) (Delivery, error)

	// Append adds a line to the ledger. Ledger reads all lines, the first one first.
	Append(ctx context.Context, line []byte) error
	Ledger(ctx context.Context, each func(line []byte) error) error

	// Put sets a fact. With a revision other than Any it fails with ErrChanged unless the fact still has that revision.
	Put(ctx context.Context, key string, value []byte, revision uint64) error
	// Get returns a fact, with revision 0 if it was never set.
	Get(ctx context.Context, key string) (Fact, error)
	// Watch calls each with the fact, if it is set, and with its later values until the context ends.
	// Values that were soon replaced may be left out.
	Watch(ctx context.Context, key string, each func(Fact)) error

	// Say sends a text that may be lost. Hear calls each with those texts until the context ends.
	Say(ctx context.Context, text []byte) error
	Hear(ctx context.Context, each func(text []byte)) error
	// Ask returns the answer of the coordinator, and fails with ErrNobody without one. Answer has this
	// process answer until the context ends.
	Ask(ctx context.Context) ([]byte, error)
	Answer(ctx context.Context, answer func() []byte) error

	// Clear forgets units, reports, ledger and facts.
	Clear(ctx context.Context) error
	// Close ends the connection.
	Close() error
}

// A Delivery is a unit or a report that was given to one process.
type Delivery struct {
	Text    []byte
	Attempt int                         // 1 the first time
	Done    func(context.Context) error // takes it out of the queue
	Renew   func() error                // tells the queue that it is being worked on
	// Patience is after what time without Renew it is delivered again; 0: never.
	Patience time.Duration
}

// A Fact is the last value put under a key.
type Fact struct {
	Value    []byte
	Revision uint64
}

// Any is the revision that every fact has.
const Any = ^uint64(0)

// ErrChanged says that a fact has another revision than the one that was to be replaced.
var ErrChanged = errors.New("cluster: the fact has changed")

// ErrNobody says that no coordinator answers.
var ErrNobody = errors.New("cluster: no coordinator answers")
