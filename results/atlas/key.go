package atlas

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results"
)

// A Key names a cell. The texts are canonical: 8x8 and not 8^2, udr:tie=plus and
// not udr.
type Key struct {
	Torus   string
	Routing string
	Size    int
}

// KeyOf returns the key of a problem.
func KeyOf(p objective.Problem) Key {
	return Key{Torus: p.Torus().String(), Routing: p.RoutingText(), Size: p.Size}
}

// Problem returns the problem that a key names. Errors are *core.InputError.
func (k Key) Problem() (objective.Problem, error) {
	t, err := core.ParseTorus(k.Torus)
	if err != nil {
		return objective.Problem{}, err
	}
	f, free, err := routing.ParseFree(k.Routing)
	if err != nil {
		return objective.Problem{}, err
	}
	r := routing.Routing(routing.NewUDR(t, routing.TieBoth))
	if !free {
		if r, err = routing.Parse(t, k.Routing); err != nil {
			return objective.Problem{}, err
		}
	}
	p, err := objective.NewProblem(r, k.Size)
	if err == nil && free {
		p.Free = &f
	}
	return p, err
}

// keyOfRecord returns the key of the cell that a record is about.
func keyOfRecord(r results.Record) Key {
	return Key{sidesText(r.Torus), cmp.Or(r.RoutingChoice, r.Routing), r.Size}
}

// String returns the key as a person reads it, "8x8 udr:tie=both n=16".
func (k Key) String() string { return fmt.Sprintf("%s %s n=%d", k.Torus, k.Routing, k.Size) }

// families are the names of routings in the order in which cells are listed.
var families = []string{"odr", "udr", "orders", "minimal", "avoid", "free"}

// compareTori orders tori by dimensions, then nodes, then sides.
func compareTori(a, b []int) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(product(a), product(b)), slices.Compare(a, b))
}

func product(sides []int) int {
	n := 1
	for _, k := range sides {
		n *= k
	}
	return n
}

// compareRoutings orders routings by family, then ties plus before both.
func compareRoutings(a, b string) int {
	rank := func(s string) int {
		name, _, _ := strings.Cut(s, ":")
		return slices.Index(families, name)
	}
	tie := func(s string) int {
		if strings.HasSuffix(s, ":tie=both") {
			return 1
		}
		return 0
	}
	return cmp.Or(rank(a)-rank(b), tie(a)-tie(b), strings.Compare(a, b))
}

// compareCells orders cells by torus, routing and size.
func compareCells(a, b *Cell) int {
	return cmp.Or(compareTori(a.Torus, b.Torus), compareRoutings(a.Routing, b.Routing), cmp.Compare(a.Size, b.Size))
}

// sidesText returns sides as text, "8x8".
func sidesText(sides []int) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(sides), "[]"), " ", "x")
}
