package objective

import (
	"fmt"
	"math/big"
	"strconv"

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
}

// NewProblem returns the problem, or an *core.InputError when the size lies
// outside 1..N.
func NewProblem(r routing.Routing, size int) (Problem, error) {
	if n := r.Torus().N(); size < 1 || size > n {
		return Problem{}, &core.InputError{Text: strconv.Itoa(size),
			Problem: fmt.Sprintf("the size lies outside 1..%d, the nodes of torus %s", n, r.Torus())}
	}
	return Problem{Routing: r, Size: size}, nil
}

// FreeProblem returns the problem that leaves the routing to the search: tables choose
// from the paths that correct one dimension after the other, around a tie either way. The
// caller sets Size or Limit.
func FreeProblem(t *core.Torus, f routing.Free) Problem {
	return Problem{Routing: routing.NewUDR(t, routing.TieBoth), Free: &f}
}

// ParseProblem returns the problem that the words of the command line name, such as
// "8x8", "udr:tie=both" or "free" and 16. Errors are *core.InputError.
func ParseProblem(torus, routed string, size int) (Problem, error) {
	t, err := core.ParseTorus(torus)
	if err != nil {
		return Problem{}, err
	}
	f, free, err := routing.ParseFree(routed)
	if err != nil {
		return Problem{}, err
	}
	r := FreeProblem(t, f).Routing
	if !free {
		if r, err = routing.Parse(t, routed); err != nil {
			return Problem{}, err
		}
	}
	p, err := NewProblem(r, size)
	if err == nil && free {
		p.Free = &f
	}
	return p, err
}

// At returns the same problem for a size, without a limit.
func (p Problem) At(size int) Problem {
	p.Size, p.Limit = size, nil
	return p
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

// String returns torus, size or limit, and routing in the words of the command line.
func (p Problem) String() string {
	if p.Limit != nil {
		return fmt.Sprintf("--torus %s --routing %s --max-load %s", p.Torus(), p.RoutingText(), p.Limit)
	}
	return fmt.Sprintf("--torus %s --size %d --routing %s", p.Torus(), p.Size, p.RoutingText())
}

// A Limit bounds E_max: by the same value for all sizes, or by so much for every processor.
type Limit struct {
	Value        *big.Rat
	PerProcessor bool
}

// At returns the limit for n processors.
func (l Limit) At(n int) *big.Rat {
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

// Placements returns how many placements a full count covers: those of the problem's
// size that contain node 0, C(N-1, n-1), since every placement has a translate that does;
// where dimensions are open, all C(N, n).
func (p Problem) Placements() *big.Int {
	if !p.Torus().Closed() {
		return new(big.Int).Binomial(int64(p.Torus().N()), int64(p.Size))
	}
	return new(big.Int).Binomial(int64(p.Torus().N()-1), int64(p.Size-1))
}

// SameLoads reports whether two routings of one torus load every link alike under
// every placement, as ties plus and both do without even sides. It compares what
// node 0 sends every other; routings that depend on the placement, or that
// translations change, are alike only by name.
func SameLoads(r, other routing.Routing) bool {
	if !r.Torus().Equal(other.Torus()) {
		return false
	}
	if r.DependsOnPlacement() || other.DependsOnPlacement() || !routing.Invariant(r) || !routing.Invariant(other) {
		return r.String() == other.String() && r.String() != "table"
	}
	for d := 1; d < r.Torus().N(); d++ {
		a, b := r.Flow(0, d, nil), other.Flow(0, d, nil)
		if !sameShares(a, b) {
			return false
		}
	}
	return true
}

// sameShares reports whether two flows give every link the same share.
func sameShares(a, b routing.Flow) bool {
	shares := map[core.Link]*big.Rat{}
	for _, s := range a.Shares {
		shares[s.Link] = new(big.Rat).SetFrac(s.Num, a.Den)
	}
	for _, s := range b.Shares {
		have, ok := shares[s.Link]
		if !ok || have.Cmp(new(big.Rat).SetFrac(s.Num, b.Den)) != 0 {
			return false
		}
		delete(shares, s.Link)
	}
	return len(shares) == 0
}
