package core

import "context"

// Long work is ended by a context, in one way everywhere: a function that may take long has the context as its first
// parameter and looks at it between parts of its work, once in a given number of steps through a Watch; when the
// context has ended it returns the context's error, or the best that it has so far where its comment says so. What has
// no place to look is called through parallel.Await.

// A Watch looks at a context once in a given number of steps, so that inner loops can afford to ask. A nil Watch never
// ends. It is not safe for concurrent use.
type Watch struct {
	ctx  context.Context
	left int
	err  error
}

// watchSteps is how many steps lie between two looks. A step is work of some ten nanoseconds.
const watchSteps = 1 << 18

// NewWatch returns a watch on a context. It first looks after as many steps: what is
// done sooner is done, whether the context has ended or not.
func NewWatch(ctx context.Context) *Watch { return &Watch{ctx: ctx, left: watchSteps} }

// Err returns nil while the context lasts, its error once it has been seen to end;
// the argument says how many steps of work come next.
func (w *Watch) Err(steps int) error {
	if w == nil { // the caller's code has this much of it
		return nil
	}
	return w.look(steps)
}

func (w *Watch) look(steps int) error {
	if w.left -= steps; w.left < 0 && w.err == nil {
		w.left = watchSteps
		w.err = w.ctx.Err()
	}
	return w.err
}
