package main

import (
	"context"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"leeway/core"
	"leeway/results"
)

// unlessStopped returns what work returns, or a *stoppedError about what, as in "the loads were", if ctx ends and work
// does not end soon after. The work may be cut off anywhere then: it must not write.
func unlessStopped[T any](ctx context.Context, what string, work func() (T, error)) (T, error) {
	value, err := core.Await(ctx, grace, work)
	if err != nil && ctx.Err() != nil && err == ctx.Err() {
		err = &stoppedError{what}
	}
	return value, err
}

// keepers are the commands that end by themselves after Ctrl-C, since they have something to keep or others to tell.
var keepers = []string{"search", "resume", "restrict", "prove", "fill", "merge", "verify", "serve", "worker", "status"}

// leave has a command that does not end within its patience after Ctrl-C left behind. Nothing that it writes after that
// comes out, and no file that it has begun stays.
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

// writing lets a function write files, unless the command was left behind, and says so of each that has a name. A file
// that is not regular, such as a pipe that nobody reads, is not waited for after Ctrl-C.
func (a *app) writing(write func() error, files ...string) error {
	old := map[string]bool{}
	for _, file := range files {
		info, err := os.Stat(file)
		old[file] = err == nil && info.Mode().IsRegular()
	}
	if err := a.locked(write, files); err != nil {
		return err
	}
	for _, file := range files {
		switch {
		case old[file]:
			a.remark("wrote %s, in place of the file of that name", file)
		case file != "":
			a.remark("wrote %s", file)
		}
	}
	return nil
}

// locked does the work of writing.
func (a *app) locked(write func() error, files []string) error {
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

// deliver writes data to a file, as writing does, or to stdout where no file is named.
func (a *app) deliver(path string, data []byte) error {
	if path == "" {
		return a.write(data)
	}
	return a.writing(func() error { return results.WriteFile(path, data) }, path)
}
