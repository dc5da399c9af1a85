package routing

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"leeway/core"
)

// A family is one row of the table of routings: the default tie rule, and how the options are read.
type family struct {
	name  string
	tie   Tie
	build func(t *core.Torus, text *core.Text, tie Tie) (Routing, error)
}

// families lists the routings by the names that they have in text. A file of a routing may append its own in init.
var families = append([]family{
	{"odr", TiePlus, parseODR},
	{"udr", TiePlus, func(t *core.Torus, _ *core.Text, tie Tie) (Routing, error) { return NewUDR(t, tie), nil }},
	{"orders", TiePlus, parseOrders},
	{"avoid", TieBoth, func(t *core.Torus, _ *core.Text, tie Tie) (Routing, error) { return NewAvoid(t, tie), nil }},
	{"minimal", TieBoth, func(t *core.Torus, _ *core.Text, tie Tie) (Routing, error) { return NewMinimal(t, tie), nil }},
}, legFamilies()...)

// nicknames lists the names of the literature, which are read only.
var nicknames = []family{
	{"dor", TiePlus, parseODR},
	{"dimension-order", TiePlus, parseODR},
	{"xy", TiePlus, func(t *core.Torus, _ *core.Text, tie Tie) (Routing, error) {
		return NewODR(t, lastFirst(t.D()), tie)
	}},
	{"yx", TiePlus, func(t *core.Torus, _ *core.Text, tie Tie) (Routing, error) { return NewODR(t, nil, tie) }},
	{"o1turn", TieBoth, func(t *core.Torus, text *core.Text, tie Tie) (Routing, error) {
		if t.D() != 2 {
			return nil, &core.InputError{Text: text.Whole, Part: text.Name,
				Problem: fmt.Sprintf("o1turn is defined in two dimensions, %s has %d", t, t.D()),
				Hint:    "write udr:tie=both for all orders of the dimensions"}
		}
		return NewUDR(t, tie), nil
	}},
}

// Names returns the names with which canonical texts of routings begin, but for free and table.
func Names() (names []string) {
	for _, f := range families {
		names = append(names, f.name)
	}
	return names
}

// lastFirst returns the order that corrects the last of d dimensions first, which is the horizontal one, x.
func lastFirst(d int) []int {
	order := core.Range(d)
	slices.Reverse(order)
	return order
}

// Parse reads the text form of a routing for torus t: a name of the list at Names, as odr, odr:order=1,0,
// odr:tie=both, udr or orders:012+120+201. The tie rule defaults to plus for odr, udr and orders and to both for the
// others. Names of the literature are read, too: xy corrects the last dimension first, which is the
// horizontal one, and is odr:order=1,0 in two dimensions; yx, dor and
// dimension-order are odr; o1turn is udr:tie=both, in two dimensions only. Errors
// are *core.InputError and name the offending part.
func Parse(t *core.Torus, s string) (Routing, error) {
	text, err := core.ParseText(s, "routings are "+strings.Join(Names(), ", ")+", each with an optional :tie=plus or "+
		":tie=both, as odr:order=1,0 and orders:01+10; dor and yx are read as odr, xy as the last dimension first "+
		"(odr:order=1,0), o1turn as udr:tie=both")
	if err != nil {
		return nil, err
	}
	name := strings.ToLower(text.Name)
	list := slices.Concat(families, nicknames)
	i := slices.IndexFunc(list, func(f family) bool { return f.name == name })
	if i < 0 {
		return nil, text.Fail(core.Part{Text: text.Name}, fmt.Sprintf("unknown routing %q", text.Name))
	}
	f := list[i]
	tie := f.tie
	if p, ok := text.Take("tie"); ok {
		switch p.Text {
		case "plus":
			tie = TiePlus
		case "both":
			tie = TieBoth
		default:
			return nil, text.Fail(p, "the tie rule is plus or both")
		}
	}
	if !t.HasDimensions() && (name != "minimal" || tie != TieBoth) {
		return nil, core.Invalid(s, "it needs dimensions, which a network from a list of links does not have").
			Hinted("write minimal, all shortest paths, or @table.json")
	}
	r, err := f.build(t, text, tie)
	if err != nil {
		return nil, err
	}
	if err := text.Unused(); err != nil {
		return nil, err
	}
	return r, nil
}

func parseODR(t *core.Torus, text *core.Text, tie Tie) (Routing, error) {
	p, ok := text.Take("order")
	if !ok {
		return NewODR(t, nil, tie)
	}
	order, err := text.Ints(p, ",")
	if err != nil {
		return nil, err
	}
	if problem := orderProblem(order, t.D()); problem != "" {
		return nil, text.Fail(p, problem)
	}
	return NewODR(t, order, tie)
}

// parseOrders reads orders:012+120, each order as digits or with commas.
func parseOrders(t *core.Torus, text *core.Text, tie Tie) (Routing, error) {
	list, ok := text.Take("")
	if !ok {
		return nil, text.FailWhole("the dimension orders are missing")
	}
	var orders [][]int
	for _, p := range list.Split("+") {
		sep := ""
		for _, c := range p.Text {
			if c == ',' {
				sep = ","
			}
		}
		order, err := text.Ints(p, sep)
		if err != nil {
			return nil, err
		}
		if problem := orderProblem(order, t.D()); problem != "" {
			return nil, text.Fail(p, problem)
		}
		orders = append(orders, order)
	}
	return NewOrders(t, orders, tie)
}

// freeName is the word for a routing that is left to the search.
const freeName = "free"

// Free says which routing restrictions a search may choose from: the tables whose
// paths correct one dimension after the other, around a tie either way. It is no
// Routing; a search for a placement and a table together is about it.
type Free struct {
	Single   bool // every pair has exactly one path
	MinPaths int  // least number of paths that a pair keeps, or all of its paths if they are fewer; at least 1
}

// String returns the text that ParseFree reads back: "free", "free:single-path" or
// "free:min-paths=2".
func (f Free) String() string {
	switch {
	case f.Single:
		return freeName + ":single-path"
	case f.MinPaths > 1:
		return fmt.Sprintf("%s:min-paths=%d", freeName, f.MinPaths)
	}
	return freeName
}

// ParseFree reads the text of a free routing. It reports false for a text that
// does not begin as one; errors are *core.InputError.
func ParseFree(text string) (f Free, free bool, err error) {
	name, option, more := strings.Cut(text, ":")
	f.MinPaths = 1
	switch {
	case strings.ToLower(name) != freeName:
		return Free{}, false, nil
	case !more:
		return f, true, nil
	case option == "single-path":
		f.Single = true
		return f, true, nil
	}
	if count, ok := strings.CutPrefix(option, "min-paths="); ok {
		if f.MinPaths, err = strconv.Atoi(count); err == nil && f.MinPaths > 0 && strconv.Itoa(f.MinPaths) == count {
			return f, true, nil
		}
	}
	return Free{}, true, core.Invalid(text, "unknown option of a free routing").
		Hinted("write free, free:single-path or free:min-paths=2")
}

// FreeOn is ParseFree for a network, which must have dimensions: errors say so.
func FreeOn(t *core.Network, text string) (f Free, free bool, err error) {
	if f, free, err = ParseFree(text); free && err == nil && !t.HasDimensions() {
		err = core.Invalid(text, "tables are chosen from paths along dimensions, which a network from a "+
			"list of links does not have").Hinted("write minimal, all shortest paths, or @table.json")
	}
	return f, free, err
}

// Least returns how many of available paths a pair has to keep.
func (f Free) Least(available int) int { return min(max(f.MinPaths, 1), available) }

// Allows reports whether a pair may keep count of its available paths.
func (f Free) Allows(count, available int) bool {
	if f.Single {
		return count == 1
	}
	return count >= f.Least(available)
}
