package exchange

import (
	"fmt"
	"math/big"
	"math/bits"
	"slices"

	"leeway/core"
)

// A Machine says what a wormhole exchange costs in time: each startup t_s, each block
// sent b t_x. Values may be in any unit of time, the same for both.
type Machine struct {
	Startup  *big.Rat // t_s
	Transmit *big.Rat // t_x, for a unit of data
	Block    *big.Rat // b, units of data in a block
}

// A Ranked scheme is one that fits a torus.
type Ranked struct {
	Name     string
	Variant  Variant
	Plan     *TorusPlan // nil for schemes of others, of which only the cost is known
	Startups *big.Int
	// Transmission is in blocks, all groups in step.
	Transmission *big.Int
	Latency      *big.Rat
	Note         string
}

// Label returns the name, with the variant if it is not the published one.
func (r Ranked) Label() string {
	if r.Variant == Published {
		return r.Name
	}
	return r.Name + " " + r.Variant.String()
}

// A Crossover says from which ratio t_s/(b t_x) on a plan is the fastest.
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
	Schemes []Ranked // the fastest first
	Refused []Refusal
	// Crossovers are of the schemes with a plan, from ratio 0 on, ascending.
	Crossovers []Crossover
}

// Best returns the fastest scheme with a plan.
func (r Ranking) Best() Ranked {
	return r.Schemes[slices.IndexFunc(r.Schemes, func(s Ranked) bool { return s.Plan != nil })]
}

// Rank returns what the schemes cost on a torus: the plans of this package in both
// variants, and where all sides are the same power of two the schemes that seed 004
// compares with. It is an *core.InputError if a cost of the machine is missing or
// negative, or if no plan fits.
func Rank(t *core.Torus, m Machine) (Ranking, error) {
	perBlock, err := m.perBlock()
	if err != nil {
		return Ranking{}, err
	}
	plans, refused := plansFor(t)
	r := Ranking{Refused: refused}
	for _, p := range plans {
		r.Schemes = append(r.Schemes, rankedPlan(p))
	}
	if len(r.Schemes) == 0 {
		return Ranking{}, r.Refused[0].Err
	}
	r.Crossovers = crossovers(r.Schemes)
	r.Schemes = append(r.Schemes, rankedFormulas(t)...)
	r.order(m.Startup, perBlock)
	return r, nil
}

// plansFor returns the plans of this package that fit a torus, in both variants, and why
// others do not.
func plansFor(t *core.Torus) (plans []*TorusPlan, refused []Refusal) {
	for _, maker := range []struct {
		name string
		make func(*core.Torus, Variant) (*TorusPlan, error)
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

// order fills in the latencies and sorts by them.
func (r Ranking) order(startup, perBlock *big.Rat) {
	for i := range r.Schemes {
		r.Schemes[i].Latency = r.Schemes[i].latency(startup, perBlock)
	}
	slices.SortStableFunc(r.Schemes, func(a, b Ranked) int { return a.Latency.Cmp(b.Latency) })
	for i, c := range r.Crossovers {
		r.Crossovers[i].Best.Latency = c.Best.latency(startup, perBlock)
	}
}

// perBlock returns b t_x after checking all costs.
func (m Machine) perBlock() (*big.Rat, error) {
	for _, cost := range []struct {
		name  string
		value *big.Rat
	}{{"startup", m.Startup}, {"transmit", m.Transmit}, {"block", m.Block}} {
		if cost.value == nil {
			return nil, &core.InputError{Text: cost.name, Problem: "the cost is missing"}
		}
		if cost.value.Sign() < 0 {
			return nil, &core.InputError{Text: cost.value.RatString(), Problem: fmt.Sprintf("%s is negative", cost.name)}
		}
	}
	return new(big.Rat).Mul(m.Transmit, m.Block), nil
}

// latency returns what the scheme takes.
func (r Ranked) latency(startup, perBlock *big.Rat) *big.Rat {
	start := new(big.Rat).SetInt(r.Startups)
	send := new(big.Rat).SetInt(r.Transmission)
	return start.Add(start.Mul(start, startup), send.Mul(send, perBlock))
}

func rankedPlan(p *TorusPlan) Ranked {
	c := p.Cost()
	return Ranked{Name: p.Name(), Variant: p.Variant(), Plan: p,
		Startups: big.NewInt(int64(c.Startups)), Transmission: big.NewInt(int64(c.Transmission))}
}

// rankedFormulas returns the schemes of others that fit the torus.
func rankedFormulas(t *core.Torus) []Ranked {
	side, same := t.Common()
	if !same || side&(side-1) != 0 {
		return nil
	}
	d := bits.Len(uint(side)) - 1
	var out []Ranked
	for _, s := range schemes {
		if !s.ours && s.axes == t.D() && d >= s.least {
			f := s.at(d)
			out = append(out, Ranked{Name: s.name, Startups: f.Startups, Transmission: f.Transmission, Note: f.Note})
		}
	}
	return out
}

// crossovers returns the lower envelope of startups * ratio + transmission over ratios
// from 0 on. Among schemes of the same cost the first counts.
func crossovers(schemes []Ranked) []Crossover {
	ratio := new(big.Rat)
	current := slices.MinFunc(schemes, func(a, b Ranked) int {
		if c := a.Transmission.Cmp(b.Transmission); c != 0 {
			return c
		}
		return a.Startups.Cmp(b.Startups)
	})
	out := []Crossover{{ratio, current}}
	for {
		next, from := overtaker(schemes, current)
		if next < 0 {
			return out
		}
		current = schemes[next]
		out = append(out, Crossover{from, current})
	}
}

// overtaker returns the scheme with fewer startups that is as fast as the current one at
// the least ratio, and that ratio; -1 if there is none. Among several at one ratio it is
// the one with the fewest startups.
func overtaker(schemes []Ranked, current Ranked) (int, *big.Rat) {
	best, at := -1, new(big.Rat)
	for i, s := range schemes {
		saved := new(big.Int).Sub(current.Startups, s.Startups)
		if saved.Sign() <= 0 {
			continue
		}
		ratio := new(big.Rat).SetFrac(new(big.Int).Sub(s.Transmission, current.Transmission), saved)
		if best < 0 || ratio.Cmp(at) < 0 || ratio.Cmp(at) == 0 && s.Startups.Cmp(schemes[best].Startups) < 0 {
			best, at = i, ratio
		}
	}
	return best, at
}
