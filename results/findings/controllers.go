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
	"leeway/results/picture"
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
## %d controllers on the %s

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

// A Scheme is a way of routing requests and replies that the literature has a name for: a column of the tables.
type Scheme struct{ Name, Requests, Replies string } // without tie rules; Replies "" is Requests

// Schemes are those that pages about controllers compare.
var Schemes = []Scheme{{"XY", "odr", ""}, {"CDR", "odr", "odr:order=1,0"}, {"O1TURN", "udr", ""}}

// ControllersBeside is the size at which the literature compares placements on 8x8.
const ControllersBeside = 16

// ControllersNetworks returns the networks on which pages about controllers compare placements: the 8x8 mesh and torus.
func ControllersNetworks() []*core.Torus {
	torus := core.MustTorus(8, 8)
	mesh, err := torus.With([]int{0, 1}, []int{1, 1})
	if err != nil {
		panic(err) // constants
	}
	return []*core.Torus{mesh, torus}
}

// ControllersNamed returns the placements of n controllers that those pages name, as texts of core/family.
func ControllersNamed(t *core.Torus, n int) []string {
	return append(family.Planar(t, n), "spaced:t=2")
}

// Problem returns the problem of n controllers that get requests of 1 and send replies of the given length. Ties go
// both ways; where nothing ties the rule is the default one, as in the cells of the atlas. Errors are
// *core.InputError.
func (s Scheme) Problem(t *core.Torus, reply, n int) (objective.Problem, error) {
	read := func(text string) (routing.Routing, error) {
		if t.HasTies() {
			text += ":tie=both"
		}
		return routing.Parse(t, text)
	}
	r, err := read(s.Requests)
	if err != nil {
		return objective.Problem{}, err
	}
	traffic := objective.Traffic{Request: 1, Reply: reply}
	if s.Replies != "" {
		if traffic.Replies, err = read(s.Replies); err != nil {
			return objective.Problem{}, err
		}
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
	for _, t := range ControllersNetworks() {
		p.printf(controllersSides, ControllersBeside, picture.NetworkName(t))
		if err := p.beside(view, t, optimal); err != nil {
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

// beside writes the table of a network, a placement a row, and notes where one has the proved optimum.
func (p *page) beside(view *atlas.Atlas, t *core.Torus, optimal map[string][]string) error {
	var problems []objective.Problem
	var best []*big.Rat
	p.printf("| placement |")
	for _, s := range Schemes {
		q, err := s.Problem(t, 1, ControllersBeside)
		if err != nil {
			return err
		}
		problems, best = append(problems, q), append(best, optimum(view, q))
		p.printf(" %s: E_max | E_max/%d | %d/E_max |", s.Name, ControllersBeside, ControllersBeside)
	}
	p.printf(" mean distance |\n|---|%s---|\n", strings.Repeat("---|---|---|", len(Schemes)))
	for _, text := range ControllersNamed(t, ControllersBeside) {
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
					fmt.Sprintf("on the %s under %s, E_max %s", picture.NetworkName(t), Schemes[i].Name, load.RatString()))
			default:
				more, _ := new(big.Rat).Quo(load, best[i]).Float64()
				shown += fmt.Sprintf(" (+%.0f %%)", 100*(more-1))
			}
			each, _ := new(big.Rat).Quo(load, big.NewRat(ControllersBeside, 1)).Float64()
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
		each, _ := new(big.Rat).Quo(b, big.NewRat(ControllersBeside, 1)).Float64()
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
		for _, t := range ControllersNetworks() {
			kind, _, _ := strings.Cut(picture.NetworkName(t), " ")
			for _, s := range Schemes {
				p.printf(" %s, %s |", kind, s.Name)
			}
		}
		p.printf("\n|%s\n", strings.Repeat("---|", 1+len(ControllersNetworks())*len(Schemes)))
		for n := fewestControllers; n <= mostControllers; n++ {
			p.printf("| %d |", n)
			for _, t := range ControllersNetworks() {
				for _, s := range Schemes {
					q, err := s.Problem(t, reply, n)
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
