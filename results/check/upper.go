package check

import (
	"math/big"
	"strings"

	"leeway/results"
	"leeway/results/check/bounds"
)

// A loadLimit is what a placement of some size may have.
type loadLimit struct {
	value        *big.Rat
	perProcessor bool
}

// readLimit reads "5/2", or "1/8n" for an eighth of the number of processors.
func readLimit(text string) (l loadLimit, err error) {
	text, l.perProcessor = strings.CutSuffix(text, "n")
	l.value, err = results.ParseFraction(text)
	return l, err
}

// at returns the limit for n processors.
func (l loadLimit) at(n int) *big.Rat {
	if !l.perProcessor {
		return l.value
	}
	return new(big.Rat).Mul(l.value, big.NewRat(int64(n), 1))
}

// checkUpper checks that the placement keeps to the load limit that it was looked for
// within, and that no larger one can.
func (c *checker) checkUpper() {
	r := c.record
	switch {
	case r.LoadLimit == nil && r.UpperBound == nil && r.UpperProofs == nil:
		return
	case r.LoadLimit == nil || r.UpperBound == nil:
		c.fault("load_limit and upper_bound belong together")
		return
	case c.free != nil && r.UpperProofs != nil:
		c.fault("upper_proofs are about a given routing only")
		return
	case *r.UpperBound < r.Size || *r.UpperBound > c.torus.N():
		c.fault("upper_bound %d lies outside %d..%d", *r.UpperBound, r.Size, c.torus.N())
		return
	}
	limit, err := readLimit(*r.LoadLimit)
	switch {
	case err != nil:
		c.fault("load_limit %q: %v", *r.LoadLimit, err)
		return
	case limit.value.Sign() < 0:
		c.fault("load_limit %s is below 0", *r.LoadLimit)
		return
	case c.maxLoad != nil && c.maxLoad.Cmp(limit.at(r.Size)) > 0:
		c.fault("max_load %s is above load_limit %s", r.MaxLoad, *r.LoadLimit)
	}
	c.checkExcluded(limit, *r.UpperBound)
}

// checkExcluded checks that bounds and proofs exclude every size above upper.
func (c *checker) checkExcluded(limit loadLimit, upper int) {
	n := c.torus.N()
	if c.verifier.options.Wanted != nil {
		c.note("upper_bound is not checked where only some slices are")
		return
	}
	proved, need, all := c.provedBelow(), new(big.Rat), !c.routing.DependsOnPlacement()
	for of, v := range proved {
		if all && of <= upper { // fewer processors say nothing about more, if paths depend on them
			need = bounds.Larger(need, v)
		}
	}
	derived := c.derivation()
	for size := upper + 1; size <= n; size++ {
		if !all {
			need = new(big.Rat)
		}
		need = bounds.Larger(need, derived.Best(size))
		if v := proved[size]; v != nil {
			need = bounds.Larger(need, v)
		}
		if need.Cmp(limit.at(size)) <= 0 {
			c.fault("upper_bound %d is not justified: %d processors need %s by bounds and proofs, the limit is %s",
				upper, size, need.RatString(), limit.at(size).RatString())
			return
		}
		if all && need.Cmp(limit.at(n)) > 0 {
			return
		}
	}
}

// provedBelow verifies the proofs about larger sizes and returns by size the value
// that no placement is below.
func (c *checker) provedBelow() map[int]*big.Rat {
	plain := *c.verifier
	plain.options.Report = false // slices are those of the proof of the record
	proved := map[int]*big.Rat{}
	for i := range c.record.UpperProofs {
		p := &c.record.UpperProofs[i]
		below, err := results.ParseFraction(p.Below)
		switch {
		case err != nil:
			c.fault("upper proof %d: below: %v", i+1, err)
			continue
		case p.Kind != results.ProofMonotone || p.Size == nil:
			c.fault("upper proof %d is of no size", i+1)
			continue
		}
		if problem := plain.problem(c.routing, *p.Size, below, p); problem != "" {
			c.fault("upper proof %d, of size %d: %s", i+1, *p.Size, problem)
			continue
		}
		if have := proved[*p.Size]; have == nil || below.Cmp(have) > 0 {
			proved[*p.Size] = below
		}
	}
	return proved
}
