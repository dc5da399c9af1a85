// Package texts reads problems and meshes from their text.
package texts

import (
	"fmt"
	"strconv"
	"strings"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
)

// A Setting is what a problem is about but for its routing and size: what Where writes.
type Setting struct {
	Torus            *core.Torus
	Traffic          objective.Traffic
	Fixed, Forbidden []int
	objective.Near
}

// ParseWhere reads a text that Where wrote. Errors are *core.InputError.
func ParseWhere(text string) (s Setting, err error) {
	rest, distance, hasDistance := strings.Cut(text, objective.DistanceOption)
	rest, radius, hasRadius := strings.Cut(rest, objective.RadiusOption)
	rest, forbidden, hasForbidden := strings.Cut(rest, objective.ForbiddenOption)
	rest, fixed, hasFixed := strings.Cut(rest, objective.FixedOption)
	rest, replies, hasReplies := strings.Cut(rest, objective.RepliesOption)
	rest, traffic, hasTraffic := strings.Cut(rest, objective.TrafficOption)
	if s.Torus, err = core.ParseNetwork(rest); err != nil {
		return Setting{}, err
	}
	if hasTraffic {
		s.Traffic, err = objective.ParseTraffic(traffic)
	}
	if hasReplies && err == nil {
		if s.Traffic.Replies, err = routing.Parse(s.Torus, replies); err == nil && !hasTraffic {
			err = &core.InputError{Text: text, Problem: "there are no replies without a traffic"}
		}
	}
	if hasFixed && err == nil {
		s.Fixed, err = core.ParseNodes(s.Torus, fixed)
	}
	if hasForbidden && err == nil {
		s.Forbidden, err = core.ParseNodes(s.Torus, forbidden)
	}
	if hasRadius && err == nil {
		s.Radius, err = links(radius)
	}
	if hasDistance && err == nil {
		s.Distance, err = links(distance)
	}
	return s, err
}

// Apply returns a problem on the same network with traffic and conditions of the setting. The size is not compared with
// the conditions. Errors are those of WithTraffic and WithNodes.
func (s Setting) Apply(p objective.Problem) (objective.Problem, error) {
	p, err := p.WithTraffic(s.Traffic)
	if err != nil {
		return p, err
	}
	p.Near = s.Near
	return p.WithListed(s.Fixed, s.Forbidden)
}

// Default reports whether there is nothing but a plain torus: no open dimension, no bandwidth, no condition, and all
// processors send to all.
func (s Setting) Default() bool {
	return s.Torus.Plain() && s.Fixed == nil && s.Forbidden == nil && !s.Near.Asked() && !s.Traffic.Clients()
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
// Errors are *core.InputError.
func (k Key) Problem() (objective.Problem, error) {
	setting, err := ParseWhere(k.Torus)
	if err != nil {
		return objective.Problem{}, err
	}
	t := setting.Torus
	f, free, err := routing.ParseFree(k.Routing)
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
	if err == nil {
		p, err = setting.Apply(p)
	}
	return p, err
}

// ParseProblem returns the problem that the fields of a key name, which need not be canonical.
func ParseProblem(where, routed string, size int) (objective.Problem, error) {
	return Key{Torus: where, Routing: routed, Size: size}.Problem()
}

// links reads a number of Near. Errors are *core.InputError.
func links(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || !core.Plain(text) {
		return 0, &core.InputError{Text: text, Problem: "not a number of links, at least 1"}
	}
	return n, nil
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
