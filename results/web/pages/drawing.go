package pages

import (
	"math/big"
	"slices"

	"leeway/core"
	"leeway/objective"
	"leeway/results/compose"
)

// A drawing is a placement with its loads as the script of pictures reads it, in a page.
type drawing struct {
	Network   string `json:"network"`
	Nodes     string `json:"nodes"` // as the option --placement has them, and so the others
	Fixed     string `json:"fixed,omitempty"`
	Forbidden string `json:"forbidden,omitempty"`
	Noun      string `json:"noun,omitempty"` // what a processor is called, where not that
	// Values are the loads that occur, ascending, and Loads has a character for each link: after noLink as many as the
	// value is after the first, or noLink where the network has no link of this number.
	Values []string `json:"values"`
	Loads  string   `json:"loads"`
	Most   string   `json:"most,omitempty"` // the load with the last colour, where that is not the largest
}

// noLink stands in a drawing for the load of a link that is not there.
const noLink = '?'

// drawingOf returns the drawing of a placement with its loads and the conditions of a problem.
func drawingOf(problem objective.Problem, p core.Placement, loads *objective.Loads) drawing {
	t := p.Torus()
	d := drawing{Network: t.String(), Nodes: core.JoinNodes(p.Coords()), Values: []string{"0"}}
	if problem.Traffic.Clients() {
		d.Noun = "controller"
	}
	conditions := compose.SettingOf(problem)
	d.Fixed, d.Forbidden = core.JoinNodes(conditions.Fixed), core.JoinNodes(conditions.Forbidden)
	byText := map[string]*big.Rat{"0": new(big.Rat)}
	texts := make([]string, t.M())
	for l := range t.M() {
		if !t.HasLink(core.Link(l)) {
			continue
		}
		v := loads.Load(core.Link(l))
		if texts[l] = v.RatString(); byText[texts[l]] == nil {
			byText[texts[l]] = v
			d.Values = append(d.Values, texts[l])
		}
	}
	slices.SortFunc(d.Values, func(a, b string) int { return byText[a].Cmp(byText[b]) })
	at := map[string]rune{"": noLink}
	for i, text := range d.Values {
		at[text] = noLink + 1 + rune(i)
	}
	marks := make([]rune, t.M())
	for l, text := range texts {
		marks[l] = at[text]
	}
	d.Loads = string(marks)
	return d
}

// tallies counts the links of each load above 0, the largest load first, and those without.
func (d drawing) tallies() (list []tally, idle int) {
	count := make([]int, len(d.Values))
	for _, mark := range d.Loads {
		if mark != noLink {
			count[mark-noLink-1]++
		}
	}
	for i, text := range d.Values[1:] {
		list = append(list, tally{text, count[i+1]})
	}
	slices.Reverse(list)
	return list, count[0]
}
