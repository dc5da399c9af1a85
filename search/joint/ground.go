package joint

import (
	"fmt"
	"sync"

	"leeway/core"
	"leeway/core/routing"
	"leeway/search/restrict"
)

// maxNodes is the largest torus that is searched.
const maxNodes = 4096

// A ground holds what all walks of a problem share. Menus and lists of
// paths are made when they are first asked for.
type ground struct {
	torus *core.Torus
	size  int
	free  routing.Free
	den   int64 // loads of a walk are multiples of 1/den

	menus []shared[*menu]               // by displacement
	lists []shared[[]routing.TablePath] // by displacement
}

// A shared value is made once, by whoever asks first.
type shared[T any] struct {
	once  sync.Once
	value T
}

func (s *shared[T]) get(make func() T) T {
	s.once.Do(func() { s.value = make() })
	return s.value
}

// newGround returns the ground of a problem, or an *core.InputError where the
// torus is too large.
func newGround(t *core.Torus, size int, free routing.Free) (*ground, error) {
	if t.N() > maxNodes {
		return nil, &core.InputError{Text: t.String(), Problem: fmt.Sprintf("placement and routing are searched together on tori of up to %d nodes, this one has %d", maxNodes, t.N()),
			Hint: "search under udr:tie=both, then restrict the placement found"}
	}
	most := 1
	for v := 1; v < t.N(); v++ {
		most = max(most, restrict.CountPaths(t, v))
	}
	if size*(size-1) > restrict.MaxElements/most {
		return nil, &core.InputError{Text: fmt.Sprintf("%d processors on %s", size, t), Problem: fmt.Sprintf("their pairs may have more than %d paths together, too many to choose from", restrict.MaxElements),
			Hint: "take fewer processors"}
	}
	g := &ground{torus: t, size: size, free: free, den: 2, menus: make([]shared[*menu], t.N()), lists: make([]shared[[]routing.TablePath], t.N())}
	for v := 1; v < t.N() && size > 1; v++ {
		count := restrict.CountPaths(t, v)
		if count <= maxAll {
			g.den = lcm(g.den, int64(count))
		}
		g.den = lcm(g.den, int64(free.Least(count)))
	}
	return g, nil
}

// all returns the paths of a displacement, in canonical order.
func (g *ground) all(displacement int) []routing.TablePath {
	return g.lists[displacement].get(func() []routing.TablePath { return restrict.Paths(g.torus, displacement) })
}

// menu returns the menu of a displacement.
func (g *ground) menu(displacement int) *menu {
	return g.menus[displacement].get(func() *menu { return g.newMenu(displacement) })
}

func lcm(a, b int64) int64 {
	x, y := a, b
	for y != 0 {
		x, y = y, x%y
	}
	return a / x * b
}
