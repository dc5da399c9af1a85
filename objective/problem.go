// Package objective has definitions: what a problem is, with traffic and conditions, and the loads
// of a placement by the naive evaluator, the slow twin of those of the package fast.
package objective

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"leeway/core"
	"leeway/core/routing"
)

// A Problem says everything that is asked for: the placement of Size processors with the
// smallest E_max, or, with Limit, the largest placement whose E_max is within it. Paths are
// those of Routing; with Free the best table of some of these is asked for too.
type Problem struct {
	Routing routing.Routing
	Free    *routing.Free // nil: the routing is given; else Routing is udr:tie=both
	Size    int           // 0 exactly with Limit
	Limit   *Limit        // nil: the size is given
	Terms                 // traffic, and conditions on placements
}

// NewProblem returns the problem, or an *core.InputError when the size lies
// outside 1..N.
func NewProblem(r routing.Routing, size int) (Problem, error) {
	if n := r.Torus().N(); size < 1 || size > n {
		return Problem{}, core.Invalid(strconv.Itoa(size), "the size lies outside 1..%d, the nodes of torus %s", n, r.Torus())
	}
	return Problem{Routing: r, Size: size}, nil
}

// FreeProblem returns the problem that leaves the routing to the search: tables choose
// from the paths that correct one dimension after the other, around a tie either way. The
// caller sets Size or Limit.
func FreeProblem(t *core.Torus, f routing.Free) Problem {
	return Problem{Routing: routing.NewUDR(t, routing.TieBoth), Free: &f}
}

// WithSize returns the same problem for a size, without a limit.
func (p Problem) WithSize(size int) Problem {
	p.Size, p.Limit = size, nil
	return p
}

// WithNodes returns the same problem for placements that have processors on all fixed nodes and on no forbidden one;
// empty lists are no condition. Errors are *core.InputError: a node outside the torus or listed twice, a node that is
// both, or a size outside |fixed|..N-|forbidden|.
func (p Problem) WithNodes(fixed, forbidden []int) (Problem, error) {
	p, err := p.WithListed(fixed, forbidden)
	if err != nil {
		return p, err
	}
	if least, most := p.Sizes(); p.Limit == nil && p.Conditioned() && (p.Size < least || p.Size > most) {
		return p, core.Invalid(strconv.Itoa(p.Size),
			"the size lies outside %d..%d: of the %d nodes of %s %d are fixed and %d forbidden",
			least, most, p.Torus().N(), p.Torus(), p.Fixed.Count(), p.Forbidden.Count())
	}
	return p, nil
}

// WithListed is WithNodes for any size.
func (p Problem) WithListed(fixed, forbidden []int) (Problem, error) {
	t := p.Torus()
	in, err := core.NewPlacement(t, fixed)
	if err != nil {
		return p, err
	}
	out, err := core.NewPlacement(t, forbidden)
	if err != nil {
		return p, err
	}
	for _, v := range in.Nodes() {
		if out.Size() > 0 && out.Set().Has(v) {
			return p, core.Invalid(NodesText(t, []int{v}), "the node is both fixed and forbidden").
				Hinted("remove it from one of the lists")
		}
	}
	p.Fixed, p.Forbidden = nil, nil
	if in.Size() > 0 {
		p.Fixed = in.Set()
	}
	if out.Size() > 0 {
		p.Forbidden = out.Set()
	}
	return p, nil
}

// NodesText returns nodes in the words of the command line, "0,0+7,7".
func NodesText(t *core.Torus, nodes []int) string {
	parts := make([]string, len(nodes))
	for i, v := range nodes {
		parts[i] = core.JoinInts(t.Coords(v), ",")
	}
	return strings.Join(parts, "+")
}

// Conditioned reports whether there are fixed or forbidden nodes.
func (p Problem) Conditioned() bool { return p.Fixed != nil || p.Forbidden != nil }

// Sizes returns the smallest and largest size of a placement that keeps to the conditions: 1 and N without any, with a
// matrix the number of its tasks. Where nodes are to be near processors it may take more than the smallest.
func (p Problem) Sizes() (least, most int) {
	if m := p.Traffic.Matrix; m != nil {
		return m.Tasks, m.Tasks
	}
	return max(p.Near.least(p.Torus()), p.Fixed.Count(), 1), p.Torus().N() - p.Forbidden.Count()
}

// MustHave reports whether node v is fixed.
func (p Problem) MustHave(v int) bool { return p.Fixed != nil && p.Fixed.Has(v) }

// MayHave reports whether node v is not forbidden.
func (p Problem) MayHave(v int) bool { return p.Forbidden == nil || !p.Forbidden.Has(v) }

// Admits reports whether a placement on the torus keeps to the conditions. Its size is not looked at.
func (p Problem) Admits(s core.Placement) bool {
	if p.Traffic.Matrix != nil {
		return p.Refusal(s) == ""
	}
	return !p.Conditioned() && !p.Near.Asked() || p.AdmitsSet(s.Set())
}

// AdmitsSet is Admits for a set of nodes.
func (p Problem) AdmitsSet(s core.Set) bool {
	for i, w := range p.Fixed {
		if w&^s[i] != 0 {
			return false
		}
	}
	for i, w := range p.Forbidden {
		if w&s[i] != 0 {
			return false
		}
	}
	return !p.Near.Asked() || p.Near.Excess(core.MustPlacement(p.Torus(), s.Nodes())) == ""
}

// Alone reports whether there is at most one placement of the size that keeps to the conditions, for their nodes.
func (p Problem) Alone() bool {
	return p.Size == p.Fixed.Count() || p.Size == p.Torus().N()-p.Forbidden.Count()
}

// Candidates returns the nodes that are neither fixed nor forbidden, ascending: those that placements differ in.
func (p Problem) Candidates() []int {
	return slices.DeleteFunc(core.Range(p.Torus().N()), func(v int) bool { return p.MustHave(v) || !p.MayHave(v) })
}

// Translatable reports whether every translate of a placement of the problem is one of the problem too, with the same
// E_max, so that it is enough to look at those with node 0: no node is fixed or forbidden, and translations preserve
// the paths.
func (p Problem) Translatable() bool {
	return !p.Conditioned() && p.Pinned == nil && routing.Invariant(p.Routing) && routing.Invariant(p.ReplyRouting())
}

// Given returns the same problem under all paths that a free routing may choose from.
func (p Problem) Given() Problem {
	p.Free = nil
	return p
}

// Torus returns the torus of the problem.
func (p Problem) Torus() *core.Torus { return p.Routing.Torus() }

// RoutingText returns the routing in the words of the command line, also where it is
// left to the search.
func (p Problem) RoutingText() string {
	if p.Free != nil {
		return p.Free.String()
	}
	return p.Routing.String()
}

// String returns torus, size or limit, routing, traffic and conditions in the words of the command line.
func (p Problem) String() string {
	flag := "--torus "
	if !p.Torus().HasDimensions() {
		flag = "--network "
	}
	text := fmt.Sprintf("%s --size %d --routing %s", flag+p.Torus().Title(), p.Size, p.RoutingText())
	if p.Limit != nil {
		text = fmt.Sprintf("%s --routing %s --max-load %s", flag+p.Torus().Title(), p.RoutingText(), p.Limit)
	}
	return text + p.TermsText()
}

// A Limit bounds E_max: by the same value for all sizes, or by a value times the number of processors.
type Limit struct {
	Value        *big.Rat
	PerProcessor bool
}

// ValueAt returns the limit for n processors.
func (l Limit) ValueAt(n int) *big.Rat {
	if !l.PerProcessor {
		return new(big.Rat).Set(l.Value)
	}
	return new(big.Rat).Mul(l.Value, new(big.Rat).SetInt64(int64(n)))
}

// String returns "5/2", or "1/8n" for an eighth of the number of processors.
func (l Limit) String() string {
	if l.PerProcessor {
		return l.Value.RatString() + "n"
	}
	return l.Value.RatString()
}

// Placements returns how many placements a full count covers: those of the problem's size that keep to the conditions;
// of a Translatable problem only those that contain node 0, C(N-1, n-1), since every placement has a translate that
// does.
func (p Problem) Placements() *big.Int {
	n, size := int64(p.Torus().N()), int64(p.Size)
	if p.Translatable() {
		return new(big.Int).Binomial(n-1, size-1)
	}
	fixed := int64(p.Fixed.Count())
	return new(big.Int).Binomial(n-fixed-int64(p.Forbidden.Count()), size-fixed)
}
