package restrict

import (
	"context"
	"fmt"
	"math/big"

	"leeway/core"
	"leeway/core/routing"
	"leeway/core/symmetry"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/search"
)

// Name is the word by which records call the method.
const Name = "restrict"

// A By says for what a restriction chooses paths.
type By int

// The ways to choose.
const (
	ByAny          By = iota // by displacement or by pair, whichever is better
	ByDisplacement           // all pairs of one displacement use the same paths; no dimension is open
	ByPair                   // every ordered pair of processors has paths of its own
)

// Params says what to look for and how long.
type Params struct {
	Placement   core.Placement
	Traffic     objective.Traffic // the table routes requests and replies: Replies is nil
	By          By
	Single      bool            // exactly one path for every pair
	MinPaths    int             // every pair keeps this many paths, or all it has
	Goal        *big.Rat        // a lower bound: stop there; nil: none
	Start       *routing.Table  // a restriction to start from too, with paths for every pair; nil: none
	Quick       bool            // solve small linear programs only; Lower may then be 0
	Group       *symmetry.Group // of udr:tie=both on the torus; nil: it is made
	Seed        uint64
	Evaluations int64 // changes that may be tried; 0: no limit, where the context can end
	Workers     int   // at least 1; changes the speed, never the result
	Observe     func(search.Event)
}

// A Restriction is the best restriction found.
type Restriction struct {
	Table       *routing.Table
	Value       *big.Rat // E_max of the placement under Table, exact
	MinPaths    int      // the fewest paths of a pair that sends messages, 0 without such
	Method      string   // how it was found
	Lower       *big.Rat // E_max of every restriction is at least this
	Weights     []int64  // of links: the reason for Lower; nil unless it is of these paths only
	Evaluations int64
	Reason      search.Reason
}

// endlessChanges is how many changes may be tried where neither evaluations nor the context set an end.
const endlessChanges = 1 << 20

// Run looks for the restriction with the smallest E_max until the goal is reached, the evaluations are spent or the
// context ends; it always returns one. Without evaluations, in a context that cannot end, it tries a fixed number.
// Without a deadline the result depends on the parameters only, not on Workers. It fails with an *core.InputError when
// the placement has too many paths, or a requirement cannot be met. Under client traffic a table by pair has entries
// for all pairs of nodes. On a twisted torus the paths to choose from walk any of the shortest vectors, one dimension
// after the other.
func Run(ctx context.Context, p Params) (Restriction, error) {
	if r := p.Traffic.Replies; r != nil {
		return Restriction{}, core.Invalid(r.String(),
			"the replies have a routing of their own, but one table routes requests and replies")
	}
	if _, err := (objective.Problem{Routing: routing.NewUDR(p.Placement.Torus(), routing.TieBoth)}).
		WithTraffic(p.Traffic); err != nil {
		return Restriction{}, err
	}
	if m := p.Traffic.Matrix; m != nil && m.Den > 1 {
		return p.inUnits(ctx, m)
	}
	if p.Single && p.MinPaths > 1 {
		return Restriction{}, core.Invalid(fmt.Sprint(p.MinPaths), "a single path for every pair cannot be several").
			Hinted("omit one of the two requirements")
	}
	if t := p.Placement.Torus(); p.By == ByDisplacement && !t.Closed() {
		return Restriction{}, core.Invalid(t.String(),
			"paths are not chosen by displacement where dimensions are open: those of a displacement differ").
			Hinted("choose them by pair")
	}
	if t := p.Placement.Torus(); p.By == ByPair || p.By == ByAny && !t.Closed() {
		if problem := byPairTooLarge(t, p.Traffic); problem != "" {
			return Restriction{}, core.Invalid(t.String(), "%s", problem).
				Hinted("choose by displacement where no dimension is open, or take a smaller network")
		}
	}
	if p.Evaluations == 0 && ctx.Done() == nil {
		p.Evaluations = endlessChanges
	}
	s, err := newRun(ctx, p)
	if err != nil {
		return Restriction{}, err
	}
	s.everywhere(ctx)
	return s.result(ctx)
}

// inUnits is Run for a matrix of fractions: that of whole numbers of its units is as good.
func (p Params) inUnits(ctx context.Context, m *objective.Matrix) (Restriction, error) {
	whole, units := *m, big.NewRat(m.Den, 1)
	whole.Den = 1
	p.Traffic.Matrix = &whole
	if p.Goal != nil {
		p.Goal = new(big.Rat).Mul(p.Goal, units)
	}
	if observe := p.Observe; observe != nil {
		p.Observe = func(e search.Event) {
			e.Value = new(big.Rat).Quo(e.Value, units)
			observe(e)
		}
	}
	r, err := Run(ctx, p)
	for _, v := range []*big.Rat{r.Value, r.Lower} {
		if v != nil {
			v.Quo(v, units)
		}
	}
	return r, err
}

// problem returns the problem of the placement under a routing.
func (p *Params) problem(r routing.Routing) objective.Problem {
	return objective.Problem{Routing: r, Size: p.Placement.Size(), Terms: objective.Terms{Traffic: p.Traffic}}
}

// valueOf returns E_max under a table. Under client traffic that lists the messages: the loads by node of a table by
// pair would be those of all nodes.
func (p *Params) valueOf(table *routing.Table) *big.Rat {
	q := p.problem(table)
	evaluate := fast.Evaluate
	if p.Traffic.Clients() {
		evaluate = objective.Problem.Naive
	}
	value, _ := evaluate(q, p.Placement).Max()
	return value
}

// free returns what a pair may keep of its paths.
func (p *Params) free() routing.Free { return routing.Free{Single: p.Single, MinPaths: p.MinPaths} }

// observe tells the observer, if there is one.
func (p *Params) observe(value *big.Rat, evaluations int64, improved bool, note string) {
	if p.Observe != nil {
		p.Observe(search.Event{Method: Name, Value: value, Evaluations: evaluations, Improved: improved, Note: note})
	}
}

// confirm evaluates a result exactly, with code that shares nothing with the models.
func (p *Params) confirm(r Restriction) error {
	if exact := p.valueOf(r.Table); exact.Cmp(r.Value) != 0 {
		return &search.WrongValueError{Method: Name, Nodes: p.Placement.Nodes(), Claimed: r.Value, True: exact}
	}
	return nil
}
