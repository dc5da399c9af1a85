package work

import (
	"slices"

	"leeway/core"
	"leeway/core/family"
	"leeway/objective"
	"leeway/objective/texts"
	"leeway/results"
)

// patternMethod is the method that records name for a placement with the pattern of a
// known placement on another torus.
const patternMethod = "pattern"

// patterns returns placements of a problem with the patterns of the records at hand on
// other tori under the same routing: those of the store, and those of the run so far.
// They are starts like families, so there is none where the methods are named without
// family.
func (r *run) patterns(p objective.Problem) ([]core.Placement, error) {
	if r.Methods != nil && !slices.Contains(r.Methods, "family") {
		return nil, nil
	}
	w := &patternList{problem: p, tried: map[string]bool{}}
	for _, known := range r.found {
		w.take(known)
	}
	if !r.stored() {
		return w.list, nil
	}
	// Only the best of each problem: what else there is may depend on the clock.
	of := p.Routing.String()
	for st, err := range r.Store.Standings(func(k texts.Key, _ string) bool { return k.Routing == of }) {
		if err != nil {
			return nil, err
		}
		if _, conditions := core.ParseNetwork(st.Problem.Torus); conditions != nil || st.Record == nil {
			continue
		}
		if best, err := results.ReadRecord(st.Record); err == nil { // else the search of its own problem takes it back
			w.take(best)
		}
	}
	return w.list, nil
}

// maxFormNodes is the largest torus on which placements are recognised.
const maxFormNodes = 4096

// Form returns the pattern that the placement of a record follows, false on large tori and without dimensions.
func Form(r results.Record) (family.Form, bool) {
	t, err := r.ReadGrid()
	if err != nil || t.N() > maxFormNodes || !t.HasDimensions() {
		return family.Form{}, false
	}
	p, err := core.PlacementFromCoords(t, r.Nodes)
	if err != nil {
		return family.Form{}, false
	}
	return family.Recognise(p), true
}

// FormOf describes the pattern that a placement follows, "" on large tori and without dimensions.
func FormOf(p core.Placement) string {
	if p.Torus().N() > maxFormNodes || !p.Torus().HasDimensions() {
		return ""
	}
	return family.Recognise(p).String()
}

// A patternList gathers placements with the patterns of records.
type patternList struct {
	problem objective.Problem
	tried   map[string]bool // texts of patterns
	list    []core.Placement
}

// take adds the placement with the pattern of a record, if there is one of the size.
func (w *patternList) take(r results.Record) {
	t := w.problem.Torus()
	if r.Routing != w.problem.Routing.String() || r.Routing == results.TableRouting ||
		len(r.Torus) != t.D() || slices.Equal(r.Torus, t.Dims()) {
		return
	}
	f, ok := Form(r)
	if !ok {
		return
	}
	text, ok := f.At(t)
	if !ok || w.tried[text] {
		return
	}
	w.tried[text] = true
	if found, err := family.Parse(t, text); err == nil && found.Size() == w.problem.Size {
		w.list = append(w.list, found)
	}
}
