package plan

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"leeway/core"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/texts"
	"leeway/results"
)

// The keys of a plan. Defaults holds for problems without the key.
var (
	planKeys    = []string{"schema", "defaults", "problems"}
	defaultKeys = []string{"routing", "traffic", "reply-routing", "seed", "time", "evaluations", "methods", "then"}
	problemKeys = append([]string{"torus", "mesh", "size", "max-load", "fixed", "forbidden", "radius", "distance"},
		defaultKeys...)
)

const planHint = "a plan starts with problems: and lists them, " +
	"such as - {torus: 8x8, routing: odr, size: 16, time: 60s}"

// plan reads the whole document.
func (r *reader) plan(root *yaml.Node) {
	top := r.members(root, "a plan", planKeys)
	if schema, ok := top["schema"]; ok {
		if text, ok := r.text(schema.value, "schema"); ok && text != Schema {
			r.fault(schema.value, "this program reads "+Schema, "unknown schema %q", results.Shorten(text))
		}
	}
	if d, ok := top["defaults"]; ok {
		r.defaults = r.members(d.value, "defaults", defaultKeys)
	}
	r.given = r.effort(r.defaults)
	problems, ok := top["problems"]
	switch {
	case !ok && root.Kind == yaml.MappingNode:
		r.fault(root, planHint, "the key problems is missing")
	case ok && r.plain(problems.value, yaml.SequenceNode, "problems", "a list"):
		for _, node := range r.list(problems) {
			r.problem(node)
		}
	}
}

// problem adds the searches of one problem: for each routing each size.
func (r *reader) problem(node *yaml.Node) {
	before := len(r.faults)
	own := r.members(node, "a problem", problemKeys)
	if node.Kind != yaml.MappingNode {
		return
	}
	search := r.effort(own)
	r.inherit(&search, own, node)
	search.Line, search.Column = node.Line, node.Column
	t := r.network(own, node)
	if t == nil {
		return
	}
	routings := r.traffics(t, own, r.routings(t, own, node))
	search.Then = r.then(own, node, routings)
	limit, sizes := r.sizes(t, own, node)
	if limit != nil || len(sizes) > 0 {
		r.conditions(t, own, routings, limit, sizes)
	}
	if len(r.faults) == before {
		r.expand(search, routings, limit, sizes)
	}
}

// network returns what a problem has as torus or mesh, nil after a fault.
func (r *reader) network(own map[string]member, node *yaml.Node) *core.Torus {
	key, read := "torus", core.ParseNetwork
	if m, ok := own["mesh"]; ok {
		if key, read = "mesh", texts.ParseMesh; has(own, "torus") {
			r.fault(m.key, "a torus with open dimensions is written torus: 8x8:open=1", "torus and mesh exclude each other")
			return nil
		}
	}
	text, m, ok := r.single(own, key)
	switch {
	case !has(own, key):
		r.fault(node, "give torus: 8x8, or mesh: 8x8", "the key torus is missing")
		return nil
	case !ok:
		return nil
	}
	t, err := read(text)
	if err != nil {
		r.wrong(m.value, key, err)
		return nil
	}
	return t
}

// traffics returns some problems with each of the traffics of a problem, its own or the default ones.
func (r *reader) traffics(t *core.Torus, own map[string]member, routings []objective.Problem) []objective.Problem {
	read := own
	if !has(own, "traffic") {
		read = r.defaults
	}
	m, ok := read["traffic"]
	replies, hasReplies := own["reply-routing"]
	if !hasReplies && !has(own, "traffic") {
		replies, hasReplies = r.defaults["reply-routing"]
	}
	if !ok {
		if hasReplies {
			r.fault(replies.key, "add traffic: clients", "reply-routing: there are no replies without a traffic")
		}
		return routings
	}
	var answer routing.Routing
	if hasReplies {
		text, ok := r.text(replies.value, "reply-routing")
		if !ok {
			return nil
		}
		var err error
		if answer, err = routing.Parse(t, text); err != nil {
			r.wrong(replies.value, "reply-routing", err)
			return nil
		}
	}
	var list []objective.Problem
	for _, item := range r.list(m) {
		text, ok := r.text(item, "traffic")
		if !ok {
			continue
		}
		traffic, err := objective.ParseTraffic(text)
		if err != nil {
			r.wrong(item, "traffic", err)
			continue
		}
		traffic.Replies = answer
		for _, p := range routings {
			if p, err = p.WithTraffic(traffic); err != nil {
				r.wrong(item, "traffic", err)
				break
			}
			list = append(list, p)
		}
	}
	return list
}

// then returns the second key of a problem, its own or the default one, which is the distance of clients.
func (r *reader) then(own map[string]member, node *yaml.Node, problems []objective.Problem) string {
	read := own
	if !has(own, "then") {
		read = r.defaults
	}
	text, m, ok := r.single(read, "then")
	switch {
	case !ok:
		return ""
	case text != results.ThenDistance:
		r.fault(m.value, "write then: distance", "then %q: unknown second key", results.Shorten(text))
		return ""
	}
	for _, p := range problems {
		if !p.Traffic.Clients() {
			r.fault(node, "add traffic: clients", "then: distance is the distance of clients")
			break
		}
	}
	return text
}

// conditions adds the conditions of a problem to its routings, if every size goes with them.
func (r *reader) conditions(t *core.Torus, own map[string]member, routings []objective.Problem, limit *objective.Limit,
	sizes []span) {
	var lists [2][]int
	at := [2]*yaml.Node{}
	for i, key := range []string{"fixed", "forbidden"} {
		text, m, ok := r.single(own, key)
		if !ok {
			continue
		}
		var err error
		if lists[i], err = family.ParseNodes(t, text); err != nil {
			r.wrong(m.value, key, err)
			return
		}
		at[i] = m.value
	}
	var near objective.Near
	for _, of := range []struct {
		key string
		to  *int
	}{{"radius", &near.Radius}, {"distance", &near.Distance}} {
		text, m, ok := r.single(own, of.key)
		if !ok {
			continue
		}
		links, err := strconv.Atoi(text)
		if err != nil || !core.Plain(text) || links < 1 {
			r.fault(m.value, "", "%s %q is not a whole number of at least 1", of.key, results.Shorten(text))
			return
		}
		*of.to, at[0] = links, m.value
	}
	for i := range routings {
		routings[i].Near = near
	}
	if at == [2]*yaml.Node{} {
		return
	}
	for i, p := range routings {
		p.Limit = &objective.Limit{} // of any size
		p, err := p.WithNodes(lists[0], lists[1])
		if err != nil {
			r.wrong(cmp.Or(at[1], at[0]), "fixed and forbidden", err)
			return
		}
		least, most := p.Sizes()
		for _, s := range sizes {
			if limit == nil && (s.low < least || s.high > most) {
				r.fault(s.at, "", "with the conditions sizes lie in %d..%d", least, most)
				return
			}
		}
		routings[i].Fixed, routings[i].Forbidden = p.Fixed, p.Forbidden
	}
}

// inherit takes what a problem does not say from the defaults. A problem with a
// budget of its own takes no part of theirs.
func (r *reader) inherit(search *Search, own map[string]member, node *yaml.Node) {
	if !has(own, "time", "evaluations") {
		search.Time, search.Evaluations = r.given.Time, r.given.Evaluations
		if !has(r.defaults, "time", "evaluations") {
			r.fault(node, "give time: 60s or evaluations: 1000000, here or in the defaults", "the problem has no budget")
		}
	}
	if !has(own, "seed") {
		search.Seed = r.given.Seed
	}
	if !has(own, "methods") {
		search.Methods = r.given.Methods
	}
}

// has reports whether one of the keys is there.
func has(members map[string]member, keys ...string) bool {
	for _, key := range keys {
		if _, ok := members[key]; ok {
			return true
		}
	}
	return false
}

// effort reads seed, budget and methods, which problems and defaults have alike.
func (r *reader) effort(members map[string]member) Search {
	search := Search{Seed: 1}
	if text, m, ok := r.single(members, "seed"); ok {
		var err error
		if search.Seed, err = strconv.ParseUint(text, 10, 64); err != nil || !core.Plain(text) {
			r.fault(m.value, "", "seed %q is not a whole number in 0..%d", results.Shorten(text), uint64(math.MaxUint64))
		}
	}
	if text, m, ok := r.single(members, "time"); ok {
		var err error
		if search.Time, err = time.ParseDuration(text); err != nil || search.Time <= 0 {
			r.fault(m.value, "write for instance 90s, 5m or 8h", "time %q is not a time above 0", results.Shorten(text))
		}
	}
	if text, m, ok := r.single(members, "evaluations"); ok {
		var err error
		if search.Evaluations, err = strconv.ParseInt(text, 10, 64); err != nil || search.Evaluations < 1 ||
			!core.Plain(text) {
			r.fault(m.value, "", "evaluations %q is not a whole number of at least 1", results.Shorten(text))
		}
	}
	if m, ok := members["methods"]; ok {
		search.Methods = r.readMethods(m)
	}
	return search
}

// single returns the text of a key that has one value; ok is false if it is not there or after a fault.
func (r *reader) single(members map[string]member, key string) (string, member, bool) {
	m, ok := members[key]
	if !ok {
		return "", m, false
	}
	text, ok := r.text(m.value, key)
	return text, m, ok
}

// readMethods returns the methods of a list.
func (r *reader) readMethods(m member) []string {
	var names []string
	for _, node := range r.list(m) {
		name, ok := r.text(node, "methods")
		switch {
		case !ok:
		case !slices.Contains(r.methods, name):
			r.fault(node, "methods are "+strings.Join(r.methods, ", "), "unknown method %q", results.Shorten(name))
		case slices.Contains(names, name):
			r.fault(node, "", "method %q is repeated", name)
		default:
			names = append(names, name)
		}
	}
	return names
}

// routings reads the routings of a problem, its own or the default ones, as problems without sizes.
func (r *reader) routings(t *core.Torus, own map[string]member, node *yaml.Node) []objective.Problem {
	m, ok := own["routing"]
	if !ok {
		m, ok = r.defaults["routing"]
	}
	if !ok {
		r.fault(node, "give routing: udr:tie=both, here or in the defaults", "the key routing is missing")
		return nil
	}
	var list []objective.Problem
	for _, item := range r.list(m) {
		text, ok := r.text(item, "routing")
		if !ok {
			continue
		}
		p, err := r.routing(t, text)
		if err != nil {
			r.wrong(item, "routing", err)
			continue
		}
		list = append(list, p)
	}
	return list
}

// routing returns a problem with the routing that a text names, or that it leaves free.
func (r *reader) routing(t *core.Torus, text string) (p objective.Problem, err error) {
	if f, free, err := routing.ParseFree(text); free {
		return objective.FreeProblem(t, f), err
	}
	if name, isFile := strings.CutPrefix(text, "@"); isFile {
		p.Routing, err = r.tables(t, name)
	} else {
		p.Routing, err = routing.Parse(t, text)
	}
	return p, err
}
