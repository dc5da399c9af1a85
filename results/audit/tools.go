package audit

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math/big"
	"strings"

	"leeway/core"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/texts"
	"leeway/objective/worst"
	"leeway/results"
)

// A Difference is where a program or a published table has another value than the definition gives, by the smallest
// example known.
type Difference struct {
	Name     string `json:"name"`     // short, stable
	Source   string `json:"source"`   // the program with its version, or the publication
	Example  string `json:"example"`  // what is computed
	Exact    string `json:"exact"`    // fraction, computed when it is asked for
	Theirs   string `json:"theirs"`   // what the program or table says
	Command  string `json:"command"`  // shows the exact value
	Against  string `json:"against"`  // shows theirs; "" for publications
	Upstream string `json:"upstream"` // a text to send to those who can change it
}

// The differences, but for their exact values, and the program of simgrid-ties, which stands for its name there.
var (
	//go:embed tools.json
	differences []byte
	//go:embed testdata/ties.cpp
	ties string
)

// Differences returns where other programs, and published tables, differ from the definition, each with its exact
// value, which is computed now. Errors are bugs of the table. Cost: under a second.
func Differences() ([]Difference, error) {
	var list []Difference
	if err := json.Unmarshal(differences, &list); err != nil {
		return nil, fmt.Errorf("tools.json: %w", err)
	}
	for i, d := range list {
		v, err := exact[d.Name]()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d.Name, err)
		}
		list[i].Exact = results.FormatFraction(v)
		list[i].Against = strings.Replace(d.Against, "{ties.cpp}", ties, 1)
	}
	return list, nil
}

// exact computes the value of each difference.
var exact = map[string]func() (*big.Rat, error){
	"networkx-subset": func() (*big.Rat, error) {
		return loadOf("8:links=0-1,0-2,0-5,1-3,2-3,3-4,4-7,5-6,6-4:names=s+x1+x2+u+w+y+v+t", "nodes:s+t", "minimal", 3, 4)
	},
	"simgrid-ties": func() (*big.Rat, error) { return mostOf("4", "nodes:2+3+0", "odr:tie=plus") },
	"dor-ties": func() (*big.Rat, error) {
		p, s, err := placed("8x8", "full", "odr:tie=both")
		if err != nil {
			return nil, err
		}
		e, err := worst.New(p.Routing)
		if err != nil {
			return nil, err
		}
		return big.NewRat(e.Den(), e.Load(s.Nodes(), 1<<62)), nil // the capacity of 8x8 is one message per node
	},
	"isca-2009-maxima": func() (*big.Rat, error) {
		const mesh = "8x8:open=0,1:traffic=clients:request=1:reply=1"
		rows, err := mostOf(mesh, "rows:at=0,7", "xy")
		if err != nil {
			return nil, err
		}
		diamond, err := mostOf(mesh, "diamond", "xy")
		if err != nil {
			return nil, err
		}
		return rows.Quo(rows, diamond), nil
	},
	"routes-4x4x8":  func() (*big.Rat, error) { return meanPaths("4x4x8:twist=0,0,4+0,0,4+0,0,0") },
	"routes-8x8x16": func() (*big.Rat, error) { return meanPaths("8x8x16:twist=0,0,8+0,0,8+0,0,0") },
}

// meanPaths returns the sum of all distances over the number of links, rounded up: the paths on the busiest link under
// the best table of single ones, on networks where it is that.
func meanPaths(network string) (*big.Rat, error) {
	t, err := core.ParseNetwork(network)
	if err != nil {
		return nil, err
	}
	sum := 0
	distances, _ := t.Nearest([]int{0}) // every node has as many at each distance
	for _, d := range distances {
		sum += t.N() * int(d)
	}
	return big.NewRat(int64((sum+t.Links()-1)/t.Links()), 1), nil
}

// placed returns a problem and a placement from texts.
func placed(where, placement, way string) (p objective.Problem, s core.Placement, err error) {
	on, err := texts.ParseWhere(where)
	if err == nil {
		s, err = family.Parse(on.Torus(), placement)
	}
	if err == nil {
		p.Routing, err = routing.Parse(on.Torus(), way)
	}
	if err == nil {
		p.Size = s.Size()
		p, err = p.WithTraffic(on.Traffic)
	}
	return p, s, err
}

// mostOf returns E_max by listing every path.
func mostOf(where, placement, way string) (*big.Rat, error) {
	p, s, err := placed(where, placement, way)
	if err != nil {
		return nil, err
	}
	most, _ := p.Naive(s).Max()
	return most, nil
}

// loadOf returns the load of the link from one node to another.
func loadOf(where, placement, way string, from, to int) (*big.Rat, error) {
	p, s, err := placed(where, placement, way)
	if err != nil {
		return nil, err
	}
	loads, t := p.Naive(s), p.Torus()
	for l := range t.LinksFrom(from) {
		if _, end := t.LinkEnds(l); end == to {
			return loads.Load(l), nil
		}
	}
	return nil, core.Invalid(where, "there is no link from %d to %d", from, to)
}
