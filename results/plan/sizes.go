package plan

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"leeway/core"
	"leeway/objective"
	"leeway/objective/texts"
	"leeway/results"
)

// A span is a range of sizes with its place; 0..0 stands for a search with a limit.
type span struct {
	low, high int
	at        *yaml.Node
}

// sizes reads what is asked for: sizes or a limit, exactly one of the two, or with matrices the number of their tasks.
func (r *reader) sizes(t *core.Torus, own map[string]member, node *yaml.Node, problems []objective.Problem) (
	*objective.Limit, []span) {
	size, sized := own["size"]
	limit, limited := own["max-load"]
	given := func(p objective.Problem) bool { return p.Traffic.Matrix != nil }
	tasks := slices.ContainsFunc(problems, given)
	switch {
	case tasks && (sized || limited || slices.ContainsFunc(problems, func(p objective.Problem) bool { return !given(p) })):
		r.fault(node, "omit size and max-load, and list other traffic apart",
			"a traffic matrix says how many tasks there are")
	case tasks:
		return nil, []span{{at: node}}
	case sized && limited:
		r.fault(limit.key, "max-load looks for the size", "size and max-load exclude each other")
	case limited:
		text, ok := r.text(limit.value, "max-load")
		if !ok {
			return nil, nil
		}
		most, err := results.ParseLimit(text)
		if err != nil {
			r.wrong(limit.value, "max-load", err)
		}
		return most, []span{{at: limit.value}}
	case sized:
		var spans []span
		for _, item := range r.list(size) {
			if s, ok := r.span(item, t); ok {
				spans = append(spans, s)
			}
		}
		return nil, spans
	default:
		r.fault(node, "give size: 16, size: 4..32 or max-load: 5/2", "size and max-load are missing")
	}
	return nil, nil
}

// span reads a size or a range A..B.
func (r *reader) span(node *yaml.Node, t *core.Torus) (span, bool) {
	text, ok := r.text(node, "size")
	if !ok {
		return span{}, false
	}
	low, high, err := texts.ParseSizes(t, text)
	if err != nil {
		r.wrong(node, "size", err)
	}
	return span{low, high, node}, err == nil
}

// expand adds the searches of a sound problem.
func (r *reader) expand(search Search, routings []objective.Problem, limit *objective.Limit, sizes []span) {
	for _, p := range routings {
		search.Problem = p
		search.Limit = limit
		for _, s := range sizes {
			if p.Traffic.Matrix != nil {
				s.low, s.high = p.Traffic.Matrix.Tasks, p.Traffic.Matrix.Tasks
			}
			for search.Size = s.low; search.Size <= s.high; search.Size++ {
				if !r.add(search, s.at) {
					return
				}
			}
		}
	}
}

// add adds a search unless there is the same, or too many; it reports whether to go on.
func (r *reader) add(search Search, at *yaml.Node) bool {
	if len(r.searches) == MaxSearches {
		r.fault(at, "split the plan", "with these the plan has more than %d searches, the most that is read", MaxSearches)
		return false
	}
	key := search.key()
	if line, twice := r.first[key]; twice {
		r.fault(at, "", "the search %s is repeated; first in line %d", search, line)
		return false
	}
	r.first[key] = at.Line
	r.searches = append(r.searches, search)
	return true
}
