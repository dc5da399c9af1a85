package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"leeway/core"
	"leeway/results"
)

// How long what has no place to look at its context may take to come to its own end after
// Ctrl-C: a part of a command, and a command that has nothing to keep.
const (
	grace    = 50 * time.Millisecond
	patience = 150 * time.Millisecond
)

// A stoppedError says that a command was ended before it had a result.
type stoppedError struct{ what string }

func (e *stoppedError) Error() string { return fmt.Sprintf("stopped before %s known", e.what) }

// unlessStopped returns what work returns, or a *stoppedError about what, as in "the
// loads were", if ctx ends and work does not within wait. The work may be cut off
// anywhere then: it must not write.
func unlessStopped[T any](ctx context.Context, wait time.Duration, what string, work func() (T, error)) (T, error) {
	value, err := core.Await(ctx, wait, work)
	if err != nil && ctx.Err() != nil && err == ctx.Err() {
		err = &stoppedError{what}
	}
	return value, err
}

// keepers are the commands that end by themselves after Ctrl-C, since they have something
// to keep or others to tell.
var keepers = []string{"search", "resume", "restrict", "prove", "fill", "merge", "verify", "serve", "worker", "status"}

// leave has a command that does not end within its patience after Ctrl-C left behind.
// Nothing that it writes after that comes out, and no file that it has begun stays.
func (a *app) leave(ctx context.Context, cmd *cobra.Command, work func() error) error {
	_, err := core.Await(ctx, patience, func() (struct{}, error) { return struct{}{}, work() })
	if err == nil || err != ctx.Err() {
		return err
	}
	if out, ok := a.stdout.(*output); ok {
		out.shut()
	}
	a.files.Lock() // a file that is being written is finished, no other is begun
	return &stoppedError{"what " + cmd.CommandPath() + " asks for was"}
}

// writing lets a function write files, unless the command was left behind. A file that is no regular one,
// as a pipe that nobody reads, is not waited for after Ctrl-C.
func (a *app) writing(write func() error, files ...string) error {
	if i := slices.IndexFunc(files, results.IsDevice); i >= 0 {
		_, err := core.Await(a.stop, patience, func() (struct{}, error) { return struct{}{}, write() })
		if err != nil && err == a.stop.Err() {
			err = &results.WriteError{Path: files[i], Err: errUnread}
		}
		return err
	}
	if a.files != nil {
		a.files.Lock()
		defer a.files.Unlock()
	}
	return write()
}

// writeFile is results.WriteFile, unless the command was left behind.
func (a *app) writeFile(path string, data []byte) error {
	return a.writing(func() error { return results.WriteFile(path, data) }, path)
}
