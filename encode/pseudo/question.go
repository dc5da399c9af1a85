package pseudo

import (
	"bufio"
	"fmt"
	"io"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/encode"
	"leeway/objective"
	"leeway/objective/fast"
)

// maxTerms is the most terms that the rows of a formula may have together, some hundred MB of text.
const maxTerms = 10_000_000

// A share is what a pair of nodes, or a processor with its clients, puts on a link, in units of 1/D.
type share struct {
	link   int
	amount int64
}

// A term is a coefficient with a variable, counted from 1.
type term struct {
	coef     int64
	variable int
}

// A formula is a question as rows: the terms of each add up to at least its bound. Rows are numbered from 1.
type formula struct {
	problem  objective.Problem
	torus    *core.Torus
	n        int         // nodes
	pairs    [][]share   // by u*n+v, u < v
	single   [][]share   // by node
	limits   []int64     // by link, in units
	ends     [][2]int    // by link, {-1, -1} where there is none
	distance [][]int32   // links from node to node
	farther  map[int]int // by v*n+d the variable "node v is farther than d from all processors"

	rows  [][]term
	bound []int64 // by row
	vars  int
	// Numbers of rows: of fixed or forbidden nodes, balls, pairs by u*n+v, links, farther; 0: none.
	given, ball, pair, link, far []int
	away                         int // the sum of all farther
}

// Numbers of the rows for the size of the placement.
const (
	sizeLow  = 1
	sizeHigh = 2
)

// Supports returns an *encode.UnsupportedError for a problem of which proofs have no translation: a routing that is
// free or whose paths depend on the placement.
func Supports(p objective.Problem) error {
	if p.Free != nil || p.Routing.DependsOnPlacement() {
		return unsupported(p, "loads are no sums over pairs where paths are free or depend on the other processors")
	}
	return nil
}

func unsupported(p objective.Problem, why string, args ...any) error {
	return &encode.UnsupportedError{Problem: p.String(), Why: fmt.Sprintf(why, args...)}
}

// newFormula returns the formula "some placement has E_max below a value".
func newFormula(p objective.Problem, below *big.Rat) (*formula, error) {
	if err := Supports(p); err != nil {
		return nil, err
	}
	t := p.Torus()
	n := t.N()
	if below.Sign() <= 0 || n*n > maxTerms {
		return nil, unsupported(p, "%s is not above 0, or the network has too many nodes", below.RatString())
	}
	f := &formula{problem: p, torus: t, n: n, vars: n + n*(n-1)/2, pairs: make([][]share, n*n), farther: map[int]int{},
		single: make([][]share, n), given: make([]int, n), ball: make([]int, n), pair: make([]int, n*n),
		link: make([]int, t.M()), far: make([]int, n*n)}
	for l := range t.M() {
		ends := [2]int{-1, -1}
		if t.HasLink(core.Link(l)) {
			ends[0], ends[1] = t.LinkEnds(core.Link(l))
		}
		f.ends = append(f.ends, ends)
	}
	for v := range n {
		distance, _ := t.Nearest([]int{v})
		f.distance = append(f.distance, distance)
	}
	if err := f.addShares(below); err != nil {
		return nil, err
	}
	f.addConditions()
	f.addLinks()
	if p.Distance > 0 {
		f.addDistance()
	}
	return f, nil
}

// addShares sets what pairs and processors put on links, whatever their bandwidth, and the limits, in the largest unit
// of which all are multiples.
func (f *formula) addShares(below *big.Rat) error {
	p, den, terms := f.problem, f.problem.Denominator(), 0
	if den == nil || den.BitLen() > 38 {
		return unsupported(p, "the loads have no common unit of reasonable size")
	}
	unit, sums, steps := den.Int64(), make([]int64, len(f.ends)), make([]int64, len(f.ends))
	put := func(list *[]share, link core.Link, load int64) {
		amount := load * int64(f.torus.LinkBandwidth(link))
		*list = append(*list, share{int(link), amount})
		sums[link] += amount
		steps[link] = core.GCD(steps[link], amount)
		unit = core.GCD(unit, amount)
		terms++
	}
	if p.Traffic.Clients() {
		loads, err := fast.NewNodeLoads(p, nil)
		if err != nil {
			return unsupported(p, "%v", err)
		}
		for v := range f.n {
			for l, load := range loads.Row(v, make([]int64, len(f.ends))) {
				if load > 0 {
					put(&f.single[v], core.Link(l), load)
				}
			}
		}
	}
	for v := range f.n {
		for u := 0; u < v && !p.Traffic.Clients() && terms <= maxTerms; u++ {
			for _, x := range fast.Exchanged(p.Routing, u, v, den.Int64()) {
				put(&f.pairs[u*f.n+v], x.Link(f.torus), x.Load)
			}
		}
	}
	if terms > maxTerms {
		return unsupported(p, "its loads have more than %d terms", maxTerms)
	}
	for _, list := range slices.Concat(f.pairs, f.single) {
		for i := range list {
			list[i].amount /= unit
		}
	}
	den.Div(den, big.NewInt(unit))
	for l, sum := range sums {
		bandwidth := big.NewInt(int64(f.torus.LinkBandwidth(core.Link(l))))
		most := objective.NumeratorBelow(below, bandwidth.Mul(bandwidth, den))
		if most.BitLen() > 50 || sum/unit > 1<<50 {
			return unsupported(p, "the limit or the loads of a link pass 50 bits")
		}
		f.limits = append(f.limits, most.Int64()-most.Int64()%max(steps[l]/unit, 1))
	}
	return nil
}

// node and product return variables.
func (f *formula) node(v int) int { return v + 1 }

func (f *formula) product(u, v int) int {
	u, v = min(u, v), max(u, v)
	return f.n + v*(v-1)/2 + u + 1
}

// add adds a row and returns its number.
func (f *formula) add(bound int64, terms ...term) int {
	f.rows, f.bound = append(f.rows, terms), append(f.bound, bound)
	return len(f.rows)
}

// addConditions adds the rows of the size, of fixed and forbidden nodes and of balls.
func (f *formula) addConditions() {
	var more, fewer []term
	for v := range f.n {
		more, fewer = append(more, term{1, f.node(v)}), append(fewer, term{-1, f.node(v)})
	}
	f.add(int64(f.problem.Size), more...)
	f.add(-int64(f.problem.Size), fewer...)
	for _, v := range f.problem.Fixed.Nodes() {
		f.given[v] = f.add(1, term{1, f.node(v)})
	}
	for _, v := range f.problem.Forbidden.Nodes() {
		f.given[v] = f.add(0, term{-1, f.node(v)})
	}
	for v, near := range f.balls() {
		var terms []term
		for _, x := range near {
			terms = append(terms, term{1, f.node(x)})
		}
		f.ball[v] = f.add(1, terms...)
	}
}

// balls returns by node those within the radius of it, none without a radius.
func (f *formula) balls() [][]int {
	if f.problem.Radius == 0 {
		return nil
	}
	return f.problem.Balls(f.problem.Radius)
}

// addLinks adds the rows of products and of links.
func (f *formula) addLinks() {
	sums := make([][]term, len(f.ends))
	for v := range f.n {
		for u := range v {
			if list := f.pairs[u*f.n+v]; len(list) > 0 {
				y := f.product(u, v)
				f.pair[u*f.n+v] = f.add(-1, term{1, y}, term{-1, f.node(u)}, term{-1, f.node(v)})
				for _, s := range list {
					sums[s.link] = append(sums[s.link], term{-s.amount, y})
				}
			}
		}
		for _, s := range f.single[v] {
			sums[s.link] = append(sums[s.link], term{-s.amount, f.node(v)})
		}
	}
	for l, terms := range sums {
		if len(terms) > 0 {
			f.link[l] = f.add(-f.limits[l], terms...)
		}
	}
}

// addDistance adds the rows that count how far nodes are from processors.
func (f *formula) addDistance() {
	var all []term
	for v := range f.n {
		for d := range f.n {
			terms := []term{{1, f.vars + 1}}
			for x, from := range f.distance {
				if int(from[v]) <= d {
					terms = append(terms, term{1, f.node(x)})
				}
			}
			if len(terms) > f.n {
				break
			}
			f.vars++
			f.farther[v*f.n+d] = f.vars
			f.far[v*f.n+d] = f.add(1, terms...)
			all = append(all, term{-1, f.vars})
		}
	}
	f.away = f.add(-int64(f.problem.Distance), all...)
}

// write writes the formula in OPB, after some comments.
func (f *formula) write(to io.Writer, comments []string) error {
	w := bufio.NewWriter(to)
	fmt.Fprintf(w, "* #variable= %d #constraint= %d\n", f.vars, len(f.rows))
	for _, c := range comments {
		fmt.Fprintf(w, "* %s\n", c)
	}
	for i, terms := range f.rows {
		for _, t := range terms {
			fmt.Fprintf(w, "%+d x%d ", t.coef, t.variable)
		}
		fmt.Fprintf(w, ">= %d ;\n", f.bound[i])
	}
	return w.Flush()
}
