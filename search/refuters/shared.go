package refuters

import (
	"context"
	"io"
	"math/big"

	"leeway/core"
	"leeway/objective"
)

// A Shared is the proof of a refuter, in slices that others may write: what they write is judged by its functions,
// which may be called from any goroutine.
type Shared struct {
	Problem objective.Problem
	Below   *big.Rat
	Refuter string // its name
	// Next hands out a slice by its name, if one is open.
	Next func() (name []int, ok bool)
	// Left returns how many slices are open and handed out, of those that matter, and how many are proved.
	Left func() (open, out, proved int)
	// Judge reads what somebody wrote about a slice that is handed out; nil: now it is proved.
	Judge func(ctx context.Context, name []int, stream io.Reader) error
	// Found takes in a placement below the value, which is true, met in a slice that is handed out.
	Found func(name []int, s core.Placement)
	// Own has the refuter write a slice that is handed out, in this process, and judges that. It is settled then, unless
	// the context has ended.
	Own func(ctx context.Context, name []int)
}
