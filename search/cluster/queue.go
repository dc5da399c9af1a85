package cluster

import (
	"context"
	"errors"
	"time"
)

// A Queue carries units to workers and results back, and keeps what a coordinator
// needs to go on after its death. Everything it holds belongs to one job. Its
// methods may be called from any goroutine; they wait until what is between the
// processes is there again, or the context ends.
type Queue interface {
	// Issue puts a unit into the queue unless it is there.
	Issue(ctx context.Context, id string, text []byte) error
	// Take waits for a unit. It is delivered again when its worker has not been
	// heard of for a while.
	Take(ctx context.Context) (Delivery, error)
	// Give hands a result in.
	Give(ctx context.Context, text []byte) error
	// Result waits for a result. It is delivered again, also to the next
	// coordinator, until it is done with.
	Result(ctx context.Context) (Delivery, error)

	// Append adds an entry to the ledger, Ledger reads all entries from the first.
	Append(ctx context.Context, entry []byte) error
	Ledger(ctx context.Context, each func(entry []byte) error) error

	// Put sets a fact; with a revision other than Any only if that is still the
	// fact's, else it fails with ErrChanged.
	Put(ctx context.Context, key string, value []byte, revision uint64) error
	// Get returns a fact, with revision 0 if it was never set.
	Get(ctx context.Context, key string) (Fact, error)
	// Watch calls each with the fact, if it is set, and with every later one, until
	// the context ends. Some may be passed over for a later one.
	Watch(ctx context.Context, key string, each func(Fact)) error

	// Say sends what may be lost; Hear calls each with what comes, until the context
	// ends.
	Say(ctx context.Context, text []byte) error
	Hear(ctx context.Context, each func(text []byte)) error
	// Ask returns what the coordinator's answer is, Answer gives it until the
	// context ends.
	Ask(ctx context.Context) ([]byte, error)
	Answer(ctx context.Context, answer func() []byte) error

	// Clear forgets units, results, ledger and facts.
	Clear(ctx context.Context) error
	// Close ends the connection.
	Close() error
}

// A Delivery is a unit or a result in the hands of one process.
type Delivery struct {
	Text    []byte
	Attempt int // 1 the first time
	// Done takes it out of the queue; Beat tells that it is being worked on.
	Done func(context.Context) error
	Beat func() error
	// Patience is how long the queue waits for the next Beat; 0: for ever.
	Patience time.Duration
}

// A Fact is the last value put under a key.
type Fact struct {
	Value    []byte
	Revision uint64
}

// Any is the revision that every fact has.
const Any = ^uint64(0)

// The keys of facts.
const (
	keyJob      = "job"      // a Job
	keyQuestion = "question" // a question under way
	keyBest     = "best"     // an incumbent
)

// ErrChanged says that a fact is not the one that was to be replaced.
var ErrChanged = errors.New("cluster: the fact has changed")

// ErrNobody says that no coordinator answers.
var ErrNobody = errors.New("cluster: no coordinator answers")
