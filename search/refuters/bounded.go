package refuters

import (
	"context"

	"leeway/search"
)

// Bounded is a refuter that takes its turn among other methods: the evaluations of the turn are the steps that a proof
// may take.
type Bounded struct{ Method }

// longerTurns is how many turns as long as one that was not enough the next is worth waiting for.
const longerTurns = 5

// Run is that of Method. Where the proof takes more steps than the turn has, the outcome asks for longer turns.
func (b Bounded) Run(ctx context.Context, p search.Params) (search.Outcome, error) {
	out, err := b.Method.Run(ctx, p)
	if out.GaveUp != "" && p.Evaluations > 0 {
		out.GaveUp, out.Turns, out.Reason = "", longerTurns, search.Spent
	}
	return out, err
}
