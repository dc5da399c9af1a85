package genetic

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/MaxHalford/eaopt"

	"leeway/core/parallel"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/search"
	"leeway/search/local"
)

// The options are the measures of the method; tests set others.
type options struct {
	islands     int
	population  int // of an island
	generations int // of an round
	patience    int // steps without a better peak after which a chain ends
	model       func(*island) eaopt.Model
}

// standard are the measures that are used.
var standard = &options{islands: 4, population: 12, generations: 4, patience: 40,
	model: func(is *island) eaopt.Model { return elite{is} }}

// Method is the memetic search. Its zero value is ready for use.
type Method struct{ options *options }

// Name returns "genetic".
func (Method) Name() string { return "genetic" }

// Supports refuses problems whose loads overflow the incremental evaluator, and those with a radius or a distance.
func (m Method) Supports(p objective.Problem) error {
	if err := fast.Incrementable(p, p.Size); err != nil {
		return search.Unsupported(m.Name(), p, "%v", err)
	}
	return search.Anywhere(m.Name(), p)
}

// Run evolves placements until the goal, the budget or the context ends it. An evaluation is one placement, complete or
// short of one processor, whose cost was computed.
func (m Method) Run(ctx context.Context, p search.Params) (search.Outcome, error) {
	gate, release := local.NewGate(ctx)
	defer release()
	if err := p.CheckStarts(); err != nil {
		return search.Outcome{}, err
	}
	a, err := settle(ctx, p, cmp.Or(m.options, standard), gate)
	if err != nil {
		return search.Outcome{}, err
	}
	out := search.Outcome{}
	for round := uint64(0); ; round++ {
		if err := a.evolve(round, out.Evaluations); err != nil {
			return out, err
		}
		a.collect(&out)
		if p.Ended(ctx, &out, p.Problem.Alone() || out.Value != nil && out.Value.Sign() == 0) {
			return out, nil
		}
		migrate(a.islands)
	}
}

// An archipelago is one run of the method.
type archipelago struct {
	params    search.Params
	islands   []*island
	polishers []*local.Polisher // one per worker
}

// settle makes the islands.
func settle(ctx context.Context, p search.Params, o *options, gate *local.Gate) (*archipelago, error) {
	if p.Problem.Alone() { // no generations to go through
		one := *o
		one.islands, p.Evaluations = 1, 1
		o = &one
	}
	kin, err := newKinship(ctx, p.Problem)
	if err != nil {
		return nil, err
	}
	a := &archipelago{params: p}
	for i := range o.islands {
		a.islands = append(a.islands, &island{number: i, kin: kin, params: p, options: o, gate: gate})
	}
	for range max(1, min(p.Workers, o.islands)) {
		polisher, err := local.NewPolisher(ctx, p.Problem, p.Goal)
		if err != nil {
			return nil, err
		}
		a.polishers = append(a.polishers, polisher)
	}
	return a, nil
}

// evolve runs one round on all islands, as many at a time as there are polishers. What is left of the evaluations is
// shared out evenly, the first islands taking the remainder.
func (a *archipelago) evolve(round uint64, spent int64) error {
	errs := make([]error, len(a.islands))
	own := func(worker int) *local.Polisher { return a.polishers[worker] }
	parallel.EachWithState(context.Background(), len(a.polishers), len(a.islands), own,
		func(polisher *local.Polisher, i int) {
			is := a.islands[i]
			is.allowance = math.MaxInt64
			if a.params.Evaluations > 0 {
				is.allowance = search.Part(a.params.Evaluations-spent, i, len(a.islands))
			}
			errs[i] = is.evolve(round, polisher)
		})
	return errors.Join(errs...)
}

// collect folds what the islands found into out, in their order up to the first that reached the goal, and reports.
func (a *archipelago) collect(out *search.Outcome) {
	improved := false
	var living []*individual
	for _, is := range a.islands {
		living = append(living, is.saved...)
		out.Evaluations += is.spent
		is.spent = 0
		if best := is.best; best != nil && is.reported != best {
			is.reported = best
			if out.Value == nil || best.value.Cmp(out.Value) < 0 {
				out.Best, out.Value, improved = best.placement, best.value, true
			}
		}
		if is.reached {
			break
		}
	}
	a.params.Report(search.Event{Value: out.Value, Best: out.Best, Evaluations: out.Evaluations, Improved: improved,
		Note: census(living)})
}

// census says how many placements live, and how good they are.
func census(living []*individual) string {
	if len(living) == 0 {
		return ""
	}
	least, most, kinds := living[0].value, living[0].value, map[string]bool{}
	for _, x := range living {
		kinds[x.key] = true
		if x.value.Cmp(least) < 0 {
			least = x.value
		}
		if x.value.Cmp(most) > 0 {
			most = x.value
		}
	}
	return fmt.Sprintf("population of %d, %d up to symmetry, E_max %s to %s",
		len(living), len(kinds), least.RatString(), most.RatString())
}

// migrate puts a copy of the best placement of each island into the next, ring closed, in place of the worst there.
func migrate(islands []*island) {
	if len(islands) < 2 {
		return
	}
	bests := make([]*individual, len(islands))
	for i, is := range islands {
		bests[i] = is.best
	}
	for i, best := range bests {
		next := islands[(i+1)%len(islands)]
		if best != nil && len(next.saved) > 0 {
			next.saved[len(next.saved)-1] = best
		}
	}
}
