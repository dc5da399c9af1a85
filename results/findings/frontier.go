package findings

import (
	"fmt"
	"strings"

	"leeway/results/atlas"
)

// groups splits cells by torus and routing; within a group they stand by size.
func groups(cells []cell) [][]cell {
	var out [][]cell
	for i, c := range cells {
		if i == 0 || c.torus() != cells[i-1].torus() || c.Routing != cells[i-1].Routing {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], c)
	}
	return out
}

// sizes lists the sizes of a group, "1..9, 12".
func sizes(group []cell) string {
	var spans []string
	for i := 0; i < len(group); {
		j := i
		for j+1 < len(group) && group[j+1].Size == group[j].Size+1 {
			j++
		}
		spans = append(spans, span(group[i], group[j]))
		i = j + 1
	}
	return strings.Join(spans, ", ")
}

// span names the sizes from one cell to another.
func span(from, to cell) string {
	if from.Size == to.Size {
		return fmt.Sprint(from.Size)
	}
	return fmt.Sprintf("%d..%d", from.Size, to.Size)
}

// frontier writes the smallest E_max known against the size.
func (p *page) frontier(cells []cell) {
	p.printf("\n## The frontier\n\nThe smallest E_max known of n processors; `?` marks values that are not proved. [frontier.md](frontier.md) has the largest n within a load " +
		"that grows with n.\n\n| torus | routing | n: E_max |\n|---|---|---|\n")
	for _, group := range groups(cells) {
		p.printf("| %s | %s | %s |\n", group[0].torus(), short(group[0].Routing), steps(group))
	}
}

// steps lists the loads of a group, equal neighbours together.
func steps(group []cell) string {
	text := func(c cell) string {
		if c.Status == atlas.Optimal {
			return c.MaxLoad
		}
		return dash(c.load) + "?"
	}
	var out []string
	for i := 0; i < len(group); {
		j := i
		for j+1 < len(group) && group[j+1].Size == group[j].Size+1 && text(group[j+1]) == text(group[i]) {
			j++
		}
		out = append(out, span(group[i], group[j])+": "+text(group[i]))
		i = j + 1
	}
	return strings.Join(out, "; ")
}

// open writes the cells whose optimum is not proved.
func (p *page) open(cells []cell) {
	p.printf("\n## Open cells\n\nThe best load known and, behind \"at least\", the best bound.\n\n| torus | routing | n: E_max, at least |\n|---|---|---|\n")
	for _, group := range groups(cells) {
		var items []string
		for _, c := range group {
			if c.Status != atlas.Optimal {
				items = append(items, fmt.Sprintf("%d: %s, %s", c.Size, dash(c.load), c.LowerBound))
			}
		}
		if len(items) > 0 {
			p.printf("| %s | %s | %s |\n", group[0].torus(), short(group[0].Routing), strings.Join(items, "; "))
		}
	}
}
