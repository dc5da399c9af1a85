package plan

import (
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
	"leeway/results/disk"
	"leeway/results/graphs"
)

// The keys of a plan. Defaults holds for problems without the key.
var (
	planKeys    = []string{"schema", "defaults", "problems"}
	defaultKeys = append(axisKeys(func(a objective.Axis) bool { return a.Group == objective.GroupTraffic }),
		"routing", "seed", "time", "evaluations", "methods", "then")
	problemKeys = append(axisKeys(func(a objective.Axis) bool { return a.Group != objective.GroupTraffic }),
		append([]string{"torus", "mesh", "network", "size", "max-load"}, defaultKeys...)...)
)

// axisKeys returns the keys of some axes.
func axisKeys(of func(objective.Axis) bool) (keys []string) {
	for _, a := range objective.Axes {
		if of(a) {
			keys = append(keys, a.Name)
		}
	}
	return keys
}

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
	problems := r.routings(t, own, node)
	for _, a := range objective.Axes {
		problems = r.axis(a, own, problems)
	}
	search.Then = r.then(own, node, problems)
	limit, sizes := r.sizes(t, own, node, problems)
	if len(r.faults) == before && limit == nil {
		r.admitted(problems, sizes)
	}
	if len(r.faults) == before {
		r.expand(search, problems, limit, sizes)
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
	if m, ok := own["network"]; ok {
		if key, read = "network", r.listed; has(own, "torus", "mesh") {
			r.fault(m.key, "give one of them", "network excludes torus and mesh")
			return nil
		}
	}
	text, m, ok := r.single(own, key)
	switch {
	case !has(own, key):
		r.fault(node, "give torus: 8x8, mesh: 8x8, or network: @FILE", "the key torus is missing")
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

// listed returns the network of a file, or of a text.
func (r *reader) listed(text string) (*core.Torus, error) {
	name, isFile := strings.CutPrefix(text, "@")
	if !isFile {
		return core.ParseNetwork(text)
	}
	data, err := r.files(name)
	if err != nil {
		return nil, err
	}
	t, err := graphs.Read(data)
	return t, results.InFile(err, name)
}

// axis returns some problems with each of the values of an axis, of the problem or the defaults. The defaults do not
// hold where the problem has the axis, or an earlier one of its group.
func (r *reader) axis(a objective.Axis, own map[string]member, problems []objective.Problem) []objective.Problem {
	read := r.defaults
	for _, other := range objective.Axes {
		if other.Group == a.Group && has(own, other.Name) {
			read = own
		}
		if other.Name == a.Name {
			break
		}
	}
	m, ok := read[a.Name]
	if !ok {
		return problems
	}
	var list []objective.Problem
	for _, item := range r.list(m) {
		text, ok := r.text(item, a.Name)
		if !ok {
			continue
		}
		for _, p := range problems {
			err := error(nil)
			switch {
			case a.Name == "traffic":
				var t objective.Traffic
				t, err = disk.ReadTraffic(p.Torus(), text, r.files)
				text = t.String()
			case a.TakesNodes(p):
				var nodes []int
				nodes, err = family.ParseNodes(p.Torus(), text)
				text = objective.NodesText(p.Torus(), nodes)
			}
			if err == nil {
				p, err = a.Read(p, text)
			}
			if err != nil {
				r.wrong(item, a.Name, err)
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
			r.fault(node, "add traffic: clients", "then: distance needs client traffic")
			break
		}
	}
	return text
}

// admitted notes sizes that do not go with the conditions of some problems.
func (r *reader) admitted(problems []objective.Problem, sizes []span) {
	for _, p := range problems {
		least, most := p.Sizes()
		if p.Traffic.Matrix != nil {
			if err := p.CheckRoom(); err != nil {
				r.wrong(sizes[0].at, "traffic", err)
			}
			continue
		}
		for _, s := range sizes {
			if s.low < least || s.high > most {
				r.fault(s.at, "", "under the conditions a size must be in %d..%d", least, most)
				return
			}
		}
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
	if f, free, err := routing.FreeOn(t, text); free {
		return objective.FreeProblem(t, f), err
	}
	if name, isFile := strings.CutPrefix(text, "@"); isFile {
		data, err := r.files(name)
		if err == nil {
			p.Routing, err = disk.ReadTable(data, t)
		}
		if err != nil {
			return p, results.InFile(err, name)
		}
		return p, routing.Complete(p.Routing)
	}
	p.Routing, err = routing.Parse(t, text)
	return p, err
}
