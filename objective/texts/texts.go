// Package texts reads problems and meshes from their text.
package texts

import (
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

// Of returns a problem on the same network with traffic and conditions of the setting. The size is not compared with
// the conditions. Errors are those of WithTraffic and WithNodes.
func (s Setting) Of(p objective.Problem) (objective.Problem, error) {
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

// ParseProblem returns the problem that some words name: "8x8" or what else Where writes, "udr:tie=both" or "free" and
// 16. The size is not compared with the conditions. Errors are *core.InputError.
func ParseProblem(where, routed string, size int) (objective.Problem, error) {
	setting, err := ParseWhere(where)
	if err != nil {
		return objective.Problem{}, err
	}
	t := setting.Torus
	f, free, err := routing.ParseFree(routed)
	if err != nil {
		return objective.Problem{}, err
	}
	r := objective.FreeProblem(t, f).Routing
	if !free {
		if r, err = routing.Parse(t, routed); err != nil {
			return objective.Problem{}, err
		}
	}
	p, err := objective.NewProblem(r, size)
	if err == nil && free {
		p.Free = &f
	}
	if err == nil {
		p, err = setting.Of(p)
	}
	return p, err
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
	return t.With(open, bandwidth)
}
