package clients

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"sync/atomic"

	"leeway/core/routing"
	"leeway/objective"
	"leeway/search"
	"leeway/search/census"
)

// Engine plans walks of the tree clients. The zero value is ready.
type Engine struct {
	Kept  int   // column margins, and row margins of one pair of sizes, that are kept; 0: 2^20, some 300 MB
	Steps int64 // steps of listing them; 0: any number
}

// Name returns "clients".
func (Engine) Name() string { return "clients" }

// Supports returns nil for client traffic, requests and replies under odr, udr and orders, on networks of two
// dimensions with sides up to MaxSide, otherwise an *search.UnsupportedError.
func (e Engine) Supports(p objective.Problem) error {
	if !p.Traffic.Clients() {
		return search.Unsupported(e.Name(), p, "it is for client traffic only")
	}
	if err := search.Anywhere(e.Name(), p); err != nil {
		return err
	}
	t := p.Torus()
	if t.D() != 2 {
		return search.Unsupported(e.Name(), p, "the network has %d dimensions, not 2", t.D())
	}
	if t.Twisted() {
		return search.Unsupported(e.Name(), p, "counts do not decide loads on a twisted torus")
	}
	for _, r := range []routing.Routing{p.Routing, p.ReplyRouting()} {
		if _, ok := r.(*routing.Orders); !ok {
			return search.Unsupported(e.Name(), p, "counts decide loads under odr, udr and orders only")
		}
	}
	for s := range t.D() {
		if k := t.Side(s); k > MaxSide {
			return search.Unsupported(e.Name(), p, "a side is %d long, the engine stops at %d", k, MaxSide)
		}
	}
	return nil
}

// Plan lists the counts of rows and columns and finds out which go together. A plan has one prefix for every largest
// row and column counts that some row counts may go with, none if below is not above 0. Plan fails with an
// *search.UnsupportedError, with a *census.TooLargeError where more counts fit than are kept or listing them takes too
// many steps, with an *objective.OverflowError, or with the error of the context.
func (e Engine) Plan(ctx context.Context, p objective.Problem, below *big.Rat, workers int) (census.Plan, error) {
	if err := e.Supports(p); err != nil {
		return nil, err
	}
	if below.Sign() <= 0 {
		return &plan{}, nil
	}
	b := &budget{ctx: ctx, kept: int64(cmp.Or(e.Kept, 1<<20)), steps: e.Steps}
	q, err := newPlan(p, below, b, workers)
	why := ""
	switch {
	case err == nil:
		return q, nil
	case errors.Is(err, errTooMany):
		why = fmt.Sprintf("more than %d counts fit", b.kept)
	case errors.Is(err, errTooLong):
		why = fmt.Sprintf("more than %d steps list the counts that fit", b.steps)
	default:
		return nil, err
	}
	return nil, &census.TooLargeError{Engine: e.Name(), Problem: p.String(),
		Why: fmt.Sprintf("%s a limit below %s", why, below.RatString())}
}

// errTooMany says that more fit than are kept, errTooLong that listing them takes more steps than are allowed.
var (
	errTooMany = errors.New("clients: too many to keep")
	errTooLong = errors.New("clients: too many steps")
)

// A budget bounds what a plan takes. It may be shared by goroutines.
type budget struct {
	ctx   context.Context
	kept  int64
	steps int64 // 0: any number
	taken atomic.Int64
}

// spend takes some steps. It fails with errTooLong, or with the error of the context.
func (b *budget) spend(steps int64) error {
	taken := b.taken.Add(steps)
	if b.steps > 0 && taken > b.steps {
		return errTooLong
	}
	if taken&1023 < steps {
		return b.ctx.Err()
	}
	return nil
}
