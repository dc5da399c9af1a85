package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"leeway/core/parallel"
)

// A Program is one run of a program. stdout carries results only; everything else goes to stderr as "NAME: what is
// wrong" and "hint: what to do".
type Program struct {
	Name           string
	Args           []string // the command line without the program's name
	Stdin          io.Reader
	Stdout, Stderr *Output

	stop  context.Context // ends at Ctrl-C
	files sync.Mutex      // held while a file is written
	// running is the command that has begun, nil before: errors until then are about the command line itself.
	running *cobra.Command
}

// New returns a run that ends when the context does.
func New(ctx context.Context, name string, args []string, stdin io.Reader, stdout, stderr io.Writer) *Program {
	return &Program{Name: name, Args: args, Stdin: stdin, Stdout: &Output{to: stdout, stop: ctx},
		Stderr: &Output{to: stderr, stop: ctx}, stop: ctx}
}

// Options is what a command line must know of a program.
type Options struct {
	// Reference is the page that Reference writes: the descriptions and examples of commands stand there alone.
	Reference string
	// Topics lists what flags are about, in the order of help; the last is that of flags without one.
	Topics []Topic
	// ValueNames lists, for what stands for values in help, as FILE, the flags of which it does. A shell offers files for
	// FILE, FILES and FOLDER, and for commands with FILE among their arguments.
	ValueNames map[string]string
	// Values lists the values that a shell offers for flags, for those called LIST in help one after the other, with
	// commas between. Those of one command stand under COMMAND/FLAG.
	Values map[string][]string
	// Arguments lists, for commands whose arguments are not files, the values that a shell offers for each.
	Arguments map[string][][]string
	// ForFiles says which commands take files as arguments.
	ForFiles string
	// Keepers lists the commands that end by themselves after Ctrl-C, since they have something to keep or others to
	// tell.
	Keepers []string
	// Guess returns what a word is that stands where no argument belongs.
	Guess func(word string) Guess
	// Idle is the flag with which there may be no workers.
	Idle string
	// Diagnose returns the hint of an error, "" if it has none, and the exit status that it calls for.
	Diagnose func(err error) (hint string, status int)
}

// A Guess is what a word of a command line may be; its fields are "" where that is not known.
type Guess struct {
	Kind    string   // as in "a torus"
	Example string   // a command line with it
	Flags   []string // whose value it may be, the likeliest first, without dashes
}

// Run runs the command line and returns the exit status. The commands are those that tree returns: a program with the
// command of a name alone, or with all where that is the name of none.
func (p *Program) Run(tree func(name string) *cobra.Command, o Options) int {
	root := tree(strings.Join(p.Args[:min(1, len(p.Args))], ""))
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SetIn(p.Stdin)
	root.SetOut(p.Stdout.Unfolded()) // help and scripts for shells
	root.SetErr(p.Stderr)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return wrongFlag(cmd, err, p.Args, tree, o) })
	p.watch(root.Commands(), o)
	describe(root, o)
	setHelp(root, o)
	if len(p.Args) > 0 && strings.HasPrefix(p.Args[0], cobra.ShellCompRequestCmd) {
		complete(root, o)
	}
	strictHelp(root, o)
	strict(root, o)
	root.SetArgs(p.Args)
	err := root.ExecuteContext(p.stop)
	p.Stderr.endView()
	if err != nil && p.running == nil {
		var usage *Error
		if !errors.As(err, &usage) {
			err = &Error{Err: err, Hint: fmt.Sprintf("%[1]s --help lists the commands, %[1]s COMMAND --help the flags", p.Name)}
		}
	}
	if err == nil {
		err = p.Stdout.failed
	}
	var quiet Status
	switch {
	case err == nil:
		return 0
	case errors.As(err, &quiet):
		return int(quiet)
	}
	p.Remark("%v", err)
	hint, status := o.Diagnose(err)
	hint = strings.TrimSpace(meant(p.running, err, o) + hint)
	if hint != "" {
		Say(p.Stderr, "hint: %s\n", hint)
	}
	return status
}

// watch notes when one of the commands, or one below them, begins.
func (p *Program) watch(commands []*cobra.Command, o Options) {
	for _, cmd := range commands {
		p.watch(cmd.Commands(), o)
		work := cmd.RunE
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			p.running = cmd
			if err := cmp.Or(clash(cmd), checkWorkers(cmd, o.Idle)); err != nil {
				return err
			}
			if slices.Contains(o.Keepers, cmd.Name()) {
				return helped(cmd, args, work(cmd, args))
			}
			return helped(cmd, args, p.leave(cmd.Context(), cmd, func() error { return work(cmd, args) }))
		}
	}
}

// Running returns the command that has begun.
func (p *Program) Running() *cobra.Command { return p.running }

// Remark writes a line for the person at the terminal.
func (p *Program) Remark(format string, args ...any) { Say(p.Stderr, p.Name+": "+format+"\n", args...) }

// Printf writes a result for a person.
func (p *Program) Printf(format string, args ...any) { Say(p.Stdout, format, args...) }

// NowAndThen returns what remarks how far a command is, at most once in ten seconds; any goroutine may call it.
func (p *Program) NowAndThen() func(format string, args ...any) {
	var mu sync.Mutex
	last := time.Now()
	return func(format string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		if time.Since(last) >= lineInterval {
			last = time.Now()
			p.Remark(format, args...)
		}
	}
}

// Logger returns a log on stderr.
func (p *Program) Logger() *slog.Logger {
	return slog.New(slog.NewTextHandler(p.Stderr.Unfolded(), nil))
}

// How long work that cannot look at its context may take to come to its own end after Ctrl-C: a part of a command,
// and a command that has nothing to keep.
const (
	grace    = 50 * time.Millisecond
	patience = 150 * time.Millisecond
)

// UnlessStopped returns what work returns, or a *StoppedError about what, as in "the loads were", if ctx ends and work
// does not end soon after. The work may be cut off anywhere then: it must not write.
func UnlessStopped[T any](ctx context.Context, what string, work func() (T, error)) (T, error) {
	value, err := parallel.Await(ctx, grace, work)
	if err != nil && ctx.Err() != nil && err == ctx.Err() {
		err = &StoppedError{what}
	}
	return value, err
}

// leave has a command that does not end within its patience after Ctrl-C left behind. Nothing that it writes after that
// comes out, and no file that it has begun stays.
func (p *Program) leave(ctx context.Context, cmd *cobra.Command, work func() error) error {
	_, err := parallel.Await(ctx, patience, func() (struct{}, error) { return struct{}{}, work() })
	if err == nil || !errors.Is(err, ctx.Err()) {
		return err
	}
	p.Stdout.shut()
	p.files.Lock() // a file that is being written is finished, no other is begun
	return &StoppedError{"the answer of " + cmd.CommandPath() + " was"}
}

// Writing lets a function write files, unless the command was left behind, and says so of each that has a name. A file
// that is not regular, such as a pipe that nobody reads, is not waited for after Ctrl-C.
func (p *Program) Writing(write func() error, files ...string) error {
	old, odd := map[string]bool{}, ""
	for _, file := range files {
		info, err := os.Stat(file)
		old[file] = err == nil && info.Mode().IsRegular()
		if err == nil && !old[file] {
			odd = file
		}
	}
	if err := p.locked(write, odd); err != nil {
		return err
	}
	for _, file := range files {
		switch {
		case old[file]:
			p.Remark("wrote %s, in place of the file of that name", file)
		case file != "":
			p.Remark("wrote %s", file)
		}
	}
	return nil
}

// locked does the work of writing; one of the files may be odd, not a regular one.
func (p *Program) locked(write func() error, odd string) error {
	if odd != "" {
		_, err := parallel.Await(p.stop, patience, func() (struct{}, error) { return struct{}{}, write() })
		if err != nil && err == p.stop.Err() {
			err = fmt.Errorf("%s: %w", odd, errUnread)
		}
		return err
	}
	p.files.Lock()
	defer p.files.Unlock()
	return write()
}
