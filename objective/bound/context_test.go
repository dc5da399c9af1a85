package bound

import (
	"context"
	"errors"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/routing"
)

// TestBoundsEnd ends the context of all bounds after ever more looks, until they come to
// their own end: an error, or all of them.
func TestBoundsEnd(t *testing.T) {
	torus := core.MustTorus(6, 6)
	r, p := routing.NewUDR(torus, routing.TieBoth), family.Random(torus, 9, 1)
	for _, c := range []struct {
		name string
		ask  func(context.Context) (int, error)
		want int
	}{
		{"for a placement", func(ctx context.Context) (int, error) {
			b, err := ForPlacementContext(ctx, r, p)
			return len(b), err
		}, len(ForPlacement(r, p))},
		{"for a size", func(ctx context.Context) (int, error) {
			b, err := ForSizeContext(ctx, r, 9)
			return len(b), err
		}, len(ForSize(r, 9))},
	} {
		ended := false
		for looks := 0; !ended; looks = 3*looks/2 + 1 {
			n, err := c.ask(coretest.EndsAfter(looks))
			ended = err == nil
			if ended != (n == c.want) || !ended && (n != 0 || !errors.Is(err, context.Canceled)) || looks == 0 && ended {
				t.Errorf("%s, %d looks: %d bounds, %v", c.name, looks, n, err)
			}
		}
	}
}
