package cluster

import (
	"math"
	"time"
)

// A pace guesses how many prefixes a unit should have, from the time that earlier ones took.
type pace struct {
	target time.Duration
	mean   float64 // seconds of a prefix, lately; 0: none was seen
	last   int     // prefixes of the last unit
}

// took takes in a unit. What a worker says is kept within reason.
func (p *pace) took(prefixes int, seconds float64) {
	if prefixes == 0 {
		return
	}
	each := min(max(seconds, 1e-6), 3600) / float64(prefixes)
	if p.mean == 0 {
		p.mean = each
	}
	p.mean += (each - p.mean) / 8
}

// prefixes returns how many the next unit should have. They grow step by step: the
// first prefixes may be unlike the others.
func (p *pace) prefixes() int {
	n := 1
	if p.mean > 0 {
		n = int(min(max(p.target.Seconds()/p.mean, 1), math.MaxInt32))
	}
	p.last = min(n, 4*max(1, p.last))
	return p.last
}

// depth returns how many units should be out for a number of cores: enough that
// none waits for the coordinator, not so many that sizes cannot follow the pace.
func (p *pace) depth(cores int) int {
	ahead := 0
	if unit := p.mean * float64(max(1, p.last)); unit > 0 {
		ahead = int(min(0.5/unit, 500))
	}
	return max(4, 2*cores+ahead)
}

// left returns how long some prefixes take so many cores.
func (p *pace) left(prefixes, cores int) time.Duration {
	seconds := p.mean * float64(prefixes) / float64(max(1, cores))
	return time.Duration(min(seconds, 1e9) * float64(time.Second))
}
