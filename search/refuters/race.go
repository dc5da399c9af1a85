package refuters

import (
	"context"
	"errors"
	"math/big"
	"slices"

	"leeway/core/parallel"
	"leeway/objective"
	"leeway/search"
)

// A Race has several refuters try the same proof, each a while in turn, or side by side where there are workers, until
// one comes to an end. What the outcome is does not depend on the workers.
type Race struct {
	Methods []Method
	Spend   int64 // bytes that each may write for one proof; 0: any number
}

// The bytes that each writes in the first round: thousands of steps. They grow by half from round to round.
const firstRound = 1 << 15

// Name returns "steps", or "first steps" where these are limited: a portfolio may have a race of each kind.
func (r Race) Name() string {
	if r.Spend > 0 {
		return "first steps"
	}
	return "steps"
}

// At returns the race that asks about nothing above a value.
func (r Race) At(value *big.Rat) Race {
	r.Methods = slices.Clone(r.Methods)
	for i := range r.Methods {
		r.Methods[i].Below = value
	}
	return r
}

// Supports returns nil if a refuter takes the problem, otherwise what all of them say.
func (r Race) Supports(p objective.Problem) error {
	if len(r.supporting(p)) > 0 {
		return nil
	}
	var all []error
	for _, m := range r.Methods {
		all = append(all, m.Supports(p))
	}
	return errors.Join(all...)
}

func (r Race) supporting(p objective.Problem) []Method {
	return slices.DeleteFunc(slices.Clone(r.Methods), func(m Method) bool { return m.Supports(p) != nil })
}

// Run is that of each Method. Evaluations are the steps of the refuter that came to an end, and where they are limited
// each may write the same part of them.
func (r Race) Run(ctx context.Context, p search.Params) (search.Outcome, error) {
	list := r.supporting(p.Problem)
	switch {
	case len(list) == 0:
		return search.Outcome{}, r.Supports(p.Problem)
	case len(list) == 1 && r.Spend == 0:
		return list[0].Run(ctx, p)
	}
	return run(ctx, p, r.Name(), list[0].Below, 0,
		func(ctx context.Context, out *search.Outcome, below *big.Rat, most int64) (string, int64, error) {
			if most > 0 {
				most = max(1, most/int64(len(list)))
			}
			return r.race(ctx, p, list, out, below, most)
		})
}

// errSpent says that no refuter has come to an end with what it may spend.
var errSpent = errors.New("the proof takes more than its engines may spend")

// race returns the name and the steps of the first refuter, in the order of the list, that comes to an end in the round
// in which the first one does; or the first error of all.
func (r Race) race(ctx context.Context, p search.Params, methods []Method, out *search.Outcome, below *big.Rat,
	most int64) (string, int64, error) {
	ctx, cancel := context.WithCancel(ctx)
	list := make([]*contestant, len(methods))
	for i, m := range methods {
		list[i] = start(ctx, func(spend func(int64) error) (int64, error) {
			return m.prove(ctx, p, out, below, most, spend)
		})
	}
	defer func() {
		cancel()
		for _, c := range list {
			<-c.ended
		}
	}()
	total := int64(0)
	for round := int64(firstRound); ; round += round / 2 {
		if r.Spend > 0 {
			round = min(round, r.Spend-total)
		}
		if total += round; p.Workers > 1 {
			parallel.Each(ctx, p.Workers, len(list), func(i int) { list[i].advance(part(p.Problem, i, round)) })
		} else {
			for i, c := range list {
				if c.advance(part(p.Problem, i, round)); c.decided() {
					break
				}
			}
		}
		running := 0
		for i, c := range list {
			if c.decided() {
				return methods[i].Name(), c.written, c.err
			}
			if !c.over {
				running++
			}
		}
		switch {
		case ctx.Err() != nil:
			return "", 0, ctx.Err()
		case running == 0:
			return methods[0].Name(), list[0].written, list[0].err
		case r.Spend > 0 && total >= r.Spend:
			return "", 0, errSpent
		}
	}
}

// part returns what the i-th of a race writes in a round: on narrow tori, where a step of orderly, the first, takes far
// less time than one of the others, these have an eighth; else a third one, which mostly comes to an end last, a
// quarter.
func part(p objective.Problem, i int, round int64) int64 {
	switch {
	case i > 0 && narrow(p):
		return round / 8
	case i > 1:
		return round / 4
	}
	return round
}

// A contestant is a refuter in a race.
type contestant struct {
	grant   chan int64    // what it may spend from now on
	paused  chan struct{} // that is spent
	ended   chan struct{} // closed at its end, before which what follows is set
	written int64
	err     error

	over bool // it has ended: known to the race
}

// start returns a contestant that waits for what it may spend.
func start(ctx context.Context, prove func(spend func(int64) error) (int64, error)) *contestant {
	c := &contestant{grant: make(chan int64), paused: make(chan struct{}), ended: make(chan struct{})}
	left := int64(0)
	wait := func() error {
		select {
		case more := <-c.grant:
			left += more
		case <-ctx.Done():
		}
		return ctx.Err()
	}
	go func() {
		defer close(c.ended)
		if c.err = wait(); c.err != nil {
			return
		}
		c.written, c.err = prove(func(spent int64) error {
			parallel.Pause()
			for left -= spent; left < 0; {
				select {
				case c.paused <- struct{}{}:
				case <-ctx.Done():
					return ctx.Err()
				}
				if err := wait(); err != nil {
					return err
				}
			}
			return ctx.Err()
		})
	}()
	return c
}

// advance lets a contestant spend a given amount, and returns when that is done or it has ended.
func (c *contestant) advance(round int64) {
	select {
	case c.grant <- round:
	case <-c.ended:
		c.over = true
		return
	}
	select {
	case <-c.paused:
	case <-c.ended:
		c.over = true
	}
}

// decided reports whether a contestant has proved what it should, or met a placement below the value.
func (c *contestant) decided() bool {
	if !c.over {
		return false
	}
	_, found := Found(c.err)
	return found || c.err == nil
}

// Patient returns of some refuters the one that is most likely to come to an end, whatever it takes.
func Patient(list []Refuter, p objective.Problem) Refuter {
	if last := list[len(list)-1]; last.List != nil && p.Torus().D() == 2 && p.Torus().Closed() {
		return last
	}
	return list[0]
}
