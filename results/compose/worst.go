package compose

import (
	"math/big"

	"leeway/core"
	"leeway/core/linkname"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/worst"
	"leeway/results"
	"leeway/results/answers"
)

// NewWorst returns the document of the worst case of a placement.
func NewWorst(r routing.Routing, p core.Placement, c worst.Case) answers.Worst {
	t, nodes := p.Torus(), p.Nodes()
	fraction := func(units int64) string { return results.FormatFraction(big.NewRat(units, c.Den)) }
	d := answers.Worst{Schema: answers.WorstSchema, Subject: SubjectOf(objective.Problem{Routing: r}, p),
		WorstLoad: fraction(c.Load), Permutation: [][2][]int{}, Potentials: []answers.Potential{}}
	if c.Load > 0 {
		link := linkname.New(t, c.Link)
		d.WorstLink = &link
	}
	for i, to := range c.To {
		d.Permutation = append(d.Permutation, [2][]int{t.Coords(nodes[i]), t.Coords(to)})
	}
	for _, p := range c.Potentials {
		q := answers.Potential{Name: linkname.New(t, p.Link), Sends: []string{}, Receives: []string{}}
		for i := range nodes {
			q.Sends, q.Receives = append(q.Sends, fraction(p.Sends[i])), append(q.Receives, fraction(p.Receives[i]))
		}
		d.Potentials = append(d.Potentials, q)
	}
	return d
}
