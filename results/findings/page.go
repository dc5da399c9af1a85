package findings

import (
	"fmt"
	"math/big"
	"strings"

	"leeway/results/atlas"
)

// Markdown returns the page about an atlas. Cells with a fault are left out. Errors
// are those of reading the atlas.
func Markdown(view *atlas.Atlas) (string, error) {
	all, _ := view.Cells(atlas.Filter{})
	cells := cellsOf(all)
	proved := 0
	for _, c := range cells {
		if c.Status == atlas.Optimal {
			proved++
		}
	}
	p := &page{}
	p.printf(pageHead, len(cells), proved, len(cells)-proved)
	p.beaten(cells)
	p.proved(cells)
	p.frontier(cells)
	p.open(cells)
	err := p.questions(view, cells)
	return p.String(), err
}

const pageHead = `# Findings

Written by ` + "`make atlas`" + `, that is ` + "`leeway atlas findings`" + `, from the atlas that is part of the program. Every value is that of a placement whose loads
were computed again; "proved" means that the record holds a proof which ` + "`leeway check`" + ` repeats; ` + "`make atlas-verify`" + ` repeats all of them. What is open here
is open in this atlas only, after seconds of work on most cells: [optima.md](optima.md) has closed more. Short names: ` + "`odr`" + ` and ` + "`udr`" + ` are with ties plus, ` + "`minimal`" + ` and
` + "`avoid`" + ` with ties both; on odd sides and sides of 2 the tie rules are one.

The atlas has %d cells: %d proved, %d open.
`

// A page is being written.
type page struct{ strings.Builder }

func (p *page) printf(format string, args ...any) { fmt.Fprintf(p, format, args...) }

// A cell is one of the atlas with its values as numbers.
type cell struct {
	atlas.Cell
	load, bound *big.Rat // load is nil where no placement is known
}

// cellsOf returns the cells without a fault.
func cellsOf(all []atlas.Cell) []cell {
	var cells []cell
	for _, c := range all {
		if c.Fault == "" {
			cells = append(cells, cell{c, number(c.MaxLoad), number(c.LowerBound)})
		}
	}
	return cells
}

// number reads a fraction of the atlas, nil for "".
func number(text string) *big.Rat {
	v, ok := new(big.Rat).SetString(text)
	if !ok {
		return nil
	}
	return v
}

// torus returns the sides as text.
func (c cell) torus() string { return c.Key().Torus }

// side returns the common side and the dimensions; ok is false on other tori.
func (c cell) side() (k, d int, ok bool) {
	for _, side := range c.Torus {
		if side != c.Torus[0] {
			return 0, 0, false
		}
	}
	return c.Torus[0], len(c.Torus), true
}

// layers returns n / k^(d-1), 0 where that is no whole number or sides differ.
func (c cell) layers() int {
	k, d, ok := c.side()
	if !ok {
		return 0
	}
	layer := 1
	for range d - 1 {
		layer *= k
	}
	if c.Size%layer != 0 {
		return 0
	}
	return c.Size / layer
}

// short returns a routing as the page names it: without the tie rule that it has by
// itself.
func short(routing string) string {
	name, _, _ := strings.Cut(routing, ":")
	usual := ":tie=plus"
	if name == "minimal" || name == "avoid" {
		usual = ":tie=both"
	}
	return "`" + strings.TrimSuffix(routing, usual) + "`"
}

// state says whether a cell is proved, and if not what is known.
func (c cell) state() string {
	if c.Status == atlas.Optimal {
		return "proved"
	}
	return "open, at least " + c.LowerBound
}

// spaced returns the E_max of evenly spaced residues, nil where there are none.
func (c cell) spaced() *big.Rat { return c.family("spaced:") }

// family returns the E_max of the placement whose name has a beginning, nil for none.
func (c cell) family(prefix string) *big.Rat {
	for _, f := range c.Families {
		if strings.HasPrefix(f.Placement, prefix) {
			return number(f.MaxLoad)
		}
	}
	return nil
}

// dash returns a number as text, "-" for none.
func dash(v *big.Rat) string {
	if v == nil {
		return "-"
	}
	return v.RatString()
}

// list joins items, "none" for no items.
func list(items []string, separator string) string {
	if len(items) == 0 {
		return "none"
	}
	return strings.Join(items, separator)
}
