package pages

import (
	"fmt"
	"html/template"

	"leeway/core"
	"leeway/objective/fast"
	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/findings"
	"leeway/results/networks"
)

// latticesBody is what the page of lattices shows.
type latticesBody struct {
	Pair   []latticeShown // a torus with a processor on every node, without shifts and with one
	Tables []latticesTable
}

// A latticesTable compares the best network of each size with the best without shifts.
type latticesTable struct {
	ID, Title string
	Rows      []latticeRow
}

// A latticeRow has the pages of two networks, or their addresses in the editor, "" where it cannot show them.
type latticeRow struct {
	networks.Best
	Less                string // how much less the best carries
	BestPage, TorusPage template.URL
}

// A latticeShown is a network with its loads.
type latticeShown struct {
	Name, Load string
	Picture    drawing
}

// Lattices is the page of the best lattice of each number of nodes.
func Lattices(s Source) (Page, error) {
	all, pods, err := findings.Bests()
	if err != nil {
		return Page{}, err
	}
	held := map[string]bool{}
	for _, t := range s.Tori() {
		held[t.Where()] = true
	}
	page := func(name string) (template.URL, error) {
		t, err := core.ParseNetwork(name)
		if err != nil || held[name] {
			return template.URL(TorusAddress(name)), err
		}
		return editorOf(t, "", results.Setting{}, ""), nil
	}
	body := latticesBody{Tables: []latticesTable{{ID: "pods", Title: "The shapes of pods"}}}
	for i, b := range append(pods, all...) {
		if i >= len(pods) && (i == len(pods) || b.Dims != all[i-len(pods)-1].Dims) {
			title := fmt.Sprintf("In %d dimensions", b.Dims)
			body.Tables = append(body.Tables, latticesTable{ID: fmt.Sprintf("d%d", b.Dims), Title: title})
		}
		row := latticeRow{Best: b, Less: findings.Less(b)}
		if row.BestPage, err = page(b.Best.Network); err == nil && b.Plain != nil {
			row.TorusPage, err = page(b.Plain.Network)
		}
		if err != nil {
			return Page{}, err
		}
		table := &body.Tables[len(body.Tables)-1]
		table.Rows = append(table.Rows, row)
	}
	for _, name := range []string{"4x8", "4x8:twist=4"} {
		p, err := texts.ParseProblem(name, "minimal:tie=both", 32)
		if err != nil {
			return Page{}, err
		}
		full := core.MustPlacement(p.Torus(), core.Range(p.Torus().N()))
		loads := fast.Evaluate(p, full)
		most, _ := loads.Max()
		shown := latticeShown{name, results.FormatFraction(most), drawingOf(p, full, loads)}
		if len(body.Pair) > 0 {
			shown.Picture.Most = body.Pair[0].Load // the same colours for the same loads
		}
		body.Pair = append(body.Pair, shown)
	}
	return newPage("lattices", LatticesAddress, "The best lattice for each number of nodes", nil, body), nil
}
