// Package texts reads problems and meshes from their text.
package texts

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
)

// ParseWhere reads a text that Where wrote, as a problem of size 0. Its routing is udr with a tie rule that is not the
// routing of the replies. Errors are *core.InputError.
func ParseWhere(text string) (objective.Problem, error) {
	for _, tie := range []routing.Tie{routing.TieBoth, routing.TiePlus} {
		replies := false
		p, err := ReadWhere(text, func(t *core.Torus) (objective.Problem, error) {
			_, values, err := SplitWhere(text)
			_, replies = values["reply-routing"]
			return objective.Problem{Routing: routing.NewUDR(t, tie)}, err
		})
		if err != nil || !replies || p.Traffic.Replies != nil {
			return p, err
		}
	}
	panic("texts: a routing has two tie rules")
}

// A Key names a problem of a size: it is what files, stores, the atlas and the units of a cluster know it by. The texts
// are canonical: 8x8 and not 8^2, udr:tie=plus and not udr.
type Key struct {
	Torus   string `json:"torus"`   // network, traffic and conditions: objective.Problem.Where
	Routing string `json:"routing"` // "table" for a table, "free" where the search chooses: objective.Problem.RoutingText
	Table   string `json:"-"`       // the document of a routing table as compact JSON, see compose.KeyOf; else ""
	Size    int    `json:"size"`    // 0 where the search looks for the size
}

// KeyOf returns the key of a problem, without the document of a table.
func KeyOf(p objective.Problem) Key {
	return Key{Torus: p.Where(), Routing: p.RoutingText(), Size: p.Size}
}

// String returns the key as a person reads it, "8x8 udr:tie=both n=16".
func (k Key) String() string { return fmt.Sprintf("%s %s n=%d", k.Torus, k.Routing, k.Size) }

// Problem returns the problem that a key names; a table has no name. The size is not compared with the conditions.
// Errors are *core.InputError that point into the text of the field.
func (k Key) Problem() (objective.Problem, error) {
	return ReadWhere(k.Torus, func(t *core.Torus) (objective.Problem, error) {
		f, free, err := routing.FreeOn(t, k.Routing)
		if err != nil {
			return objective.Problem{}, err
		}
		r := objective.FreeProblem(t, f).Routing
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
	})
}

// ParseProblem returns the problem that the fields of a key name, which need not be canonical.
func ParseProblem(where, routed string, size int) (objective.Problem, error) {
	return Key{Torus: where, Routing: routed, Size: size}.Problem()
}

// ParseRange reads a whole number, 5, or a range, 5..9; ok is false for anything else.
func ParseRange(text string) (low, high int, ok bool) {
	first, last, isRange := strings.Cut(text, "..")
	if !isRange {
		last = first
	}
	low, errLow := strconv.Atoi(first)
	high, errHigh := strconv.Atoi(last)
	return low, high, errLow == nil && errHigh == nil && core.Plain(first) && core.Plain(last)
}

// ParseSizes reads a number of processors on a network, or a range A..B of such numbers. Errors are *core.InputError.
func ParseSizes(t *core.Torus, text string) (least, most int, err error) {
	least, most, ok := ParseRange(text)
	switch {
	case !ok:
		err = core.Invalid(text, "not a whole number or a range A..B")
	case least < 1 || most > t.N() || least > most:
		err = core.Invalid(text, "not a size in 1..%d, the number of nodes of %s, or a range of such sizes from low to high",
			t.N(), t)
	}
	return least, most, err
}

// ParseMesh reads what core.ParseNetwork reads, without ":open=": every dimension is open. Errors are *core.InputError.
func ParseMesh(text string) (*core.Torus, error) {
	t, err := core.ParseNetwork(text)
	if err != nil {
		return nil, err
	}
	for option, problem := range map[string]string{"open": "every dimension of a mesh is open",
		"twist": "a mesh has no ends that could be joined with shifts"} {
		if i := strings.Index(text, ":"+option+"="); i >= 0 {
			return nil, &core.InputError{Text: text, Part: option, Offset: i + 1, Problem: problem,
				Hint: "omit " + option + "=, or write a torus"}
		}
	}
	open := make([]int, t.D())
	for j := range open {
		open[j] = j
	}
	bandwidth := make([]int, t.D())
	for j := range bandwidth {
		bandwidth[j] = t.Bandwidth(j)
	}
	return t.WithLinks(open, bandwidth)
}

// SplitWhere returns the network of a text that Where wrote, and the values of its axes with their places, by name. The
// axes may stand in any order. Errors are *core.InputError: an axis that is repeated.
func SplitWhere(text string) (network string, values map[string]core.Part, err error) {
	values = map[string]core.Part{}
	network = text
	for end := len(text); ; {
		at, name := -1, ""
		for _, a := range objective.Axes {
			if i := strings.LastIndex(text[:end], ":"+a.Name+"="); i > at {
				at, name = i, a.Name
			}
		}
		if at < 0 {
			return text[:end], values, nil
		}
		if later, twice := values[name]; twice {
			return "", nil, &core.InputError{Text: text, Part: name, Offset: later.Offset - len(name) - 1,
				Problem: "the option is repeated"}
		}
		offset := at + len(name) + 2
		values[name] = core.Part{Text: text[offset:end], Offset: offset}
		end = at
	}
}

// ReadWhere returns the problem of a text that Where wrote, which need not be canonical; base returns the problem on a
// network without terms. Errors are those of base, and *core.InputError that point into the text.
func ReadWhere(text string, base func(t *core.Torus) (objective.Problem, error)) (objective.Problem, error) {
	network, values, err := SplitWhere(text)
	if err != nil {
		return objective.Problem{}, err
	}
	t, err := core.ParseNetwork(network)
	if err != nil {
		return objective.Problem{}, core.InText(err, core.Part{Text: network}, text)
	}
	p, err := base(t)
	if err != nil {
		return p, err
	}
	for _, a := range objective.Axes {
		if v, ok := values[a.Name]; ok {
			if p, err = a.Read(p, v.Text); err != nil {
				return p, core.InText(err, v, text)
			}
		}
	}
	return p, nil
}

// CanonicalRouting returns the text that records have for a routing, free or not: on t or, where t is nil, on the first
// tori of two to four dimensions for which text is valid; most routings have the same text on all.
func CanonicalRouting(t *core.Torus, text string) (string, error) {
	if f, free, err := routing.ParseFree(text); free {
		return f.String(), err
	}
	if t != nil {
		r, err := routing.Parse(t, text)
		if err != nil {
			return "", err
		}
		return r.String(), nil
	}
	var first error
	for d := 2; d <= 4; d++ {
		t, err := core.NewTorus(slices.Repeat([]int{4}, d)...)
		if err == nil {
			if text, err := CanonicalRouting(t, text); err == nil {
				return text, nil
			} else if first == nil {
				first = err
			}
		}
	}
	return "", first
}
