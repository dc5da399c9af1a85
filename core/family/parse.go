package family

import (
	"fmt"
	"strconv"
	"strings"

	"leeway/core"
)

const familyHint = "placements are full, linear, linear:c=1,2:r=0, multilinear:t=2, spaced:t=2, " +
	"residues:c=1,1:m=8:r=0,4, random:n=16:seed=7, nodes:0,0+1,3 and @file.json; in two dimensions also diamond, x, " +
	"rows:at=0,7, columns:at=2,5 and corners:side=2"

// families lists every family by the name that it has in text.
var families = map[string]func(*core.Torus, *core.Text) (core.Placement, error){
	"full":        parseFull,
	"linear":      parseLinear,
	"multilinear": parseMultilinear,
	"spaced":      parseSpaced,
	"residues":    parseResidues,
	"random":      parseRandom,
	"nodes":       parseNodes,
	"diamond":     parseDiamond,
	"x":           parseX,
	"rows":        parseRows,
	"columns":     parseColumns,
	"corners":     parseCorners,
}

// Parse reads the text form of a placement on torus t. Errors are
// *core.InputError and name the offending part. The form @file.json is not read
// here: this package opens no files.
func Parse(t *core.Torus, s string) (core.Placement, error) {
	text, err := core.ParseText(s, familyHint)
	if err != nil {
		return core.Placement{}, err
	}
	build, ok := families[strings.ToLower(text.Name)]
	if !ok {
		return core.Placement{}, text.Fail(core.Part{Text: text.Name}, fmt.Sprintf("unknown placement %q", text.Name))
	}
	if name := strings.ToLower(text.Name); !t.HasDimensions() && name != "full" && name != "random" && name != "nodes" {
		return core.Placement{}, core.Invalid(s, "it needs coordinates, which nodes of a network from a "+
			"list of links do not have").Hinted("placements are full, random:n=16:seed=7, nodes:a+b and @file.json")
	}
	p, err := build(t, text)
	if err == nil {
		err = text.Unused()
	}
	if err != nil {
		return core.Placement{}, err
	}
	return p, nil
}

// ParseNodes reads a list of nodes, "0,0+1,3", or the nodes of a placement in its text form. Errors are
// *core.InputError.
func ParseNodes(t *core.Torus, text string) ([]int, error) {
	if nodes, err := core.ParseNamed(t, text); err == nil || text == "" || text[0] >= '0' && text[0] <= '9' {
		return nodes, err
	}
	p, err := Parse(t, text)
	if err != nil {
		return nil, err
	}
	return p.Nodes(), nil
}

// ParseTasks reads where tasks are: listed nodes, "nodes:0,0+0,0+1,3", are those of task 0, task 1 and so on, those of
// another text form in ascending order. Errors are *core.InputError.
func ParseTasks(t *core.Torus, text string) (core.Placement, error) {
	list, listed := strings.CutPrefix(text, "nodes:")
	if !listed {
		p, err := Parse(t, text)
		if err != nil {
			return p, err
		}
		return core.PlaceTasks(t, p.Nodes())
	}
	var at []int
	for _, part := range (core.Part{Text: list, Offset: len("nodes:")}).Split("+") {
		nodes, err := core.ParseNamed(t, part.Text) // one: several tasks may be on a node
		if err != nil {
			return core.Placement{}, core.InText(err, part, text)
		}
		at = append(at, nodes...)
	}
	return core.PlaceTasks(t, at)
}

func parseFull(t *core.Torus, _ *core.Text) (core.Placement, error) {
	return Residues{Coefficients: ones(t.D()), Modulus: 1, Residues: []int{0}}.Placement(t)
}

// takeCoefficients takes c=..., all ones by default.
func takeCoefficients(t *core.Torus, text *core.Text) ([]int, error) {
	p, ok := text.Take("c")
	if !ok {
		return ones(t.D()), nil
	}
	c, err := text.Ints(p, ",")
	if err == nil && len(c) != t.D() {
		err = text.Fail(p, fmt.Sprintf("%d coefficients for %d dimensions", len(c), t.D()))
	}
	return c, err
}

// takeModulus takes m=..., the common side by default.
func takeModulus(t *core.Torus, text *core.Text) (int, error) {
	p, ok := text.Take("m")
	if !ok {
		k, common := t.Common()
		if !common {
			return 0, text.FailWhole(fmt.Sprintf("the sides of %s differ, so the modulus m= is needed", t))
		}
		return k, nil
	}
	m, err := text.Int(p)
	if err == nil && (m < 1 || m > core.MaxNodes) {
		err = text.Fail(p, fmt.Sprintf("the modulus must lie in 1..%d", core.MaxNodes))
	}
	return m, err
}

// takeClass takes c= and m=.
func takeClass(t *core.Torus, text *core.Text) (Residues, error) {
	c, err := takeCoefficients(t, text)
	if err != nil {
		return Residues{}, err
	}
	m, err := takeModulus(t, text)
	return Residues{Coefficients: c, Modulus: m}, err
}

func parseLinear(t *core.Torus, text *core.Text) (core.Placement, error) {
	class, err := takeClass(t, text)
	if err != nil {
		return core.Placement{}, err
	}
	r := 0
	if p, ok := text.Take("r"); ok {
		if r, err = text.Int(p); err != nil {
			return core.Placement{}, err
		}
	}
	class.Residues = []int{r}
	return class.Placement(t)
}

// parseCount reads the families that take t residues and spreads them.
func parseCount(t *core.Torus, text *core.Text, spread func(i, count, modulus int) int) (core.Placement, error) {
	class, err := takeClass(t, text)
	if err != nil {
		return core.Placement{}, err
	}
	p, _ := text.Take("t")
	if p.Text == "" {
		return core.Placement{}, text.FailWhole("the number of residues t= is missing")
	}
	count, err := text.Int(p)
	if err != nil {
		return core.Placement{}, err
	}
	if count < 1 || count > class.Modulus {
		return core.Placement{}, text.Fail(p, fmt.Sprintf("t must lie in 1..%d, the modulus", class.Modulus))
	}
	for i := range count {
		class.Residues = append(class.Residues, spread(i, count, class.Modulus))
	}
	return class.Placement(t)
}

func parseMultilinear(t *core.Torus, text *core.Text) (core.Placement, error) {
	return parseCount(t, text, func(i, _, _ int) int { return i })
}

func parseSpaced(t *core.Torus, text *core.Text) (core.Placement, error) {
	return parseCount(t, text, func(i, count, m int) int { return i * m / count })
}

func parseResidues(t *core.Torus, text *core.Text) (core.Placement, error) {
	class, err := takeClass(t, text)
	if err != nil {
		return core.Placement{}, err
	}
	p, ok := text.Take("r")
	if !ok {
		return core.Placement{}, text.FailWhole("the residues r= are missing")
	}
	if class.Residues, err = text.Ints(p, ","); err != nil {
		return core.Placement{}, err
	}
	return class.Placement(t)
}

func parseRandom(t *core.Torus, text *core.Text) (core.Placement, error) {
	p, ok := text.Take("n")
	if !ok {
		return core.Placement{}, text.FailWhole("the number of processors n= is missing")
	}
	n, err := text.Int(p)
	if err != nil {
		return core.Placement{}, err
	}
	if n < 0 || n > t.N() {
		return core.Placement{}, text.Fail(p, fmt.Sprintf("n must lie in 0..%d, the nodes of %s", t.N(), t))
	}
	seed := uint64(1)
	if p, ok := text.Take("seed"); ok {
		seed, err = strconv.ParseUint(p.Text, 10, 64)
		if err != nil || strconv.FormatUint(seed, 10) != p.Text {
			return core.Placement{}, text.Fail(p, "not a whole number of at least 0")
		}
	}
	return Random(t, n, seed), nil
}

// parseNodes reads nodes:0,0+1,3.
func parseNodes(t *core.Torus, text *core.Text) (core.Placement, error) {
	list, ok := text.Take("")
	if !ok {
		return core.Placement{}, text.FailWhole("the nodes are missing")
	}
	nodes, err := core.ParseNamed(t, list.Text)
	if e, ok := err.(*core.InputError); ok {
		return core.Placement{}, text.Fail(core.Part{Text: e.Part, Offset: list.Offset + e.Offset}, e.Problem)
	}
	return core.NewPlacement(t, nodes)
}
