package faults

import (
	"context"
	"fmt"
	"math/big"

	"leeway/core"
	"leeway/core/routing"
)

// A Report says what single faults do to a placement and how many allowed paths
// its pairs have. Without pairs all its numbers are 0.
type Report struct {
	// Pairs is the number of ordered pairs of processors.
	Pairs int
	// Faults is the number of links whose failure was looked at: all of the
	// torus, or fewer when the context ended; then the worst may be worse.
	Faults int
	// MaxLoad is E_max without a fault.
	MaxLoad *big.Rat
	// DisconnectedPairs is the most ordered pairs that one fault leaves without
	// an allowed path; CutLink is the first link that does so, if any pair is
	// lost.
	DisconnectedPairs int
	CutLink           core.Link
	// CriticalLinks is the number of links whose fault disconnects some pair.
	CriticalLinks int
	// MaxLoadAfterFault is the largest load that any link has after any fault,
	// and LoadLink the first link whose fault causes it. It can be below MaxLoad
	// only if disconnected pairs take their traffic away.
	MaxLoadAfterFault *big.Rat
	LoadLink          core.Link
	Diversity
}

// Analyze returns the report of placement p under r over the faults of all
// directed links, or of those that it came to before the context ended. It fails with an
// *core.InputError when r misses a pair of p, or when the allowed paths together have more
// than 20 million links.
//
// Cost: listing the paths once, and for every link again those of the pairs that
// use it: O(S^2/M) for S links on all paths when they spread evenly.
func Analyze(ctx context.Context, r routing.Routing, p core.Placement) (Report, error) {
	pairs, err := listPairs(r, p)
	if err != nil {
		return Report{}, err
	}
	t := newTraffic(r.Torus(), pairs)
	report := Report{Pairs: len(pairs), Diversity: diversityOf(r, pairs), MaxLoadAfterFault: new(big.Rat)}
	most := new(big.Int)
	for l, users := range usersOf(r.Torus().M(), pairs) {
		if ctx.Err() != nil {
			break
		}
		if !r.Torus().HasLink(core.Link(l)) {
			continue
		}
		report.Faults++
		lost, load := t.fail(core.Link(l), pairs, users)
		if lost > 0 {
			report.CriticalLinks++
		}
		if lost > report.DisconnectedPairs {
			report.DisconnectedPairs, report.CutLink = lost, core.Link(l)
		}
		if load.Cmp(most) > 0 {
			most, report.LoadLink = load, core.Link(l)
		}
	}
	report.MaxLoad = t.rat(t.base.most())
	report.MaxLoadAfterFault = t.rat(most)
	return report, nil
}

// usersOf lists, for every link, the pairs with a path through it, ascending.
func usersOf(links int, pairs []pair) [][]int32 {
	users := make([][]int32, links)
	for i, p := range pairs {
		for _, path := range p.paths {
			for _, l := range path {
				if have := users[l]; len(have) == 0 || have[len(have)-1] != int32(i) {
					users[l] = append(have, int32(i))
				}
			}
		}
	}
	return users
}

// maxSteps is the most links that the allowed paths of all pairs may have
// together: they are kept in memory, four bytes each.
const maxSteps = 20_000_000

// A pair is an ordered pair of processors with its allowed paths.
type pair struct {
	from, to int
	paths    [][]int32 // links in order
}

// through counts the paths of the pair that use a link.
func (p pair) through(l int32) int {
	n := 0
	for _, path := range p.paths {
		if uses(path, l) {
			n++
		}
	}
	return n
}

func uses(path []int32, l int32) bool {
	for _, have := range path {
		if have == l {
			return true
		}
	}
	return false
}

// listPairs lists the allowed paths of every ordered pair of processors.
func listPairs(r routing.Routing, p core.Placement) ([]pair, error) {
	if err := routing.Covers(r, p); err != nil {
		return nil, err
	}
	processors, steps := p.Set(), 0
	var pairs []pair
	for from, to := range p.Pairs() {
		next := pair{from: from, to: to}
		for links := range r.Paths(from, to, processors) {
			if steps += len(links); steps > maxSteps {
				return nil, &core.InputError{Text: r.String(),
					Problem: fmt.Sprintf("the allowed paths of %d processors on torus %s have more than %d links together",
						p.Size(), p.Torus(), maxSteps),
					Hint: "take a smaller torus, fewer processors, or a routing with fewer paths"}
			}
			path := make([]int32, len(links))
			for i, l := range links {
				path[i] = int32(l)
			}
			next.paths = append(next.paths, path)
		}
		pairs = append(pairs, next)
	}
	return pairs, nil
}
