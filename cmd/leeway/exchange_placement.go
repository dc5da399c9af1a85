package main

import (
	"slices"

	"leeway/objective/exchange"
	"leeway/results"
)

// solvePlacement makes the exchange of a placement by wormhole routing: the packing, with
// sends that turn if these are allowed, or, for a machine of given costs, the fastest of
// all that there are.
func (q exchangeQuestion) solvePlacement() (*solvedExchange, error) {
	k, err := exchange.PackWormhole(q.routing, *q.placement)
	if err != nil {
		return nil, inFlag("placement", err)
	}
	e := &solvedExchange{question: q, packing: &k, document: q.document(algorithmPack, results.Wormhole)}
	direct := len(k.Phases)
	e.document.Routing = q.routing.String()
	e.document.DirectPhases, e.document.DirectLowerBound, e.document.DirectReason = &direct, &k.LowerBound, k.Why
	if q.ranked {
		return e, e.takeFastest()
	}
	if q.direct {
		e.takeDirect()
	} else {
		e.takeRelayed(k.Relayed())
	}
	return e, nil
}

// takeDirect settles for the packing with sends that turn.
func (e *solvedExchange) takeDirect() {
	e.turning, e.least = true, e.packing.LowerBound
	e.schedule = exchange.Schedule{Name: "direct", Model: exchange.Wormhole, Sides: e.packing.Torus.Dims(), Participants: e.packing.Processors}
}

// takeRelayed settles for the packing with stops.
func (e *solvedExchange) takeRelayed(s exchange.Schedule) {
	e.schedule, e.least = s, e.packing.RelayedBound()
}

// takeFastest ranks what there is and takes the first whose sends may be used.
func (e *solvedExchange) takeFastest() error {
	relayed, q := e.packing.Relayed(), e.question
	r, err := e.packing.RankAmong(relayed, q.machine, q.direct)
	if err != nil {
		return err
	}
	best := r.Schemes[slices.IndexFunc(r.Schemes, func(s exchange.Ranked) bool { return q.direct || s.Name != exchange.RankedDirect })]
	switch {
	case best.Plan != nil:
		e.schedule, e.least = exchange.Among(best.Plan.Schedule(), e.packing.Processors), e.packing.StraightBound()
		e.document.Algorithm, e.document.Variant = best.Plan.Name(), best.Plan.Variant().String()
	case best.Name == exchange.RankedDirect:
		e.takeDirect()
	default:
		e.takeRelayed(relayed)
	}
	e.document.setRanking(r)
	return nil
}
