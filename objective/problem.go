package objective

import (
	"fmt"
	"math/big"
	"strconv"

	"leeway/core"
	"leeway/core/routing"
)

// A Problem asks for the placement of Size processors with the smallest E_max
// under Routing.
type Problem struct {
	Routing routing.Routing
	Size    int
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

// Torus returns the torus of the problem.
func (p Problem) Torus() *core.Torus { return p.Routing.Torus() }

// String returns torus, size and routing in the words of the command line.
func (p Problem) String() string {
	return fmt.Sprintf("--torus %s --size %d --routing %s", p.Torus(), p.Size, p.Routing)
}

// Placements returns how many placements of the problem's size contain node 0,
// C(N-1, n-1). Every placement has a translate that does, so a full count covers
// these.
func (p Problem) Placements() *big.Int {
	return new(big.Int).Binomial(int64(p.Torus().N()-1), int64(p.Size-1))
}
