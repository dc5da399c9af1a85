package check

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"math/big"
	"slices"
	"sync"
	"sync/atomic"

	"leeway/encode/cut"
	"leeway/objective"
	"leeway/results/check/kernel"
)

// sliceSteps is how many steps are written about a branch before the branches below it are left to other streams:
// a second or two of an engine. Proofs of fewer steps are one stream.
const sliceSteps = 1 << 18

// CutAt returns the cut by which engines write a slice of a proof. It depends on the name only: the streams of a proof
// are the same whoever writes them.
func CutAt(name []int) cut.Cut {
	return cut.Cut{Name: name, Leave: func(_ []int, written int64) bool { return written >= sliceSteps }}
}

// An Accepted is a slice of a proof of which the kernel has accepted the stream, with the slices that this left open.
type Accepted struct {
	Name   []int          `json:"name"`
	Steps  int64          `json:"steps"`
	Bytes  int64          `json:"bytes"`
	SHA256 string         `json:"sha256"`
	Left   []kernel.Slice `json:"left,omitempty"`
}

// FollowSlice is Follow for one slice of a proof about a question from Prepare.
func FollowSlice(ctx context.Context, q *kernel.Prepared, s kernel.Slice, spend kernel.Spender,
	write func(ctx context.Context, to io.Writer) error) (Accepted, error) {
	var left []kernel.Slice
	stream, err := follow(ctx, write, func(stream io.Reader) (result kernel.Result, err error) {
		result, left, err = q.CheckSlice(s, stream, spend)
		return result, err
	})
	return Accepted{s.Name, stream.Steps, stream.Bytes, stream.SHA256, left}, err
}

// FollowSlices has the kernel follow a proof in slices while write writes them, workers of them side by side, and
// returns their steps and bytes together. The outcome does not depend on their number: an error of write is that of
// the first slice with one. Spend is called by one goroutine at a time. Otherwise it is Follow.
func FollowSlices(ctx context.Context, p objective.Problem, below *big.Rat, workers int, spend kernel.Spender,
	write func(ctx context.Context, part cut.Cut, to io.Writer) error) (Stream, error) {
	question, err := Prepare(p, below, false, spend)
	if err != nil {
		return Stream{}, err
	}
	front := NewFront(nil)
	var mu sync.Mutex
	err = front.Work(ctx, workers, func(ctx context.Context, s kernel.Slice) (Accepted, error) {
		pending := int64(0)
		settle := func() error {
			mu.Lock()
			defer mu.Unlock()
			spent := pending
			pending = 0
			return spend(spent)
		}
		a, err := FollowSlice(ctx, question, s, func(steps int64) error {
			if pending += steps; pending < 1<<12 {
				return nil
			}
			return settle()
		}, func(ctx context.Context, to io.Writer) error { return write(ctx, CutAt(s.Name), to) })
		if err == nil {
			err = settle()
		}
		return a, err
	}, nil)
	return front.Stream(), err
}

// A Front is how far a proof in slices is: which of them are open, handed out, or accepted. Its methods may be called
// from any goroutine.
type Front struct {
	mu       sync.Mutex
	changed  chan struct{}  // closed at every change
	open     []kernel.Slice // in the order of their names
	out      map[string]*handed
	accepted []Accepted // without what they left
	failed   []int      // the first name, in order, of a slice that cannot be refuted, with the reason
	err      error
}

// A handed is a slice that somebody works on.
type handed struct {
	kernel.Slice
	end func() // where it is not wanted any more
}

// NewFront returns the front of a proof of which some slices were accepted before, in any order.
func NewFront(before []Accepted) *Front {
	f := &Front{changed: make(chan struct{}), open: []kernel.Slice{{}}, out: map[string]*handed{}}
	known := map[string]Accepted{}
	for _, a := range before {
		known[fmt.Sprint(a.Name)] = a
	}
	for i := 0; i < len(f.open); {
		if a, ok := known[fmt.Sprint(f.open[i].Name)]; ok {
			f.open = slices.Delete(f.open, i, i+1)
			f.take(a)
		} else {
			i++
		}
	}
	return f
}

// take takes in a slice that is accepted.
func (f *Front) take(a Accepted) {
	left := a.Left
	a.Left = nil
	f.accepted = append(f.accepted, a)
	for _, s := range left {
		f.put(s)
	}
}

func (f *Front) put(s kernel.Slice) {
	i, _ := slices.BinarySearchFunc(f.open, s, func(a, b kernel.Slice) int { return slices.Compare(a.Name, b.Name) })
	f.open = slices.Insert(f.open, i, s)
}

// change tells those who wait. The lock is held.
func (f *Front) change() {
	close(f.changed)
	f.changed = make(chan struct{})
}

// wants reports whether a slice can still make a difference: none comes before it that cannot be refuted.
func (f *Front) wants(name []int) bool { return f.err == nil || slices.Compare(name, f.failed) < 0 }

// Next hands out the first slice that is open, if one is. End is called, by any goroutine, when it is not wanted any
// more.
func (f *Front) Next(end func()) (s kernel.Slice, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.open) == 0 || !f.wants(f.open[0].Name) {
		return s, false
	}
	s, f.open = f.open[0], f.open[1:]
	f.out[fmt.Sprint(s.Name)] = &handed{s, end}
	return s, true
}

// Accept takes in a slice that was handed out and is accepted now, and reports whether it was out.
func (f *Front) Accept(a Accepted) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	defer f.change()
	key := fmt.Sprint(a.Name)
	_, ok := f.out[key]
	if delete(f.out, key); ok {
		f.take(a)
	}
	return ok
}

// Return puts a slice back that was handed out.
func (f *Front) Return(name []int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	defer f.change()
	key := fmt.Sprint(name)
	if h, ok := f.out[key]; ok {
		delete(f.out, key)
		f.put(h.Slice)
	}
}

// Fail says why a slice cannot be refuted: those after it are not wanted any more.
func (f *Front) Fail(name []int, why error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	defer f.change()
	if delete(f.out, fmt.Sprint(name)); !f.wants(name) {
		return
	}
	f.failed, f.err = name, why
	for _, h := range f.out {
		if !f.wants(h.Name) {
			h.end()
		}
	}
}

// Left returns how many slices are open and how many are out, of those that are wanted, and how many are accepted.
func (f *Front) Left() (open, out, accepted int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, s := range f.open {
		if f.wants(s.Name) {
			open++
		}
	}
	for _, h := range f.out {
		if f.wants(h.Name) {
			out++
		}
	}
	return open, out, len(f.accepted)
}

// Err returns why the first slice, in the order of names, cannot be refuted that cannot; nil while none is known.
func (f *Front) Err() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}

// Stream returns the steps and bytes of all slices that are accepted together, and the SHA-256 of the stream if there
// is one, else of their SHA-256 one after the other in the order of names.
func (f *Front) Stream() (s Stream) {
	f.mu.Lock()
	defer f.mu.Unlock()
	slices.SortFunc(f.accepted, func(a, b Accepted) int { return slices.Compare(a.Name, b.Name) })
	all := sha256.New()
	for _, a := range f.accepted {
		s.Steps += a.Steps
		s.Bytes += a.Bytes
		s.SHA256 = a.SHA256
		sum, _ := hex.DecodeString(a.SHA256) // text that is not a hash changes the sum
		all.Write(sum)
	}
	s.Slices = slices.Clone(f.accepted)
	if len(f.accepted) > 1 {
		s.SHA256 = hex.EncodeToString(all.Sum(nil))
	}
	return s
}

// Work has a number of goroutines prove slices until all that are wanted are accepted, and returns Err, or the error of
// the context. Keep, if not nil, is told each that is accepted, by any goroutine.
func (f *Front) Work(ctx context.Context, workers int, prove func(context.Context, kernel.Slice) (Accepted, error),
	keep func(Accepted)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	work := func() {
		for ctx.Err() == nil {
			f.mu.Lock()
			changed := f.changed
			f.mu.Unlock()
			own, end := context.WithCancel(ctx)
			s, ok := f.Next(end)
			if !ok {
				end()
				if _, out, _ := f.Left(); out == 0 {
					return
				}
				select {
				case <-changed:
				case <-ctx.Done():
				}
				continue
			}
			switch a, err := prove(own, s); {
			case err == nil:
				if f.Accept(a) && keep != nil {
					keep(a)
				}
			case ctx.Err() != nil:
				f.Return(s.Name)
			default:
				f.Fail(s.Name, err)
			}
			end()
		}
	}
	var all sync.WaitGroup
	var bug atomic.Value
	for range max(1, workers) {
		all.Go(func() {
			defer func() {
				if b := recover(); b != nil {
					bug.Store(fmt.Sprint(b))
					cancel()
				}
			}()
			work()
		})
	}
	all.Wait()
	if b := bug.Load(); b != nil {
		panic(b)
	}
	if err := f.Err(); err != nil {
		return err
	}
	return ctx.Err()
}
