package routing

import (
	"fmt"

	"leeway/core"
)

const routingHint = "routings are odr, odr:order=1,0, udr, orders:01+10, avoid and minimal, each with an optional " +
	":tie=plus or :tie=both"

// family is one row of the table of routings: the default tie rule, and how the
// options are read.
type family struct {
	tie   Tie
	build func(t *core.Torus, text *core.Text, tie Tie) (Routing, error)
}

// families lists every routing by the name that it has in text.
var families = map[string]family{
	"odr": {TiePlus, parseODR},
	"udr": {TiePlus, func(t *core.Torus, _ *core.Text, tie Tie) (Routing, error) {
		return NewUDR(t, tie), nil
	}},
	"orders": {TiePlus, parseOrders},
	"avoid": {TieBoth, func(t *core.Torus, _ *core.Text, tie Tie) (Routing, error) {
		return NewAvoid(t, tie), nil
	}},
	"minimal": {TieBoth, func(t *core.Torus, _ *core.Text, tie Tie) (Routing, error) {
		return NewMinimal(t, tie), nil
	}},
}

// Parse reads the text form of a routing for torus t: odr, odr:order=1,0,
// odr:tie=both, udr, orders:012+120+201, avoid, minimal. The tie rule defaults
// to plus for odr, udr and orders and to both for avoid and minimal. Errors are
// *core.InputError and name the offending part.
func Parse(t *core.Torus, s string) (Routing, error) {
	text, err := core.ParseText(s, routingHint)
	if err != nil {
		return nil, err
	}
	f, ok := families[text.Name]
	if !ok {
		return nil, text.Fail(core.Part{Text: text.Name}, fmt.Sprintf("unknown routing %q", text.Name))
	}
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
