package work

import (
	"context"
	"errors"
	"math/big"
	"time"

	"leeway/core"
	"leeway/core/linkname"
	"leeway/core/parallel"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/bisect"
	"leeway/objective/bound"
	"leeway/objective/congestion"
	"leeway/objective/fast"
	"leeway/objective/faults"
	"leeway/objective/lowerbound"
	"leeway/results"
	"leeway/results/answers"
	"leeway/results/atlas"
	"leeway/results/compose"
	"leeway/results/explain"
	"leeway/search"
	"leeway/search/restrict"
)

// Evaluate returns the loads of a placement under routing and traffic of a problem. Listed are the nodes, if asked for,
// and every link with a load, if asked for. The error is a *MemoryError, or that of the context.
func Evaluate(
	ctx context.Context, q objective.Problem, p core.Placement, nodes, links bool,
) (compose.Evaluation, error) {
	t, listed := p.Torus(), 0
	if nodes {
		listed = p.Size()
	}
	if links {
		listed += t.M()
	}
	if err := Enough(t, "evaluating a placement and listing what is asked for",
		EvaluationBytes(q.Routing, p.Size())+ListBytes(t, listed)); err != nil {
		return compose.Evaluation{}, err
	}
	loads, err := fast.EvaluateContext(ctx, q, p)
	if err != nil {
		return compose.Evaluation{}, err
	}
	return compose.NewEvaluation(q, p, loads, links), nil
}

// Bounds returns the lower bounds of a placement under routing and traffic of a problem. The error is that of the
// context.
func Bounds(ctx context.Context, q objective.Problem, p core.Placement) (answers.Bounds, error) {
	list, err := bound.DemandBounds(ctx, q, p)
	if err != nil {
		return answers.Bounds{}, err
	}
	d := compose.NewBounds(q.Routing, p.Size(), &p, list, bound.Best(list))
	d.Setting = compose.SettingOf(q).WithTasks(p)
	return d, nil
}

// BoundsOf returns the lower bounds of all placements of a problem with a size and a given routing. The error is that
// of the context.
func BoundsOf(ctx context.Context, p objective.Problem) (answers.Bounds, error) {
	list, err := problemBounds(ctx, p)
	if err != nil {
		return answers.Bounds{}, err
	}
	d := compose.NewBounds(p.Routing, p.Size, nil, list, bound.Best(list))
	d.Setting = compose.SettingOf(p)
	return d, nil
}

// Explain is explain.Parts, under other traffic explain.OfTraffic, or a *MemoryError.
func Explain(ctx context.Context, q objective.Problem, p core.Placement) (explain.Explanation, error) {
	t := p.Torus()
	if err := Enough(t, "evaluating a placement under every routing",
		EvaluationBytes(routing.NewMinimal(t, routing.TieBoth), p.Size())); err != nil {
		return explain.Explanation{}, err
	}
	effort := congestion.DefaultOptions()
	effort.Flows = false // which take memory
	if !q.Traffic.ToAll() {
		any := q
		any.Size, any.Fixed, any.Forbidden = p.Size(), nil, nil
		return explain.OfTraffic(ctx, q, p, effort, bound.Best(explain.AnyRouting(quickBounds(any))))
	}
	return explain.Parts(ctx, p, effort)
}

// A Restriction is what restrict answers, as JSON.
type Restriction struct {
	Schema string `json:"schema"`
	results.Grid
	Routing string `json:"routing"` // always "table"
	results.Setting
	Size    int     `json:"size"`
	Nodes   [][]int `json:"nodes"`
	MaxLoad string  `json:"max_load"`
	// LowerBound holds for the placement under every restriction asked for.
	LowerBound  string `json:"lower_bound"`
	BoundReason string `json:"bound_reason"`
	// Weights are the reason where paths by dimension alone give the bound.
	Weights []lowerbound.LinkWeight `json:"weights,omitempty"`
	// MinimalBound holds under every minimal routing.
	MinimalBound string `json:"minimal_bound"`
	// MinPaths is the fewest paths that a pair which sends messages has.
	MinPaths int             `json:"min_paths"`
	FoundBy  results.FoundBy `json:"found_by"`
	Table    results.Table   `json:"table"`
}

// tableGrace is how long Restrict may take to write and evaluate the table that it has once the time is over.
const tableGrace = time.Second

// Restrict looks for the best routing restriction of a placement within a budget. Watch is called
// with a lower bound and returns an observer, and what is called when the search is over. Errors are
// those of restrict.Run, and that of the context where not even its set-up was over in time.
func Restrict(ctx context.Context, params restrict.Params, b Budget,
	watch func(lower *big.Rat) (observe func(search.Event), end func())) (Restriction, error) {
	started := time.Now()
	limited, cancel := b.Deadline(ctx)
	defer cancel()
	lower := bound.Whole(params.Placement.Torus(), params.Single, boundOfAny(limited, params.Placement, params.Traffic))
	var end func()
	params.Goal = lower.Value
	params.Observe, end = watch(lower.Value)
	r, err := parallel.Await(limited, tableGrace, func() (restrict.Restriction, error) {
		return restrict.Run(limited, params)
	})
	end()
	if err != nil {
		return Restriction{}, err
	}
	d := newRestriction(params, r, lower)
	d.FoundBy = results.FoundBy{Method: r.Method, Seed: b.Seed, Evaluations: r.Evaluations,
		Seconds: time.Since(started).Seconds()}
	return d, nil
}

// boundOfAny returns the best bound of a placement under any minimal routing, that of its
// size if the context ends before the others are there.
func boundOfAny(ctx context.Context, p core.Placement, traffic objective.Traffic) lowerbound.Bound {
	all := routing.NewMinimal(p.Torus(), routing.TieBoth)
	q := objective.Problem{Routing: all, Size: p.Size(), Terms: objective.Terms{Traffic: traffic}}
	ctx, cancel := BoundTime(ctx)
	defer cancel()
	bounds, err := parallel.Await(ctx, 0, func() ([]lowerbound.Bound, error) {
		return bound.DemandBounds(ctx, q, p)
	})
	if err != nil {
		bounds = quickBounds(q)
	}
	return bound.Best(explain.AnyRouting(bounds))
}

// dimensionwise names the bound of weights on the paths that a table may hold:
// those that correct one dimension after the other.
const dimensionwise = "congestion of paths by dimension"

func newRestriction(params restrict.Params, r restrict.Restriction, anyMinimal lowerbound.Bound) Restriction {
	t := params.Placement.Torus()
	d := Restriction{Schema: "leeway/restriction/1",
		Grid: compose.GridOf(t), Routing: r.Table.String(), Size: params.Placement.Size(),
		Setting: compose.SettingOf(objective.Problem{Terms: objective.Terms{Traffic: params.Traffic}}),
		Nodes:   params.Placement.Coords(),
		MaxLoad: r.Value.RatString(), LowerBound: anyMinimal.Value.RatString(), BoundReason: anyMinimal.Reason(),
		MinimalBound: anyMinimal.Value.RatString(), MinPaths: r.MinPaths, Table: compose.NewTable(r.Table)}
	own := bound.Whole(t, params.Single, lowerbound.Bound{Name: dimensionwise, Value: r.Lower})
	if own.Value.Cmp(anyMinimal.Value) > 0 {
		d.LowerBound, d.BoundReason = own.Value.RatString(), own.Reason()
		d.Weights = congestion.Solution{Weights: r.Weights}.LinkWeights(t)
	}
	return d
}

// BestKnown returns the smallest E_max that is known of placements as large as the given one: from the atlas of the
// program, or else by a search from there within a budget. It is nil where the budget is too small to evaluate any, and
// where the routing has paths for the given placement only.
func (s *Session) BestKnown(ctx context.Context, q objective.Problem, p core.Placement,
	b Budget) (*explain.Known, error) {
	if routing.Complete(q.Routing) != nil {
		return nil, nil
	}
	problem, err := objective.NewProblem(q.Routing, p.Size())
	if err == nil {
		problem, err = problem.WithTraffic(q.Traffic)
	}
	if err != nil {
		return nil, err
	}
	shipped, err := atlas.ShippedOf(p.Torus().N())
	if err != nil {
		return nil, err
	}
	if c, _, ok := shipped.Find(problem); ok && c.MaxLoad != "" && c.Fault == "" {
		return &explain.Known{MaxLoad: c.MaxLoad, LowerBound: c.LowerBound, Source: "atlas"}, nil
	}
	answer, err := s.Solve(ctx, Task{Problem: problem, Budget: b, Starts: []core.Placement{p}})
	if answer.Record == nil {
		if errors.Is(err, ErrNoPlacement) {
			err = nil
		}
		return nil, err
	}
	return &explain.Known{MaxLoad: answer.Record.MaxLoad, LowerBound: answer.Record.LowerBound, Source: "search"}, nil
}

// A Bisection is what bisect answers, as JSON. Width and lower bound count the
// directed links that join the sides, both ways.
type Bisection struct {
	Schema string `json:"schema"`
	results.Grid
	Size       int        `json:"size"`
	Alpha      string     `json:"alpha"`
	Width      int        `json:"width"`
	Exact      bool       `json:"exact"`
	LowerBound int        `json:"lower_bound"`
	Processors [2]int     `json:"processors"`
	Sides      [2][][]int `json:"sides"`
}

func NewBisection(q bisect.Question, share *big.Rat, r bisect.Cut) Bisection {
	t := q.Placement.Torus()
	d := Bisection{Schema: "leeway/bisection/1",
		Grid: compose.GridOf(t), Size: q.Placement.Size(), Alpha: share.RatString(), Width: r.Width(),
		Exact:      r.Exact,
		LowerBound: r.LowerBound(), Processors: r.Processors, Sides: [2][][]int{{}, {}}}
	for v := range t.N() {
		side := 1
		if r.Side.Has(v) {
			side = 0
		}
		d.Sides[side] = append(d.Sides[side], t.Coords(v))
	}
	return d
}

// Faults is what faults answers, as JSON. The two links are null where no
// fault does harm.
type Faults struct {
	Schema string `json:"schema"`
	results.Subject
	Pairs             int             `json:"pairs"`
	Faults            int             `json:"faults"`
	DisconnectedPairs int             `json:"disconnected_pairs"`
	DisconnectingLink *linkname.Ended `json:"disconnecting_link"`
	CriticalLinks     int             `json:"critical_links"`
	MaxLoad           string          `json:"max_load"`
	MaxLoadAfterFault string          `json:"max_load_after_fault"`
	LoadingLink       *linkname.Ended `json:"loading_link"`
	MinPaths          int             `json:"min_paths"`
	MeanPaths         string          `json:"mean_paths"`
	MinDisjointPaths  int             `json:"min_disjoint_paths"`
	MeanDisjointPaths string          `json:"mean_disjoint_paths"`
	DisjointExact     bool            `json:"disjoint_exact"`
	Repairs           []Repair        `json:"repairs,omitempty"` // one for each orbit of edges
}

// A Repair is the least E_max of any split over the shortest paths that the failure of both links of an edge leaves.
type Repair struct {
	Link  linkname.Ended `json:"link"`
	Alike int            `json:"alike"` // how many edges fare the same by symmetry
	// Network is what is left, as a list of edges; "" if it falls apart, and then the rest is absent, too.
	Network    string                  `json:"network,omitempty"`
	MaxLoad    string                  `json:"max_load,omitempty"` // of the routing found
	LowerBound string                  `json:"lower_bound,omitempty"`
	Weights    []lowerbound.LinkWeight `json:"weights,omitempty"` // of links of Network: the reason for LowerBound
}

// NewFaults returns the document of a report, with repairs if there are any.
func NewFaults(q objective.Problem, p core.Placement, f faults.Report, repairs []faults.Repair) Faults {
	d := Faults{Schema: "leeway/faults/1", Subject: compose.SubjectOf(q, p),
		Pairs: f.Pairs, Faults: f.Faults, DisconnectedPairs: f.DisconnectedPairs, CriticalLinks: f.CriticalLinks,
		MaxLoad: results.FormatFraction(f.MaxLoad), MaxLoadAfterFault: results.FormatFraction(f.MaxLoadAfterFault),
		MinPaths: f.MinPaths, MeanPaths: results.FormatFraction(f.MeanPaths),
		MinDisjointPaths: f.MinDisjoint, MeanDisjointPaths: results.FormatFraction(f.MeanDisjoint),
		DisjointExact: f.DisjointExact}
	for _, one := range repairs {
		r := Repair{Link: linkname.NewEnded(p.Torus(), one.Link), Alike: one.Alike}
		if left := one.Left; left != nil {
			r.Network, r.Weights = left.String(), one.LinkWeights(left)
			r.MaxLoad, r.LowerBound = results.FormatFraction(one.Upper), results.FormatFraction(one.Lower)
		}
		d.Repairs = append(d.Repairs, r)
	}
	if f.DisconnectedPairs > 0 {
		link := linkname.NewEnded(p.Torus(), f.CutLink)
		d.DisconnectingLink = &link
	}
	if f.MaxLoadAfterFault.Sign() > 0 {
		link := linkname.NewEnded(p.Torus(), f.LoadLink)
		d.LoadingLink = &link
	}
	return d
}
