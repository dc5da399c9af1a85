package main

import (
	"context"

	"leeway/objective/exchange"
	"leeway/results"
	"leeway/results/schedules"
)

// A solvedExchange is a schedule with what is known about it so far.
type solvedExchange struct {
	question exchangeQuestion
	schedule exchange.Schedule   // without phases if sends may turn
	plan     *exchange.TorusPlan // of a whole torus by wormhole routing, else nil
	packing  *exchange.Packing   // of a placement by wormhole routing, else nil
	turning  bool                // the schedule is the packing itself, with sends that turn
	least    int                 // of a placement by wormhole routing: a bound on transmission besides those of the checker
	document exchangeDocument
	proof    *results.ScheduleProof // that there are no fewer steps, nil if there is none
	refuted  *refutedSteps          // by a solver, nil if it is not
}

// solve makes the schedule.
func (q exchangeQuestion) solve(ctx context.Context) (*solvedExchange, error) {
	switch {
	case q.network != nil:
		return q.solveSteps(ctx)
	case q.placement != nil:
		return q.solvePlacement()
	case q.algorithm == algorithmAuto:
		return q.solveRanking()
	}
	p, err := q.plan()
	if err != nil {
		return nil, err
	}
	return q.solvedPlan(p), nil
}

// solvedPlan returns the schedule of a plan.
func (q exchangeQuestion) solvedPlan(p *exchange.TorusPlan) *solvedExchange {
	e := &solvedExchange{question: q, schedule: p.Schedule(), plan: p, document: q.document(p.Name(), results.Wormhole)}
	e.document.Variant = p.Variant().String()
	cost := p.Cost()
	e.setCost(cost.Startups, cost.Transmission)
	e.document.Independent = &cost.Independent
	startups, transmission := exchange.WormholeBounds(q.torus)
	e.setBounds(int64(startups), int64(transmission))
	return e
}

// solveRanking ranks the plans that fit the torus, and takes the fastest, of the variant
// if one is given.
func (q exchangeQuestion) solveRanking() (*solvedExchange, error) {
	r, err := exchange.Rank(q.torus, q.machine)
	if err != nil {
		return nil, inFlag("torus", err)
	}
	best := r.Best()
	for _, s := range r.Schemes {
		if s.Plan != nil && q.variant != nil && s.Variant == *q.variant {
			best = s
			break
		}
	}
	e := q.solvedPlan(best.Plan)
	e.document.setRanking(r)
	return e, nil
}

// solveSteps makes a schedule of store and forward.
func (q exchangeQuestion) solveSteps(ctx context.Context) (*solvedExchange, error) {
	name, p, err := q.stepPlan()
	if err != nil {
		return nil, err
	}
	var refuted *refutedSteps
	if q.algorithm == algorithmSAT {
		name = algorithmSAT
		if p, refuted, err = q.fewest(ctx, p); err != nil {
			return nil, err
		}
	}
	e := &solvedExchange{question: q, schedule: p.Schedule, document: q.document(name, results.StoreAndForward), proof: boundProof(p), refuted: refuted}
	bound := p.Bounds[0]
	e.document.Steps, e.document.Latency = &p.Steps, q.latency(int64(p.Steps), int64(p.Steps))
	e.document.LowerBound = map[string]int64{"steps": int64(bound.Steps)}
	e.document.BoundReason, e.document.Optimal, e.document.Proof = bound.Name, p.Optimal, e.proof
	return e, nil
}

// stepPlan returns the schedule that is asked for with its algorithm; for auto that of
// fewer steps, A2 among equals.
func (q exchangeQuestion) stepPlan() (string, *exchange.StepPlan, error) {
	flag := "graph"
	if q.torus != nil {
		flag = "torus"
	}
	if q.placement != nil {
		p, err := exchange.PackSteps(q.network, q.placement.Nodes())
		return algorithmPack, p, inFlag("placement", err)
	}
	if q.algorithm == algorithmPack {
		p, err := exchange.PackSteps(q.network, nil)
		return algorithmPack, p, inFlag(flag, err)
	}
	if q.algorithm == algorithmA1 {
		p, err := exchange.ProductA1(q.network)
		return algorithmA1, p, inFlag(flag, err)
	}
	p, err := exchange.ProductA2(q.network)
	if err != nil || q.algorithm == algorithmProduct || p.Optimal {
		return algorithmProduct, p, inFlag(flag, err)
	}
	if packed, err := exchange.PackSteps(q.network, nil); err == nil && packed.Steps < p.Steps {
		return algorithmPack, packed, nil // too large to be packed is no fault of the question
	}
	return algorithmProduct, p, nil
}

// head returns what a file says before the phases.
func (e *solvedExchange) head() results.Schedule {
	head := schedules.Head(e.schedule)
	head.Proof = e.proof
	return head
}

// processors returns how many nodes exchange.
func (e *solvedExchange) processors() int {
	n := 1
	for _, side := range e.schedule.Sides {
		n *= side
	}
	if e.schedule.Participants != nil {
		n = len(e.schedule.Participants)
	}
	return n
}

// phases returns the phases as those of a file.
func (e *solvedExchange) phases(ctx context.Context) results.Phases {
	if e.turning {
		return schedules.Direct(*e.packing)
	}
	return schedules.Phases(ctx, e.schedule)
}

// setCost sets what a schedule by wormhole routing costs.
func (e *solvedExchange) setCost(startups, transmission int) {
	e.document.Startups, e.document.Transmission = &startups, &transmission
	e.document.Latency = e.question.latency(int64(startups), int64(transmission))
}

// setBounds sets the lower bounds of wormhole routing, after the costs.
func (e *solvedExchange) setBounds(startups, transmission int64) {
	d := &e.document
	d.LowerBound = map[string]int64{"startups": startups, "transmission": transmission}
	d.Optimal = int64(*d.Startups) == startups && int64(*d.Transmission) == transmission
}

// synchronise finds the barriers and signals. Phases count from 0, as in files.
func (e *solvedExchange) synchronise() error {
	s, err := exchange.Sync{}, error(nil)
	if e.turning {
		s, err = e.packing.Synchronise()
	} else {
		s, err = exchange.Synchronise(e.schedule)
	}
	if err != nil {
		return inFlag("sync", err)
	}
	doc := &syncDocument{Barriers: []int{}, Signals: []signalItem{}}
	for _, b := range s.Barriers {
		doc.Barriers = append(doc.Barriers, b-1)
	}
	for _, g := range s.Signals {
		doc.Signals = append(doc.Signals, signalItem{eventOf(g.After), eventOf(g.Before)})
	}
	e.document.Sync = doc
	return nil
}

func eventOf(v exchange.Event) eventItem { return eventItem{v.Phase - 1, v.From, v.To} }

// document returns what is known from the question.
func (q exchangeQuestion) document(algorithm, model string) exchangeDocument {
	d := exchangeDocument{Algorithm: algorithm, Model: model}
	if q.torus == nil {
		d.Graph = q.network.String()
	} else {
		d.Torus = q.torus.Dims()
	}
	if q.placement != nil {
		size := q.placement.Size()
		d.Processors = &size
	}
	return d
}
