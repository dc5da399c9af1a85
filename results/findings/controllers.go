package findings

import (
	"context"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"leeway/core"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/objective/rounds"
	"leeway/objective/texts"
	"leeway/results/atlas"
	"leeway/results/layout"
	"leeway/results/picture"
)

const controllersHead = `# Memory controllers

Every node of a network sends requests to every memory controller and gets replies ([how to evaluate such
traffic](howto/controllers.md)). Where should the controllers be? Abts et al. (ISCA 2009) compare a few placements and
search with a genetic algorithm. The values in **bold** are proved optimal: no placement of the same number of
controllers has a smaller E_max, by a proof in the atlas that ` + "`leeway check`" + ` repeats
([engines that write steps](proofs.md#engines-that-write-steps)).

* Directions: dimension 1 is horizontal (x), dimension 0 vertical (y). All nodes of ` +
	"`rows:at=0,7`" + ` lie in the first
  and the last row.
* Routing: XY corrects x first, for requests and replies: ` + "`--routing xy:tie=both`" + `, which records write as
  ` + "`odr:order=1,0:tie=both`" + `. CDR routes requests by XY and replies by YX: ` +
	"`--reply-routing yx:tie=both`" + `. O1TURN
  takes both orders equally often: ` +
	"`udr:tie=both`" + `. On the torus a message whose two ways around a ring are equally
  short takes each half of the time; on the mesh there are no ties.
* E_max: the largest load of a link when every node has exchanged one request and one reply with every controller.
* Link load and throughput: at one request per node and cycle, spread evenly over n controllers, the busiest link
  carries E_max/n messages per cycle. Where a link takes one message per cycle, it is full at n/E_max requests per node
  and cycle.
* Mean distance: links on a shortest path from a controller to another node. Among placements of equal E_max
  ` + "`--then distance`" + ` searches for the one with the least.

Written by ` + "`make findings`" + `; its pictures
by ` + "`make pictures`" + `.
`

const controllersColours = `
Links are coloured by their load under %s; links at E_max are dark and wide. Dimension 1 is horizontal. In brackets: how
much more than the optimum.

| E_max |`

const controllersSizes = ` One more controller never makes E_max smaller, since every node
talks to every controller; but each request goes to one of more.`

const controllersTools = `
## To a simulator

` + "`leeway atlas show --mesh 8x8 --size 16 --routing xy --traffic clients --out best.json`" + ` writes the record of a
cell, and ` + "`leeway check best.json`" + ` repeats its proof. ` + "`leeway export --to gem5 best.json`" + ` lists the
routers of the controllers ([gem5](howto/gem5.md)), ` + "`--to booksim`" + ` writes the network
([BookSim2](howto/booksim.md)). The same through the Go packages:
[examples/controllers](../examples/controllers/main.go).
`

const controllersRounds = `
## A mean of maxima

Abts et al. (ISCA 2009, table of maximum channel loads) simulate rounds: each of the 64 nodes sends one request to a
controller drawn at random, which replies, under XY on the mesh 8x8 with 16 controllers. What they print is the mean,
over rounds, of the largest load of a link. E_max/n is the largest, over links, of the mean load. A mean of maxima is
above the maximum of means, and the more so, the smaller the means are and the more links are equally busy: so they find
that the first and last rows carry 13.50/8.90 = 1.51 times the load of the diamond, where the mean loads, which limit
throughput, are in the ratio 160/78 = 2.05.

| placement | published | mean of the largest load, %d rounds | 50 %% | 90 %% | 99 %% | E_max/n |
|---|---|---|---|---|---|---|
`

const controllersRoundsEnd = `
` + "`leeway eval --mesh 8x8 --placement diamond --routing xy --traffic clients --rounds 10000`" + ` prints a row.
`

// published are the means of Abts et al., by placement.
var published = [][2]string{{"rows:at=0,7", "13.50"}, {"x", "8.93"}, {"diamond", "8.90"}}

// byRounds writes the mean largest loads of random rounds beside the published ones.
func (p *page) byRounds() error {
	const count = 10_000
	fmt.Fprintf(p, controllersRounds, count)
	mesh := controllersNetworks()[0]
	for _, row := range published {
		s, err := family.Parse(mesh, row[0])
		if err != nil {
			return err
		}
		q, err := schemes[0].Problem(mesh, 1, s.Size())
		if err != nil {
			return err
		}
		sample, err := rounds.Draw(context.Background(), q, s, count, 1)
		if err != nil {
			return err
		}
		most, _ := fast.Evaluate(q, s).Max()
		fmt.Fprintf(p, "| `%s` | %s | %s |", row[0], row[1], sample.Mean.FloatString(2))
		for _, part := range []int{50, 90, 99} {
			fmt.Fprintf(p, " %s |", sample.Percentile(part).RatString())
		}
		fmt.Fprintf(p, " %s |\n", layout.DecimalText(most.Quo(most, big.NewRat(int64(s.Size()), 1))))
	}
	p.WriteString(controllersRoundsEnd)
	return nil
}

// A scheme is a way of routing requests and replies that the literature has a name for: a column of the tables.
type scheme struct{ Name, Requests, Replies string } // without tie rules; Replies "" is Requests

// schemes are those that pages about controllers compare.
var schemes = []scheme{{"XY", "xy", ""}, {"CDR", "xy", "yx"}, {"O1TURN", "udr", ""}}

// beside is the size at which the literature compares placements on 8x8.
const beside = 16

// controllersNetworks returns the networks on which pages about controllers compare placements: the 8x8 mesh and torus.
func controllersNetworks() []*core.Torus {
	torus := core.MustTorus(8, 8)
	mesh, err := torus.WithLinks([]int{0, 1}, []int{1, 1})
	if err != nil {
		panic(err) // constants
	}
	return []*core.Torus{mesh, torus}
}

// controllersNamed returns the placements of n controllers that those pages name, as texts of core/family.
func controllersNamed(t *core.Torus, n int) []string {
	return append(family.Planar(t, n), "spaced:t=2")
}

// Problem returns the problem of n controllers that get requests of 1 and send replies of the given length. Ties go
// both ways; where nothing ties the rule is the default one, as in the cells of the atlas. Errors are
// *core.InputError.
func (s scheme) Problem(t *core.Torus, reply, n int) (objective.Problem, error) {
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
	c, ok := view.Cell(texts.KeyOf(p))
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
	for _, t := range controllersNetworks() {
		if err := p.writeNetwork(view, t); err != nil {
			return "", err
		}
	}
	if err := p.bySize(view); err != nil {
		return "", err
	}
	if err := p.byRounds(); err != nil {
		return "", err
	}
	p.WriteString(controllersTools)
	return p.String(), nil
}

// pictured are the placements of controllers that the page shows as pictures, under the first of schemes, two in a row.
var pictured = [][]string{{"diamond", "x"}, {"rows:at=2,5", "spaced:t=2"}}

// writeNetwork writes about the placements of a network: pictures, E_max, which are optimal, and what an E_max means.
func (p *page) writeNetwork(view *atlas.Atlas, t *core.Torus) error {
	kind, _, _ := strings.Cut(picture.NetworkName(t), " ")
	p.printf("\n## %d controllers on the %s\n\n", beside, picture.NetworkName(t))
	for i, row := range pictured {
		for _, text := range row {
			p.printf("| `%s` ", text)
		}
		p.printf("|\n")
		if i == 0 {
			p.printf("|%s\n", strings.Repeat("---|", len(row)))
		}
		for _, text := range row {
			name, _, _ := strings.Cut(text, ":")
			p.printf("| ![%d controllers on the %s, %s: links coloured by their load under %s](pictures/controllers-%s-%s.svg) ",
				beside, picture.NetworkName(t), text, schemes[0].Name, kind, name)
		}
		p.printf("|\n")
	}
	var problems []objective.Problem
	var best []*big.Rat
	p.printf(controllersColours, schemes[0].Name)
	for _, s := range schemes {
		q, err := s.Problem(t, 1, beside)
		if err != nil {
			return err
		}
		problems, best = append(problems, q), append(best, optimum(view, q))
		p.printf(" %s |", s.Name)
	}
	p.printf(" mean distance |\n|---|%s---|\n", strings.Repeat("---|", len(schemes)))
	optimal := make([][]string, len(schemes)) // names, by scheme
	values := map[string]*big.Rat{}           // all E_max
	for _, text := range controllersNamed(t, beside) {
		placement, err := family.Parse(t, text)
		if err != nil {
			return err
		}
		p.printf("| `%s` |", text)
		for i, q := range problems {
			load, _ := fast.Evaluate(q, placement).Max()
			values[load.RatString()] = load
			shown := load.RatString()
			switch {
			case best[i] == nil:
			case load.Cmp(best[i]) == 0:
				shown = "**" + shown + "**"
				optimal[i] = append(optimal[i], "`"+text+"`")
			default:
				more, _ := new(big.Rat).Quo(load, best[i]).Float64()
				shown += fmt.Sprintf(" (+%.0f %%)", 100*(more-1))
			}
			p.printf(" %s |", shown)
		}
		distance, _ := fast.MeanDistance(placement).Float64()
		p.printf(" %.3f |\n", distance)
	}
	p.printf("| the optimum |")
	for _, b := range best {
		if b == nil {
			p.printf(" ? |")
			continue
		}
		values[b.RatString()] = b
		p.printf(" **%s** |", b.RatString())
	}
	p.printf(" |\n\n")
	for i, s := range schemes {
		switch {
		case best[i] == nil:
			p.printf("* %s: the optimum is not proved.\n", s.Name)
		case len(optimal[i]) == 0:
			p.printf("* %s: none of these is optimal.\n", s.Name)
		default:
			p.printf("* %s: no placement has less than %s; optimal: %s.\n", s.Name, best[i].RatString(),
				strings.Join(optimal[i], ", "))
		}
	}
	p.meanings(slices.SortedFunc(maps.Values(values), (*big.Rat).Cmp))
	return nil
}

// meanings writes what values of E_max say about links of one message per cycle.
func (p *page) meanings(values []*big.Rat) {
	rows := []string{"E_max", "link load at one request per node and cycle", "throughput, requests per node and cycle"}
	for _, v := range values {
		load, _ := new(big.Rat).Quo(v, big.NewRat(beside, 1)).Float64()
		rows[0] += " | " + v.RatString()
		rows[1] += fmt.Sprintf(" | %.4g", load)
		rows[2] += fmt.Sprintf(" | %.4g", 1/load)
	}
	p.printf("\n| %s |\n|%s\n| %s |\n| %s |\n", rows[0], strings.Repeat("---|", 1+len(values)), rows[1], rows[2])
}

// The sizes of the table of optima.
const fewestControllers, mostControllers = 4, 32

// bySize writes the optima by the number of controllers.
func (p *page) bySize(view *atlas.Atlas) error {
	on, missing := controllersNetworks(), 0
	tables := &page{}
	ends := map[int]*big.Rat{} // of the first network and scheme
	for _, reply := range []int{1, 4} {
		tables.printf("\nRequests of 1, replies of %d:\n\n| n |", reply)
		for _, t := range on {
			kind, _, _ := strings.Cut(picture.NetworkName(t), " ")
			for _, s := range schemes {
				tables.printf(" %s, %s |", kind, s.Name)
			}
		}
		tables.printf("\n|%s\n", strings.Repeat("---|", 1+len(on)*len(schemes)))
		for n := fewestControllers; n <= mostControllers; n++ {
			tables.printf("| %d |", n)
			for i, t := range on {
				for j, s := range schemes {
					q, err := s.Problem(t, reply, n)
					if err != nil {
						return err
					}
					shown := "?"
					if best := optimum(view, q); best == nil {
						missing++
					} else {
						shown = best.RatString()
						if i+j == 0 && reply == 1 {
							ends[n] = best
						}
					}
					tables.printf(" %s |", shown)
				}
			}
			tables.printf("\n")
		}
	}
	p.printf("\n## The optima by the number of controllers\n\nThe smallest E_max of n controllers, ")
	if missing == 0 {
		p.printf("all proved.")
	} else {
		p.printf("%d of them not proved (\"?\").", missing)
	}
	p.printf(controllersSizes)
	if few, most := ends[fewestControllers], ends[mostControllers]; few != nil && most != nil {
		load := func(v *big.Rat, n int64) string {
			each, _ := new(big.Rat).Quo(v, big.NewRat(n, 1)).Float64()
			return fmt.Sprintf("%s/%d = %.4g", v.RatString(), n, each)
		}
		p.printf(" On the %s under %s the link load\nat one request per node and cycle falls from %s with %d to %s with %d.",
			picture.NetworkName(on[0]), schemes[0].Name, load(few, fewestControllers), fewestControllers,
			load(most, mostControllers), mostControllers)
	}
	p.printf("\n")
	p.WriteString(tables.String())
	return nil
}
