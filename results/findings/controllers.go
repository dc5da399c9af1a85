package findings

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"leeway/core"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results/atlas"
)

const controllersHead = `# Memory controllers

Written by ` + "`make findings`" + `, that is ` + "`leeway atlas findings --controllers`" + `. Every node of a network
sends requests to every controller and gets replies: [how to ask for that](howto/controllers.md). The literature answers
where to put the controllers by pictures and genetic algorithms (Abts et al., ISCA 2009). Loads are sums over the
controllers, so that the best E_max can be proved: no placement is below a value in **bold**, by a proof in the atlas
that ` + "`leeway check`" + ` repeats ([the tree clients](proofs.md#the-tree-clients)).

XY is ` + "`odr:tie=both`" + ` for requests and replies; CDR sends the replies the other way round,
` + "`--reply-routing odr:order=1,0:tie=both`" + `; O1TURN is ` + "`udr:tie=both`" + `. On a mesh nothing ties.

E_max is the largest load of a link when every node has exchanged one request and one reply with every controller. At
one request per node and cycle, spread evenly over n controllers, the busiest link carries E_max/n per cycle; links that
carry one message per cycle let n/E_max requests per node and cycle through. In brackets: how much more than the
optimum. The mean distance is that from a node to a controller.
`

const controllersSides = `
## %d controllers on %s

`

const controllersSizes = `
## The optima by the number of controllers

All are proved. More controllers never carry less: every node talks to every controller.
`

const controllersTools = `
## To a simulator

` + "`leeway atlas show --mesh 8x8 --size 16 --routing xy --traffic clients --out best.json`" + ` writes the record of a
cell, and ` + "`leeway check best.json`" + ` repeats its proof. ` + "`leeway export --to gem5 best.json`" + ` lists the
routers of the controllers ([gem5](howto/gem5.md)), ` + "`--to booksim`" + ` writes the network
([BookSim2](howto/booksim.md)). The same through the Go packages:
[examples/controllers](../examples/controllers/main.go).
`

// A scheme is a column of the tables: the routing of requests, and that of replies where it is another.
type scheme struct{ name, requests, replies string }

var schemes = []scheme{{"XY", "odr", ""}, {"CDR", "odr", "odr:order=1,0"}, {"O1TURN", "udr:tie=both", ""}}

// The networks of the page.
var controlled = []struct{ name, text string }{{"the 8x8 mesh", "8x8:open=0,1"}, {"the 8x8 torus", "8x8"}}

// question returns the problem of n controllers, with replies so many times as long as requests. Where nothing ties the
// tie rule is the default one, as in the cells of the atlas.
func (s scheme) question(network string, reply, n int) (objective.Problem, error) {
	t, err := core.ParseNetwork(network)
	if err != nil {
		return objective.Problem{}, err
	}
	read := func(text string) (routing.Routing, error) {
		if t.HasTies() && !strings.Contains(text, ":tie=") {
			text += ":tie=both"
		}
		return routing.Parse(t, text)
	}
	traffic := objective.Traffic{Request: 1, Reply: reply}
	if s.replies != "" {
		if traffic.Replies, err = read(s.replies); err != nil {
			return objective.Problem{}, err
		}
	}
	r, err := read(s.requests)
	if err != nil {
		return objective.Problem{}, err
	}
	p, err := objective.NewProblem(r, n)
	if err != nil {
		return p, err
	}
	return p.WithTraffic(traffic)
}

// optimum returns the proved E_max of a problem in an atlas, nil without one.
func optimum(view *atlas.Atlas, p objective.Problem) *big.Rat {
	c, ok := view.Cell(atlas.KeyOf(p))
	if !ok || c.Fault != "" || c.Status != atlas.Optimal {
		return nil
	}
	return number(c.MaxLoad)
}

// Controllers returns the page docs/controllers.md: the placements of memory controllers that the literature draws
// beside the proved optima of an atlas. Every load is evaluated. Errors are those of reading the names in this file.
func Controllers(view *atlas.Atlas) (string, error) {
	p := &page{}
	p.WriteString(controllersHead)
	optimal := map[string][]string{} // by placement: where no other is below
	for _, network := range controlled {
		p.printf(controllersSides, controllersBeside, network.name)
		if err := p.beside(view, network.name, network.text, optimal); err != nil {
			return "", err
		}
	}
	p.printf("\n## Which of them are optimal\n\n")
	for _, name := range slices.Sorted(maps.Keys(optimal)) {
		p.printf("* `%s`: %s\n", name, strings.Join(optimal[name], "; "))
	}
	p.WriteString(controllersSizes)
	if err := p.bySize(view); err != nil {
		return "", err
	}
	p.WriteString(controllersTools)
	return p.String(), nil
}

// controllersBeside is the size at which the literature compares placements on 8x8.
const controllersBeside = 16

// beside writes the table of a network, a placement a row, and notes where one has the proved optimum.
func (p *page) beside(view *atlas.Atlas, name, network string, optimal map[string][]string) error {
	t, err := core.ParseNetwork(network)
	if err != nil {
		return err
	}
	var problems []objective.Problem
	var best []*big.Rat
	p.printf("| placement |")
	for _, s := range schemes {
		q, err := s.question(network, 1, controllersBeside)
		if err != nil {
			return err
		}
		problems, best = append(problems, q), append(best, optimum(view, q))
		p.printf(" %s: E_max | E_max/%d | %d/E_max |", s.name, controllersBeside, controllersBeside)
	}
	p.printf(" mean distance |\n|---|%s---|\n", strings.Repeat("---|---|---|", len(schemes)))
	for _, text := range append(family.Planar(t, controllersBeside), "spaced:t=2") {
		placement, err := family.Parse(t, text)
		if err != nil {
			return err
		}
		p.printf("| `%s` |", text)
		for i, q := range problems {
			load, _ := q.Evaluate(placement).Max()
			shown := load.RatString()
			switch {
			case best[i] == nil:
			case load.Cmp(best[i]) == 0:
				shown = "**" + shown + "**"
				optimal[text] = append(optimal[text],
					fmt.Sprintf("on %s under %s, E_max %s", name, schemes[i].name, load.RatString()))
			default:
				more, _ := new(big.Rat).Quo(load, best[i]).Float64()
				shown += fmt.Sprintf(" (+%.0f %%)", 100*(more-1))
			}
			each, _ := new(big.Rat).Quo(load, big.NewRat(controllersBeside, 1)).Float64()
			p.printf(" %s | %.4g | %.4g |", shown, each, 1/each)
		}
		distance, _ := objective.MeanDistance(placement).Float64()
		p.printf(" %.3f |\n", distance)
	}
	p.printf("| the optimum |")
	for _, b := range best {
		if b == nil {
			p.printf(" ? | ? | ? |")
			continue
		}
		each, _ := new(big.Rat).Quo(b, big.NewRat(controllersBeside, 1)).Float64()
		p.printf(" **%s** | %.4g | %.4g |", b.RatString(), each, 1/each)
	}
	p.printf(" |\n")
	return nil
}

// The sizes of the table of optima.
const fewestControllers, mostControllers = 4, 32

// bySize writes the optima by the number of controllers.
func (p *page) bySize(view *atlas.Atlas) error {
	for _, reply := range []int{1, 4} {
		p.printf("\nRequests of 1, replies of %d:\n\n| n |", reply)
		for _, network := range controlled {
			for _, s := range schemes {
				p.printf(" %s, %s |", strings.TrimPrefix(network.name, "the 8x8 "), s.name)
			}
		}
		p.printf("\n|%s\n", strings.Repeat("---|", 1+len(controlled)*len(schemes)))
		for n := fewestControllers; n <= mostControllers; n++ {
			p.printf("| %d |", n)
			for _, network := range controlled {
				for _, s := range schemes {
					q, err := s.question(network.text, reply, n)
					if err != nil {
						return err
					}
					shown := "?"
					if best := optimum(view, q); best != nil {
						shown = best.RatString()
					}
					p.printf(" %s |", shown)
				}
			}
			p.printf("\n")
		}
	}
	return nil
}
