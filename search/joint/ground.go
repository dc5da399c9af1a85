package joint

import (
	"fmt"
	"sync"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/search/restrict"
)

// maxNodes is the largest torus that is searched.
const maxNodes = 4096

// A ground holds what all chains of a problem share. Menus and lists of paths are made when they are first asked for.
type ground struct {
	torus *core.Torus
	size  int
	free  routing.Free
	den   int64 // loads of a chain are multiples of 1/den

	menus []func() *menu // by displacement
	lists *restrict.Lists
}

// fits returns an *core.InputError where torus or pairs are too many.
func fits(t *core.Torus, size int) error {
	if t.N() > maxNodes {
		return &core.InputError{Text: t.String(), Hint: "search under udr:tie=both, then restrict the placement found",
			Problem: fmt.Sprintf("placement and routing are searched together on tori of up to %d nodes, this one has %d",
				maxNodes, t.N())}
	}
	most := 1
	for v := 1; v < t.N(); v++ {
		most = max(most, restrict.CountPaths(t, v))
	}
	if size*(size-1) > restrict.MaxElements/most {
		return &core.InputError{Text: fmt.Sprintf("%d processors on %s", size, t), Hint: "take fewer processors",
			Problem: fmt.Sprintf("their pairs may have more than %d paths together, too many to choose from",
				restrict.MaxElements)}
	}
	return nil
}

// newGround returns the ground of a problem that fits.
func newGround(p objective.Problem) *ground {
	t, free := p.Torus(), *p.Free
	g := &ground{torus: t, size: p.Size, free: free, den: 2, menus: make([]func() *menu, t.N()),
		lists: restrict.NewLists(t)}
	for v := range g.menus {
		g.menus[v] = sync.OnceValue(func() *menu { return g.newMenu(v) })
	}
	for v := 1; v < t.N() && g.size > 1; v++ {
		count := restrict.CountPaths(t, v)
		if count <= maxAll {
			g.den = core.LCM(g.den, int64(count))
		}
		g.den = core.LCM(g.den, int64(free.Least(count)))
	}
	return g
}
