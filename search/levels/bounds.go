package levels

import (
	"context"
	"errors"
)

// errTooMany says that more fit than are kept, errTooLong that listing them takes
// more steps than are allowed.
var (
	errTooMany = errors.New("levels: too many to keep")
	errTooLong = errors.New("levels: too many steps")
)

// A meter holds a plan to its bounds.
type meter struct {
	ctx   context.Context
	kept  int   // most slab counts of one dimension, and most classes
	steps int64 // most steps; 0: any number
	taken int64
}

// step takes some steps. It fails with errTooLong, or with the error of the context.
func (m *meter) step(number int) error {
	if m.taken += int64(number); m.steps > 0 && m.taken > m.steps {
		return errTooLong
	}
	return m.ctx.Err()
}
