// Package coordinator shares the work of sessions between machines: it starts a coordinator with everything around it,
// and workers. It has no flags and prints nothing.
package coordinator

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"os"
	"runtime"
	"time"

	"leeway/cmd/work"
	"leeway/objective"
	"leeway/results/check"
	"leeway/search/cluster"
	"leeway/search/cluster/message"
	"leeway/search/cluster/queue"
	"leeway/search/refuters"
)

// Options say how a coordinator shares the work of a job.
type Options struct {
	Version string // of the program
	Job     string // identifies the job; see work.Identity
	// Listen is the server to start, nil where Access reaches one that runs.
	Listen   *queue.Listen
	Access   queue.Access
	Dir      string // keeps the queue; "": nothing is kept
	Workers  int    // of this process
	UnitTime time.Duration
	Patience time.Duration // after which the unit of a silent worker goes to another
	Replicas int
	Log      *slog.Logger
}

// An Error says which part of a coordinator or worker could not start: "listen", "token" or "dial".
type Error struct {
	Part string
	Err  error
}

// Error says what is wrong with the part.
func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// A Coordinator is a work.Head with everything around it.
type Coordinator struct {
	*cluster.Coordinator
	log  *slog.Logger
	stop []func() // in the order of making
}

// Start makes this process the coordinator of a job. Errors are *Error, and *cluster.JobError where the queue
// belongs to another job.
func Start(ctx context.Context, o Options) (c *Coordinator, err error) {
	c = &Coordinator{log: o.Log}
	defer func() {
		if err != nil {
			c.End()
			c = nil
		}
	}()
	judges := o.Workers
	if o.Workers == 0 {
		judges = runtime.NumCPU()
	}
	leaveRoom(o.Workers + judges)
	if o.Listen != nil {
		if o.Access, err = c.listen(*o.Listen, o.Dir); err != nil {
			return c, err
		}
	}
	o.Access.Lead, o.Access.Patience, o.Access.Replicas = true, o.Patience, o.Replicas
	q, err := dial(ctx, o.Access, o.Log)
	if err != nil {
		return c, err
	}
	c.stop = append(c.stop, func() { _ = q.Close() })
	c.Coordinator, err = cluster.Open(ctx, q, cluster.Options{Program: o.Version, Job: o.Job, Log: o.Log,
		UnitTime: o.UnitTime, Patience: o.Patience, Judges: judges})
	if err != nil {
		return c, err
	}
	c.stop = append(c.stop, c.Coordinator.Close)
	if o.Workers > 0 {
		c.join(ctx, q, workerOptions(o.Version, o.Workers, o.Log))
	}
	return c, nil
}

// listen starts a server and returns how to reach it. Where no token was given, one is kept for the workers of this
// user on this machine.
func (c *Coordinator) listen(l queue.Listen, dir string) (queue.Access, error) {
	given := l.Token != ""
	l.Dir = dir
	l.Announce = func(token string) error {
		if given {
			return nil
		}
		remove, err := keepToken(l.Port, token)
		if err != nil {
			return &Error{"token", err}
		}
		c.stop = append(c.stop, remove)
		return nil
	}
	server, err := queue.Start(l)
	var token *Error
	switch {
	case errors.As(err, &token):
		return queue.Access{}, token
	case err != nil:
		return queue.Access{}, &Error{"listen", err}
	}
	c.stop = append(c.stop, server.Stop)
	c.log.Info("listening", "address", server.Addr())
	return queue.Access{Server: server, Name: "coordinator"}, nil
}

// join has this process work too.
func (c *Coordinator) join(ctx context.Context, q queue.Queue, o cluster.WorkerOptions) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := cluster.Work(ctx, q, o); err != nil && ctx.Err() == nil {
			c.log.Error("this process has stopped working", "error", err.Error())
		}
	}()
	c.stop = append(c.stop, func() { cancel(); <-ended })
}

// End stops everything, the last first.
func (c *Coordinator) End() {
	for i := len(c.stop) - 1; i >= 0; i-- {
		c.stop[i]()
	}
}

// Join works for a coordinator, which it waits for, until the context ends, on as many units at a time as there are
// cores. Errors are *Error and *cluster.VersionError.
func Join(ctx context.Context, access queue.Access, version string, cores int, log *slog.Logger) error {
	leaveRoom(cores)
	q, err := awaitDial(ctx, access, log)
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = q.Close() }()
	o := workerOptions(version, cores, log)
	log.Info("joined", "worker", o.Name, "cores", cores)
	return cluster.Work(ctx, q, o)
}

// AskStatus asks the coordinator behind a server how its job stands. Errors are a *Error, and those of the answer.
func AskStatus(ctx context.Context, access queue.Access) (message.Status, error) {
	q, err := queue.Reach(access)
	if err != nil {
		return message.Status{}, &Error{"dial", err}
	}
	defer func() { _ = q.Close() }()
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	text, err := q.Ask(ctx)
	if err != nil {
		return message.Status{}, err
	}
	return message.ParseStatus(text)
}

// askTime is how long a coordinator is given to answer.
const askTime = 10 * time.Second

// leaveRoom has a given number of units done at a time, with a thread beside them: a message behind a unit would wait
// for as long as the runtime lets that go on.
func leaveRoom(cores int) { runtime.GOMAXPROCS(cores + 1) }

// dial opens the queue of a server and logs when the connection is lost.
func dial(ctx context.Context, access queue.Access, log *slog.Logger) (*queue.Nats, error) {
	access.Changed = func(err error) {
		if err != nil {
			log.Warn("connection lost, waiting until it is back: the job may be over", "error", err.Error())
			return
		}
		log.Info("connected again")
	}
	q, err := queue.Dial(ctx, access)
	if err != nil {
		return nil, &Error{"dial", err}
	}
	return q, nil
}

// dialPause is how long a worker waits between two tries to reach a server.
const dialPause = time.Second

// awaitDial is dial, which waits for a server that does not answer yet until the context ends.
func awaitDial(ctx context.Context, access queue.Access, log *slog.Logger) (*queue.Nats, error) {
	for told := false; ; told = true {
		q, err := dial(ctx, access, log)
		if !queue.Absent(err) || ctx.Err() != nil {
			return q, err
		}
		if !told {
			log.Info("waiting for the coordinator; Ctrl-C ends this", "address", access.URLs,
				"hint", "it may be reached by TLS only (--tls-ca)")
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(dialPause):
		}
	}
}

// workerOptions returns what a worker of this process works with.
func workerOptions(version string, cores int, log *slog.Logger) cluster.WorkerOptions {
	host, _ := os.Hostname() // "" will do
	var serial [4]byte
	_, _ = rand.Read(serial[:]) // never fails
	name := fmt.Sprintf("%s-%d-%s", host, os.Getpid(), hex.EncodeToString(serial[:]))
	return cluster.WorkerOptions{Name: name, Host: host, Program: version, Cores: cores,
		Methods: work.MethodsOf, Log: log,
		Write: func(ctx context.Context, engine string, p objective.Problem, below *big.Rat, name []int, to io.Writer) error {
			return refuters.Produce(ctx, engine, p, below, false, check.CutAt(name), to)
		}}
}
