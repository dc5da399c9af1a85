package margin

import (
	"context"
	"math/big"

	"leeway/core"
)

// shares says into how many parts the effort is divided: while the largest
// refuted limit is still being closed in on, one question gets one part, so that
// a hard one does not take the effort from the easy ones below it.
const shares = 16

// A bisection looks for the largest refuted multiple of 1/den.
type bisection struct {
	ctx     context.Context
	sides   []projection
	den     *big.Int
	left    int64 // effort
	share   int64 // effort that one question may take
	decided bool  // the multiple after the largest refuted one has margins
}

// guess returns the multiple just below (n-1)/degree: no limit below that is
// possible, so margins that are worth anything refute it.
func (b *bisection) guess(t *core.Torus, n int) int64 {
	units := new(big.Int).Mul(b.den, big.NewInt(int64(n-1)))
	units.Sub(units, big.NewInt(1))
	return units.Div(units, big.NewInt(int64(t.Degree()))).Int64()
}

// run steps up from a guess as long as limits are refuted, halves what is left,
// and puts all remaining effort into the first limit that is not. It returns the
// largest refuted multiple, -1 if none is.
func (b *bisection) run(guess int64) int64 {
	refuted, open, v := int64(-1), guess, none
	for step := int64(1); ; step *= 2 {
		if v = b.ask(open); v != none {
			break
		}
		refuted, open = open, open+step
	}
	for open-refuted > 1 {
		middle := refuted + (open-refuted)/2
		if w := b.ask(middle); w == none {
			refuted = middle
		} else {
			open, v = middle, w
		}
	}
	for v == spent && b.left > 0 {
		b.share = b.left
		if v = b.ask(open); v == none {
			refuted, open, v = open, open+1, spent
		}
	}
	b.decided = v == some
	return refuted
}

// ask answers whether every projection has margins within a multiple of 1/den.
func (b *bisection) ask(units int64) verdict {
	limit, answer := b.multiple(units), some
	for _, p := range b.sides {
		given := min(b.share, b.left)
		steps := &budget{left: given, stop: func() bool { return b.ctx.Err() != nil }}
		v := p.exist(limit, steps)
		b.left -= given - max(0, steps.left)
		switch v {
		case none:
			return none
		case spent:
			answer = spent
		}
	}
	return answer
}

func (b *bisection) multiple(units int64) *big.Rat {
	return new(big.Rat).SetFrac(big.NewInt(units), b.den)
}
