// Package law finds formulas of E_max: polynomials in the side k of tori with equal sides, one for each class of k
// modulo a small period.
//
// A law is fitted to exact values and compared with others, at least as many and three for every class (fit.go). That
// is not a proof. Proved are the formulas to which the theorems of docs/laws.md apply (theorem.go). Neither is ever a
// record.
package law

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"leeway/core"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/bound"
	"leeway/objective/fast"
	"leeway/objective/lowerbound"
	"leeway/results"
)

// Schema is the schema version of laws.
const Schema = "leeway/law/1"

// The statuses of a law and of its pieces.
const (
	Proved = "proved" // by a theorem of docs/laws.md, for all k of the class from the given one on
	Fitted = "fitted" // agrees with all values that were computed
	None   = "none"   // no formula agrees
)

// A Law is what is known of E_max of a family of placements under a routing.
type Law struct {
	Schema  string  `json:"schema"`
	Family  string  `json:"family"`
	Routing string  `json:"routing"` // canonical
	Dims    int     `json:"dims"`
	Status  string  `json:"status"`  // proved if all pieces are
	Formula string  `json:"formula"` // all pieces, "" if there is none
	Pieces  []Piece `json:"pieces"`
	Checked []Case  `json:"checked"`   // agree with the formula, which was not computed from them
	Used    []Case  `json:"fitted_to"` // determine the formula
	Outside []Case  `json:"outside"`   // no piece says anything about them

	PassedOver []int `json:"passed_over,omitempty"` // sides on which the family does not exist
}

// A Piece is the formula for some k.
type Piece struct {
	Formula string  `json:"formula"`
	When    string  `json:"when"` // even k
	From    int     `json:"from"` // k is at least this
	Status  string  `json:"status"`
	Theorem string  `json:"theorem,omitempty"` // the section of docs/laws.md that proves it
	Bounds  []Bound `json:"bounds"`            // those that are equal to E_max on all tori of the piece
}

// A Bound is a lower bound that E_max attains.
type Bound struct {
	Name    string `json:"name"`
	Holds   string `json:"holds"`             // for which placements and routings
	Theorem string `json:"theorem,omitempty"` // the section of docs/laws.md by which it is E_max for all k of the piece
}

// A Case is E_max on one torus. Placement is absent where all have the family's text.
type Case struct {
	Torus     []int  `json:"torus"`
	Placement string `json:"placement,omitempty"`
	Value     string `json:"value"`
}

// A Question is what law is asked for. Family is the text of a placement that suits tori of several sides, in which t
// may be a range, t=2..9; Sides are ascending, from 3 to as many as a law needs if there are none.
type Question struct {
	Family, Routing string
	Dims            int
	Sides           []int
}

// most nodes of a torus by default; with paths of every shape, which take long, less.
const (
	mostNodes        = 1 << 17
	mostNodesMinimal = 400
)

// A member is one placement of the family.
type member struct {
	Value
	size   int
	bounds []lowerbound.Bound
}

// Find computes E_max on the tori of the question and returns what formula they follow; tori on which the family does
// not exist, as t = 3 on sides of 2, are passed over. Errors are those of texts that suit none, and of the context.
func Find(ctx context.Context, q Question) (Law, error) {
	l := Law{Schema: Schema, Family: q.Family, Dims: q.Dims, Status: None, Pieces: []Piece{}, Checked: []Case{},
		Used: []Case{}, Outside: []Case{}}
	low, high, err := residueRange(q.Family)
	if err != nil {
		return l, err
	}
	if len(q.Sides) == 0 {
		q.Sides = q.defaultSides(low, high)
	}
	var members []member
	var refused error
	if len(q.Sides) == 0 {
		return l, core.Invalid(q.Family, "tori of %d equal sides have more nodes than are "+
			"evaluated unasked", q.Dims).Hinted("name the sides: --sides 3,4")
	}
	for _, k := range q.Sides {
		before := len(members)
		for t := low; t <= high; t++ {
			m, routed, err := q.member(ctx, k, t)
			switch {
			case ctx.Err() != nil:
				return l, ctx.Err()
			case err != nil:
				refused = err
				continue
			case high == low:
				m.T = 0
			}
			l.Routing = routed
			members = append(members, m)
		}
		if len(members) == before {
			l.PassedOver = append(l.PassedOver, k)
		}
	}
	if len(members) == 0 {
		return l, refused
	}
	l.find(q, members, low, high)
	return l, nil
}

// find fits the pieces and says what each is worth.
func (l *Law) find(q Question, members []member, low, high int) {
	var values []Value
	for _, m := range members {
		values = append(values, m.Value)
	}
	periods := []int{1, 2, 4}
	if low == high {
		periods = divisors(4 * low)
	}
	pieces := quasi(values, periods, q.Dims+2)
	var formulas []string
	proved := len(pieces) > 0
	for _, p := range pieces {
		said := Piece{Formula: p.polynomial.String(), When: p.class.String(), From: p.from, Status: Fitted}
		if low < high {
			said.When += fmt.Sprintf(", t = %d..%d", low, high)
		}
		formulas = append(formulas, fmt.Sprintf("%s for %s, k >= %d", said.Formula, said.When, said.From))
		theorem := newTheorem(q, l.Routing, p, low, high)
		if theorem != nil && theorem.proves(p) {
			said.Status, said.Theorem = Proved, residuesSection
		} else {
			proved, theorem = false, nil
		}
		said.Bounds = attained(p, members, theorem)
		l.Pieces = append(l.Pieces, said)
		l.Checked = append(l.Checked, q.cases(p.held)...)
		l.Used = append(l.Used, q.cases(p.used)...)
	}
	switch {
	case proved:
		l.Status = Proved
	case len(pieces) > 0:
		l.Status = Fitted
	}
	l.Formula = strings.Join(formulas, "; ")
	l.Outside = append(l.Outside, q.cases(slices.DeleteFunc(values, func(v Value) bool {
		return slices.ContainsFunc(pieces, func(p piece) bool { return p.from <= v.K && p.has(v.K, v.T) })
	}))...)
}

// attained returns the bounds that are equal to E_max for all members of a piece, and those that the theorem, if not
// nil, shows to be equal for all k.
func attained(p piece, members []member, proof *theorem) []Bound {
	list := []Bound{}
	add := func(name, holds string, equal, always func(k, t int) *big.Rat) {
		section := ""
		if always != nil && proof != nil && proof.equals(p, always) {
			section = sectionOf[name]
		}
		for _, m := range members {
			if v := equal(m.K, m.T); p.from <= m.K && p.has(m.K, m.T) && (v == nil || v.Cmp(m.Load) != 0) {
				return
			}
		}
		list = append(list, Bound{name, holds, section})
	}
	always := map[string]func(k, t int) *big.Rat{}
	if proof != nil {
		always[lowerbound.Degree], always[lowerbound.Slab] = proof.degree, proof.slab
	}
	var names []string
	for _, b := range members[0].bounds {
		names = append(names, b.Name)
	}
	for i, name := range names {
		holds := "every placement of this size, every routing"
		switch name {
		case lowerbound.Mean, lowerbound.DimensionMean:
			holds = "this placement, all shortest paths"
		case lowerbound.Slab:
			holds = "this placement, every routing"
		}
		add(name, holds, func(k, t int) *big.Rat {
			at := slices.IndexFunc(members, func(m member) bool { return m.K == k && m.T == t })
			return members[at].bounds[i].Value
		}, always[name])
	}
	if proof != nil && proof.corners() {
		add(lowerbound.Corner, "every placement of this size under udr", proof.corner, proof.corner)
	}
	if proof != nil && proof.margins() {
		add(lowerbound.Margin, "every placement of this size, this routing", proof.margin, proof.margin)
	}
	return list
}

// member evaluates the placement of side k, with t residues if that is not 0, and returns also the routing's text.
func (q Question) member(ctx context.Context, k, t int) (m member, routed string, err error) {
	torus, err := core.NewTorus(slices.Repeat([]int{k}, q.Dims)...)
	if err != nil {
		return m, "", err
	}
	r, err := routing.Parse(torus, q.Routing)
	if err != nil {
		return m, "", err
	}
	p, err := family.Parse(torus, q.placement(t))
	if err != nil {
		return m, "", err
	}
	loads, err := fast.EvaluateContext(ctx, objective.Problem{Routing: r}, p)
	if err != nil {
		return m, "", err
	}
	load, _ := loads.Max()
	m = member{Value: Value{k, t, load}, size: p.Size(), bounds: bound.QuickPlacementBounds(p)}
	for _, b := range bound.QuickBounds(objective.Problem{Routing: r, Size: p.Size()}) {
		if b.Name == lowerbound.Band {
			m.bounds = append(m.bounds, b)
		}
	}
	return m, r.String(), nil
}

// placement returns the text of the family with t residues, if that is not 0.
func (q Question) placement(t int) string {
	parts := strings.Split(q.Family, ":")
	for i, part := range parts {
		if strings.HasPrefix(part, "t=") && t > 0 {
			parts[i] = "t=" + strconv.Itoa(t)
		}
	}
	return strings.Join(parts, ":")
}

// cases returns values as cases, by side.
func (q Question) cases(values []Value) []Case {
	slices.SortStableFunc(values, func(a, b Value) int { return a.K - b.K })
	list := []Case{}
	for _, v := range values {
		c := Case{Torus: slices.Repeat([]int{v.K}, q.Dims), Value: results.FormatFraction(v.Load)}
		if v.T > 0 {
			c.Placement = q.placement(v.T)
		}
		list = append(list, c)
	}
	return list
}

// residueRange returns the range of t of a family, 1..1 where it has none. The error is an *core.InputError.
func residueRange(text string) (low, high int, err error) {
	parsed, err := core.ParseText(text, "a family is a placement that suits tori of several sides: spaced:t=2, "+
		"multilinear:t=2..5, linear, x")
	if err != nil {
		return 0, 0, err
	}
	if strings.HasPrefix(text, "@") {
		return 0, 0, parsed.FailWhole("the placement of a file suits one torus only")
	}
	p, ok := parsed.Take("t")
	if !ok {
		return 1, 1, nil
	}
	from, to, isRange := strings.Cut(p.Text, "..")
	if !isRange {
		to = from
	}
	low, err = strconv.Atoi(from)
	if err == nil {
		high, err = strconv.Atoi(to)
	}
	if err != nil || low < 1 || high < low || high > 1000 {
		return 0, 0, parsed.Fail(p, "t is a number from 1 on or a range A..B, at most 1000")
	}
	return low, high, nil
}

// defaultSides returns the sides from 3 on that are enough for a law of the period 2t, as far as tori have this many
// nodes at most as are evaluated soon.
func (q Question) defaultSides(low, high int) []int {
	last, nodes := max(24, 14*high), mostNodes
	if low < high {
		last = max(24, 4*high)
	}
	if strings.HasPrefix(q.Routing, "minimal") {
		nodes = mostNodesMinimal
	}
	var sides []int
	for k := 3; k <= last; k++ {
		n := 1
		for range q.Dims {
			n = min(n*k, mostNodes+1)
		}
		if n <= nodes {
			sides = append(sides, k)
		}
	}
	return sides
}

func divisors(n int) []int {
	var list []int
	for m := 1; m <= n; m++ {
		if n%m == 0 {
			list = append(list, m)
		}
	}
	return list
}
