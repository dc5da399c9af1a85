// Package rounds draws random rounds of traffic: every sender has one message for one receiver, drawn uniformly. The
// mean of the largest load of a round is a mean of maxima; E_max over the number of processors is a maximum of means.
package rounds

import (
	"context"
	"math/big"
	"math/rand/v2"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
)

// A Sample is what some rounds put on the busiest link, in messages.
type Sample struct {
	Max  []*big.Rat // of every round, ascending
	Mean *big.Rat   // of these
}

// Percentile returns the least load that at least p of 100 rounds do not exceed, for p in 1..100.
func (s Sample) Percentile(p int) *big.Rat { return s.Max[(len(s.Max)*p+99)/100-1] }

// maxEntries is the most loads of a link by a message that are kept, 16 bytes each.
const maxEntries = 1 << 25

// maxBits is the most bits of a denominator, so that sums of loads fit a word.
const maxBits = 40

// An exchange is what one sender has for one receiver and gets back.
type exchange []entry

type entry struct {
	link core.Link
	load int64
}

// Draw returns a sample of some rounds, at least 1. In each every processor sends one message to a processor, or,
// under client traffic, every node its requests to a processor, which replies; the receiver is drawn uniformly from
// all, what goes to the sender itself loads nothing, a message is spread over its paths by their weights. The draws
// depend on the seed only: senders in ascending order, round by round. Errors are *core.InputError: no processor,
// paths that depend on the placement, loads without a common denominator of use, too many of them; and that of the
// context. Cost: a flow for every two ends, and for every round the links of its messages.
func Draw(ctx context.Context, q objective.Problem, p core.Placement, rounds int, seed uint64) (Sample, error) {
	t := q.Torus()
	fail := func(text, problem, hint string) (Sample, error) {
		return Sample{}, core.Invalid(text, "%s", problem).Hinted(hint)
	}
	if q.Routing.DependsOnPlacement() {
		return fail(q.Routing.String(), "its paths depend on the placement, which rounds do not treat",
			"take udr, whose paths avoid chooses from")
	}
	if q.Traffic.Matrix != nil {
		return fail(q.Traffic.Matrix.Title(), "rounds are of processors or clients that choose whom they send to",
			"omit the matrix")
	}
	if err := routing.Covers(q.Routing, p); err != nil {
		return Sample{}, err
	}
	if p.Size() == 0 {
		return fail("placement", "there is no processor to send to", "give at least one")
	}
	flows, den, entries := map[[2]int][]routing.Flow{}, big.NewInt(1), 0
	for m := range q.Messages(p) {
		if ctx.Err() != nil {
			return Sample{}, ctx.Err()
		}
		f := m.Routing.Flow(m.From, m.To, nil)
		if entries += len(f.Shares); entries > maxEntries {
			return fail(t.String(), "the messages between all ends load too many links", "take fewer processors")
		}
		if core.FoldLCM(den, f.Den); den.BitLen() > maxBits {
			return fail(q.Routing.String(), "loads have no common denominator of use on "+t.String(), "take a smaller network")
		}
		for i := range f.Shares {
			f.Shares[i].Num = new(big.Int).Mul(f.Shares[i].Num, big.NewInt(m.Count))
		}
		ends := [2]int{m.From, m.To}
		if m.Reply {
			ends = [2]int{m.To, m.From}
		}
		flows[ends] = append(flows[ends], f)
	}
	den.Mul(den, big.NewInt(int64(t.CommonBandwidth())))
	senders := p.Nodes()
	if q.Traffic.Clients() {
		senders = core.Range(t.N())
	}
	var choices [][]exchange
	for _, from := range senders {
		var list []exchange
		for _, to := range p.Nodes() {
			list = append(list, exchangeOf(t, flows[[2]int{from, to}], den))
		}
		choices = append(choices, list)
	}
	maxima, err := draw(ctx, t, choices, rounds, seed)
	if err != nil {
		return Sample{}, err
	}
	slices.Sort(maxima)
	s := Sample{Mean: new(big.Rat)}
	for _, load := range maxima {
		s.Max = append(s.Max, new(big.Rat).SetFrac(big.NewInt(load), den))
		s.Mean.Add(s.Mean, new(big.Rat).SetInt64(load))
	}
	s.Mean.Quo(s.Mean, new(big.Rat).SetInt(den)).Quo(s.Mean, new(big.Rat).SetInt64(int64(rounds)))
	return s, nil
}

// exchangeOf adds up some flows, in units of 1/den after division by bandwidths.
func exchangeOf(t *core.Torus, flows []routing.Flow, den *big.Int) exchange {
	loads := map[core.Link]int64{}
	for _, f := range flows {
		for l, load := range f.Units(t, den) {
			loads[l] += load
		}
	}
	var x exchange
	for l, load := range loads {
		x = append(x, entry{l, load})
	}
	slices.SortFunc(x, func(a, b entry) int { return int(a.link - b.link) })
	return x
}

// draw returns the largest load of every round.
func draw(ctx context.Context, t *core.Torus, choices [][]exchange, rounds int, seed uint64) ([]int64, error) {
	rng := rand.New(rand.NewPCG(seed, 0))
	loads, maxima := make([]int64, t.M()), make([]int64, 0, min(rounds, 1<<20))
	for range rounds {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		clear(loads)
		most := int64(0)
		for _, list := range choices {
			for _, e := range list[rng.IntN(len(list))] {
				loads[e.link] += e.load
				most = max(most, loads[e.link])
			}
		}
		maxima = append(maxima, most)
	}
	return maxima, nil
}
