package results

import (
	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
)

// EvaluationSchema is the schema version of evaluations.
const EvaluationSchema = "leeway/evaluation/1"

// An Evaluation is what the command eval prints about one placement.
type Evaluation struct {
	Schema     string     `json:"schema"`
	Torus      []int      `json:"torus"`
	Routing    string     `json:"routing"`
	Size       int        `json:"size"`
	Nodes      [][]int    `json:"nodes"`
	MaxLoad    string     `json:"max_load"`
	MeanLoad   string     `json:"mean_load"`      // over all links
	Links      int        `json:"links"`          // directed links of the torus
	LinksAtMax int        `json:"links_at_max"`   // 0 if max_load is 0
	Uniform    []bool     `json:"uniform"`        // per dimension
	Loads      []LinkLoad `json:"loads,omitzero"` // links with a load above 0
}

// A LinkLoad is the load of one link, named by the node it leaves.
type LinkLoad struct {
	From []int  `json:"from"`
	Dim  int    `json:"dim"`
	Dir  string `json:"dir"` // "+" or "-"; always "+" on a side of 2
	Load string `json:"load"`
}

// NewEvaluation returns the evaluation of placement p under r from its loads,
// with the list of loaded links if that is asked for.
func NewEvaluation(r routing.Routing, p core.Placement, loads *objective.Loads, withLoads bool) Evaluation {
	t := p.Torus()
	most, count := loads.Max()
	e := Evaluation{Schema: EvaluationSchema, Torus: t.Dims(), Routing: r.String(), Size: p.Size(), Nodes: p.Coords(),
		MaxLoad: FormatFraction(most), MeanLoad: FormatFraction(loads.Mean()), Links: t.M(), LinksAtMax: count}
	for j := range t.D() {
		e.Uniform = append(e.Uniform, p.Uniform(j))
	}
	if withLoads {
		e.Loads = linkLoads(loads)
	}
	return e
}

// linkLoads lists the links with a load above 0, in link order.
func linkLoads(loads *objective.Loads) []LinkLoad {
	list := []LinkLoad{}
	t := loads.Torus()
	for l := range t.M() {
		if v := loads.At(core.Link(l)); v.Sign() > 0 {
			from, port := t.LinkFrom(core.Link(l))
			list = append(list, LinkLoad{From: t.Coords(from), Dim: port.Dim, Dir: port.Dir.String(), Load: FormatFraction(v)})
		}
	}
	return list
}

// ReadEvaluation returns the evaluation that data spells, with the errors of
// ReadRecord.
func ReadEvaluation(data []byte) (Evaluation, error) {
	var e Evaluation
	err := Decode(data, EvaluationSchema, &e)
	return e, err
}
