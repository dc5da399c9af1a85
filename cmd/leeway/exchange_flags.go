package main

import (
	"math/big"

	"github.com/spf13/cobra"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective/exchange"
	"leeway/results"
)

// An exchangeQuestion is what the flags of exchange ask for.
type exchangeQuestion struct {
	torus     *core.Torus       // nil with --graph
	network   *exchange.Network // what the blocks move on by store and forward; nil: wormhole
	placement *core.Placement   // nil: all nodes
	routing   routing.Routing   // of a placement, by wormhole routing
	direct    bool              // sends may turn
	ranked    bool              // of a placement: the fastest for the costs that are given
	algorithm string
	variant   *exchange.Variant // nil: not given
	machine   exchange.Machine
	solver    solverQuestion // of the algorithm sat
}

// read validates the flags.
func (f *exchangeFlags) read(cmd *cobra.Command) (q exchangeQuestion, err error) {
	if q.machine, err = f.machine(); err != nil {
		return q, err
	}
	if q.variant, err = f.readVariant(); err != nil {
		return q, err
	}
	model, err := f.readModel()
	if err != nil {
		return q, err
	}
	q.algorithm, q.direct = f.algorithm, f.direct
	if q.solver, err = f.readSolver(); err != nil {
		return q, err
	}
	if f.graphText != "" {
		q.network, err = exchange.ParseNetwork(f.graphText)
		return q, inFlag("graph", err)
	}
	if q.torus, err = f.torus(); err != nil {
		return q, err
	}
	if model == results.StoreAndForward {
		if q.network, err = exchange.TorusNetwork(q.torus); err != nil {
			return q, inFlag("torus", err)
		}
	}
	if cmd.Flags().Changed("placement") {
		flags := cmd.Flags()
		q.ranked = f.algorithm == algorithmAuto && (flags.Changed("startup") || flags.Changed("transmit") || flags.Changed("block"))
		err = f.readPlacement(&q)
	}
	return q, err
}

// readPlacement reads --routing, if it is needed, and --placement.
func (f *exchangeFlags) readPlacement(q *exchangeQuestion) (err error) {
	if q.network == nil {
		if f.routingText == "" {
			f.routingText = defaultExchangeRouting
		}
		if q.routing, err = f.routing(q.torus); err != nil {
			return err
		}
	}
	p, err := f.placement(q.torus)
	q.placement = &p
	return err
}

// readModel returns the model that the flags settle together, after looking for those
// that do not go together.
func (f *exchangeFlags) readModel() (string, error) {
	of := modelOf(f.algorithm)
	if of == "" && f.algorithm != algorithmAuto {
		return "", &usageError{err: usagef("--algorithm %q: unknown", f.algorithm), hint: "algorithms are t4, t1, c1, c64, ring, product, product-a1, pack, sat and auto"}
	}
	if f.placementText != "" && f.algorithm == algorithmPack {
		of = "" // packing is for both
	}
	model := f.model
	switch {
	case model != "" && model != results.StoreAndForward && model != results.Wormhole:
		return "", usagef("--model %q: neither %s nor %s", model, results.StoreAndForward, results.Wormhole)
	case of != "" && model != "" && of != model:
		return "", usagef("--algorithm %s is for --model %s", f.algorithm, of)
	case of != "":
		model = of
	case model == "" && f.placementText != "" && f.routingText != "":
		model = results.Wormhole
	case model == "" && (f.placementText != "" || f.graphText != ""):
		model = results.StoreAndForward
	case model == "":
		model = results.Wormhole
	}
	return model, f.conflict(model)
}

// conflict names a flag that would do nothing.
func (f *exchangeFlags) conflict(model string) error {
	switch {
	case f.placementText != "" && f.algorithm != algorithmAuto && f.algorithm != algorithmPack && f.algorithm != algorithmSAT:
		return usagef("--algorithm %s is for all nodes of a torus: with --placement the sends are packed", f.algorithm)
	case f.placementText == "" && f.routingText != "":
		return usagef("--routing is for the exchange of a --placement")
	case f.routingText != "" && model == results.StoreAndForward:
		return usagef("--routing is for --model %s: by %s blocks take the way that suits the steps", results.Wormhole, results.StoreAndForward)
	case f.direct && (f.placementText == "" || model != results.Wormhole):
		return usagef("--direct is for the exchange of a --placement by --model %s", results.Wormhole)
	case f.graphText != "" && model == results.Wormhole:
		return usagef("--graph %s: %s is for tori only", f.graphText, results.Wormhole)
	case f.variant != "" && (model != results.Wormhole || f.placementText != ""):
		return usagef("--variant is for t4, t1, c1, c64 and ring")
	}
	return nil
}

func (f *exchangeFlags) readVariant() (*exchange.Variant, error) {
	if f.variant == "" {
		return nil, nil
	}
	for _, v := range []exchange.Variant{exchange.Published, exchange.Balanced} {
		if f.variant == v.String() {
			return &v, nil
		}
	}
	return nil, usagef("--variant %q: neither %s nor %s", f.variant, exchange.Published, exchange.Balanced)
}

// machine reads the costs.
func (f *exchangeFlags) machine() (m exchange.Machine, err error) {
	for _, cost := range []struct {
		flag, text string
		value      **big.Rat
	}{{"startup", f.startup, &m.Startup}, {"transmit", f.transmit, &m.Transmit}, {"block", f.block, &m.Block}} {
		if *cost.value, err = parseFraction(cost.text); err != nil {
			return m, inFlag(cost.flag, err)
		}
		if (*cost.value).Sign() < 0 {
			return m, usagef("--%s %s: below 0", cost.flag, cost.text)
		}
	}
	return m, nil
}

// latency returns startups t_s + transmission b t_x as text.
func (q exchangeQuestion) latency(startups, transmission int64) string {
	start := new(big.Rat).Mul(big.NewRat(startups, 1), q.machine.Startup)
	send := new(big.Rat).Mul(q.machine.Transmit, q.machine.Block)
	return start.Add(start, send.Mul(send, big.NewRat(transmission, 1))).RatString()
}

// plan returns the named plan of the torus.
func (q exchangeQuestion) plan() (*exchange.TorusPlan, error) {
	variant := exchange.Published
	if q.variant != nil {
		variant = *q.variant
	}
	if q.algorithm == "ring" && q.torus.D() != 1 || q.algorithm == "c1" && q.torus.D() != 3 {
		number := map[string]string{"ring": "one axis", "c1": "three axes"}[q.algorithm]
		return nil, &usageError{err: usagef("--torus %s: %s is for tori with %s, this one has %d", q.torus, q.algorithm, number, q.torus.D()),
			hint: "t1 takes every torus, one axis after the other"}
	}
	make := exchange.ByAxes
	switch q.algorithm {
	case "t4":
		make = exchange.T4
	case "c64":
		make = exchange.C64
	}
	p, err := make(q.torus, variant)
	return p, inFlag("torus", err)
}
