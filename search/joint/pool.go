package joint

import (
	"cmp"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/search"
)

// How many placements a pool keeps, and past which points of the group times the
// square of the size only equal placements count as the same.
const (
	maxPool      = 24
	maxCanonical = 1 << 20
)

// A pool keeps good placements that differ, the best first.
type pool struct {
	search.Kinship
	list []*entry
}

// An entry is a placement of a pool.
type entry struct {
	search.Found
	key   string
	looks int      // times that restrict looked at it
	lower *big.Rat // bound on every table for it; nil: not known
}

// has reports whether the pool has a placement that counts as the same.
func (p *pool) has(placement core.Placement) bool {
	key := p.Key(placement)
	return slices.ContainsFunc(p.list, func(e *entry) bool { return e.key == key })
}

// wants reports whether something of a value could be added.
func (p *pool) wants(value *big.Rat) bool {
	return len(p.list) < maxPool || value.Cmp(p.list[maxPool-1].Value) < 0
}

// add puts something found behind all that are at least as good. Of the same placement only the better stays.
func (p *pool) add(f search.Found) {
	e := &entry{Found: f, key: p.Key(f.Placement)}
	for i, have := range p.list {
		if have.key != e.key {
			continue
		}
		if have.Value.Cmp(f.Value) <= 0 {
			return
		}
		e.looks, e.lower = have.looks, have.lower
		p.list = slices.Delete(p.list, i, i+1)
		break
	}
	at := len(p.list)
	for at > 0 && e.Value.Cmp(p.list[at-1].Value) < 0 {
		at--
	}
	p.list = slices.Insert(p.list, at, e)
	p.list = p.list[:min(len(p.list), maxPool)]
}

// pick returns up to count entries that a better table may make better than best:
// good ones, and those first that were seldom looked at.
func (p *pool) pick(best *big.Rat, count int) []*entry {
	type ranked struct {
		*entry
		rank int
	}
	var list []ranked
	for i, e := range p.list {
		if e.lower == nil || e.lower.Cmp(best) < 0 {
			list = append(list, ranked{e, i + seldom*e.looks})
		}
	}
	slices.SortStableFunc(list, func(a, b ranked) int { return cmp.Compare(a.rank, b.rank) })
	var picked []*entry
	for _, r := range list[:min(count, len(list))] {
		picked = append(picked, r.entry)
	}
	return picked
}

// seldom is how many places an entry falls back with every look at it.
const seldom = 3
