package wormhole

import (
	"cmp"
	"math/big"
	"math/bits"
	"slices"

	"leeway/core"
	"leeway/objective/exchange"
)

// A Machine says what a wormhole exchange costs in time, in any unit. Neither cost is negative.
type Machine struct {
	Startup  *big.Rat // t_s, of a phase
	PerBlock *big.Rat // b t_x, of a block sent
}

// Latency returns startups t_s + transmission b t_x.
func (m Machine) Latency(startups, transmission *big.Int) *big.Rat {
	start, send := new(big.Rat).SetInt(startups), new(big.Rat).SetInt(transmission)
	return start.Add(start.Mul(start, m.Startup), send.Mul(send, m.PerBlock))
}

// A Ranked scheme is one that fits a torus.
type Ranked struct {
	Name     string
	Plan     *Plan // nil for packings, and for schemes of other papers, of which only the cost is known
	Startups *big.Int
	// Transmission is in blocks, all groups in step.
	Transmission *big.Int
	Latency      *big.Rat
	Note         string
}

// Variant returns the variant of the plan, "" without one.
func (r Ranked) Variant() string {
	if r.Plan == nil {
		return ""
	}
	return r.Plan.Variant().String()
}

// A Crossover says from which ratio t_s/(b t_x) on a scheme is the fastest.
type Crossover struct {
	From *big.Rat
	Best Ranked
}

// A Refusal is a scheme that does not fit, and why: an *core.InputError.
type Refusal struct {
	Name string
	Err  error
}

// A Ranking compares the schemes for one torus.
type Ranking struct {
	Schemes    []Ranked // the fastest first
	Refused    []Refusal
	Crossovers []Crossover // of the schemes with a schedule, from ratio 0 on, ascending
}

// Best returns the fastest scheme for which the condition holds; there must be one.
func (r Ranking) Best(condition func(Ranked) bool) Ranked {
	return r.Schemes[slices.IndexFunc(r.Schemes, condition)]
}

// Rank returns what the schemes cost on a torus: the plans of this package in both variants, and where all sides are
// the same power of two the schemes with which seed 004 compares. It is an *core.InputError if no plan fits.
func Rank(t *core.Torus, m Machine) (Ranking, error) {
	plans, refused := plansFor(t)
	if len(plans) == 0 {
		return Ranking{}, refused[0].Err
	}
	var schemes []Ranked
	for _, p := range plans {
		c := p.Cost()
		schemes = append(schemes, ranked(p.Name(), p, c.Startups, c.Transmission))
	}
	return m.ranking(schemes, rankedFormulas(t), refused), nil
}

// plansFor returns the plans of this package that fit a torus, in both variants, and why others do not.
func plansFor(t *core.Torus) (plans []*Plan, refused []Refusal) {
	for _, maker := range []struct {
		name string
		make func(*core.Torus, Variant) (*Plan, error)
	}{{"by axes", ByAxes}, {"t4", T4}, {"c64", C64}} {
		for _, v := range []Variant{Published, Balanced} {
			p, err := maker.make(t, v)
			if err != nil {
				refused = append(refused, Refusal{maker.name, err})
				break
			}
			plans = append(plans, p)
		}
	}
	return plans, refused
}

func ranked(name string, p *Plan, startups, transmission int) Ranked {
	return Ranked{Name: name, Plan: p, Startups: big.NewInt(int64(startups)),
		Transmission: big.NewInt(int64(transmission))}
}

// ranking sorts schemes by latency. Only those of own have crossovers.
func (m Machine) ranking(own, others []Ranked, refused []Refusal) Ranking {
	for _, list := range [][]Ranked{own, others} {
		for i := range list {
			list[i].Latency = m.Latency(list[i].Startups, list[i].Transmission)
		}
	}
	r := Ranking{Schemes: slices.Concat(own, others), Refused: refused, Crossovers: crossovers(own)}
	slices.SortStableFunc(r.Schemes, func(a, b Ranked) int { return a.Latency.Cmp(b.Latency) })
	return r
}

// crossovers returns the lower envelope of startups * ratio + transmission over ratios from 0 on. Among schemes of
// the same cost the first counts.
func crossovers(schemes []Ranked) []Crossover {
	current := slices.MinFunc(schemes, func(a, b Ranked) int {
		return cmp.Or(a.Transmission.Cmp(b.Transmission), a.Startups.Cmp(b.Startups))
	})
	out := []Crossover{{new(big.Rat), current}}
	for {
		// The next is the scheme with fewer startups that is as fast as the current one at the least ratio; among
		// several at one ratio it is the one with the fewest startups.
		next, at := -1, new(big.Rat)
		for i, s := range schemes {
			saved := new(big.Int).Sub(current.Startups, s.Startups)
			if saved.Sign() <= 0 {
				continue
			}
			ratio := new(big.Rat).SetFrac(new(big.Int).Sub(s.Transmission, current.Transmission), saved)
			if next < 0 || cmp.Or(ratio.Cmp(at), s.Startups.Cmp(schemes[next].Startups)) < 0 {
				next, at = i, ratio
			}
		}
		if next < 0 {
			return out
		}
		current = schemes[next]
		out = append(out, Crossover{at, current})
	}
}

// maxAmongNodes bounds the tori of which a plan for all nodes is listed to see what it costs among some.
const maxAmongNodes = 1 << 10

// Names of the schedules of a packing in a ranking.
const (
	RankedPacking = "pack"
	RankedDirect  = "direct"
)

// RankAmong returns what the exchange of a placement costs by each schedule there is: the packing with stops (pack),
// without (direct), and the plans for the whole torus with the blocks of the placement only, which need fewer
// startups and more transmission. The direct packing, whose sends turn, has no part in the crossovers unless sends
// may turn. Tori of more than 1024 nodes have no plans.
func (k Packing) RankAmong(relayed exchange.Schedule, m Machine, turning bool) Ranking {
	scheduled := func(name string, p *Plan, s exchange.Schedule) Ranked {
		phases, transmission := 0, 0
		for phase := range s.Phases {
			most := 0
			for _, send := range phase {
				most = max(most, len(send.Blocks))
			}
			phases, transmission = phases+1, transmission+most
		}
		return ranked(name, p, phases, transmission)
	}
	own := []Ranked{scheduled(RankedPacking, nil, relayed)}
	others := []Ranked{ranked(RankedDirect, nil, k.Phases, k.Phases)}
	others[0].Note = "sends turn: for networks in which they may"
	if turning {
		own, others = append(own, others[0]), nil
	}
	plans, refused := plansFor(k.torus)
	if k.torus.N() > maxAmongNodes {
		plans, refused = nil, append(refused, Refusal{"plans", &core.InputError{Text: k.torus.String(),
			Problem: "plans for the whole torus are ranked among processors up to 1024 nodes"}})
	}
	for _, p := range plans {
		own = append(own, scheduled(p.Name(), p, Restrict(p.Schedule(), k.processors)))
	}
	return m.ranking(own, others, refused)
}

// Restrict returns a schedule for all nodes with the blocks of some only: what it sends for others is left out, and so
// are the phases in which nothing is left.
func Restrict(s exchange.Schedule, processors []int) exchange.Schedule {
	among := func(v int32) bool {
		_, found := slices.BinarySearch(processors, int(v))
		return found
	}
	all := s.Phases
	s.Participants = processors
	s.Phases = func(yield func(exchange.Phase) bool) {
		var out exchange.Phase
		for phase := range all {
			out = out[:0]
			for _, send := range phase {
				var kept []exchange.Block
				for _, b := range send.Blocks {
					if among(b.From) && among(b.To) {
						kept = append(kept, b)
					}
				}
				if send.Blocks = kept; len(kept) > 0 {
					out = append(out, send)
				}
			}
			if len(out) > 0 && !yield(out) {
				return
			}
		}
	}
	return s
}

// A formula is the closed form of the cost of a scheme on tori with all sides 2^d, valid for d >= least.
type formula struct {
	name        string
	axes, least int
	cost        func(d int) (startups, transmission *big.Int)
}

// formulas are those of the schemes with which seed 004 compares its own, from tables 3 and 4.
var formulas = []formula{
	{"t-2d1", 2, 2, func(d int) (*big.Int, *big.Int) {
		return big.NewInt(int64(3 * (d - 1))), sum(times(9, 3*d-4), times(d*d-5*d+3, 2*d-1))
	}},
	{"t-2d2", 2, 2, func(d int) (*big.Int, *big.Int) { return times(3, d-2), times(3, 3*(d-1)) }},
	{"dp-2d", 2, 1, func(d int) (*big.Int, *big.Int) {
		return sum(times(1, d-1), times(2, 0)), sum(times(1, 3*d-2), times(1, 2*d))
	}},
	{"t-3d1", 3, 1, func(d int) (*big.Int, *big.Int) {
		return big.NewInt(int64(4*d - 2)), sum(times(5, 4*d-2), times(d*d-3*d-2, 3*d-1))
	}},
	{"t-3d2", 3, 2, func(d int) (*big.Int, *big.Int) {
		return sum(times(3, d-2), times(d, 0)), sum(times(3, 4*d-3), times(d, 3*d-1))
	}},
	{"dp-3d", 3, 1, func(d int) (*big.Int, *big.Int) {
		return sum(times(1, d-1), times(5, 0)), sum(times(1, 4*d-2), times(5, 3*d-1))
	}},
}

// times returns factor * 2^shift.
func times(factor, shift int) *big.Int {
	v := big.NewInt(int64(factor))
	return v.Lsh(v, uint(shift))
}

func sum(a, b *big.Int) *big.Int { return new(big.Int).Add(a, b) }

// rankedFormulas returns the schemes of other papers that fit the torus.
func rankedFormulas(t *core.Torus) []Ranked {
	side, same := t.Common()
	if !same || side&(side-1) != 0 {
		return nil
	}
	d := bits.Len(uint(side)) - 1
	var out []Ranked
	for _, f := range formulas {
		if f.axes == t.D() && d >= f.least {
			startups, transmission := f.cost(d)
			out = append(out, Ranked{Name: f.name, Startups: startups, Transmission: transmission})
		}
	}
	return out
}
