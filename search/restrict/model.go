package restrict

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/core/union"
)

// A model is the problem under a coarsening: every item, a class of pairs, chooses a set of blocks, each a class of
// paths; loads are those of one link of every class. Tied pairs have the same number of paths in a block.
type model struct {
	rule
	items    []item
	classes  int         // of links
	class    []int32     // by link; numbers without one are classes of their own
	first    []core.Link // of every class
	crossing [][]crossed // by class of links: the items that can cross it
	block    []int32     // by element: number of its block, counted over all items
}

// An item is a class of pairs that choose alike.
type item struct {
	first     int // number of its first block
	available int // paths of a pair
	blocks    []block
	classes   []int32 // of links that some block crosses, ascending
}

// A crossed is an item that can cross a class of links, and the place of that among its classes.
type crossed struct{ item, at int32 }

// A block is a class of paths that are chosen together: paths of them for every pair. crossings says how often all of
// them together cross a link of each class in at, with the messages of their pairs, times the scale of the link's
// dimension.
type block struct {
	paths     int
	at        []int32 // places in the item's classes
	crossings []int64
}

// newModel ties the choices of candidates. Cost O(elements * (automorphisms + length of a
// path)). An error is that of the context, if it ends.
func newModel(ctx context.Context, s *candidates, g coarsening, r rule) (*model, error) {
	m := &model{rule: r}
	pairs, elements := s.tie(ctx, g)
	links := tieLinks(s.torus, g.automorphisms)
	m.number(s, pairs, elements)
	m.class = make([]int32, len(links))
	for l := range links {
		root := links.Find(l)
		if root == l {
			m.class[l] = int32(len(m.first))
			m.first = append(m.first, core.Link(l))
		}
		m.class[l] = m.class[root]
	}
	m.classes = len(m.first)
	m.cross(ctx, s)
	return m, ctx.Err()
}

// number makes items of the classes of pairs and blocks of those of elements.
func (m *model) number(s *candidates, pairs, elements union.Classes) {
	m.block = make([]int32, s.elements)
	blocks := 0
	for i, p := range s.pairs {
		fresh := pairs.Find(i) == i
		if fresh {
			m.items = append(m.items, item{first: blocks, available: len(p.paths)})
		}
		for e := p.first; e < p.first+len(p.paths); e++ {
			root := elements.Find(e)
			if root == e {
				it := &m.items[len(m.items)-1]
				it.blocks = append(it.blocks, block{})
				m.block[e] = int32(blocks)
				blocks++
			}
			m.block[e] = m.block[root]
			if fresh {
				it := &m.items[len(m.items)-1]
				it.blocks[int(m.block[e])-it.first].paths++
			}
		}
	}
}

// cross counts how often the blocks cross the links that stand for their class. It stops where the context ends.
func (m *model) cross(ctx context.Context, s *candidates) {
	var hits [][]hit // by block
	for _, it := range m.items {
		for range it.blocks {
			hits = append(hits, nil)
		}
	}
	var links []core.Link
	for _, p := range s.pairs {
		if ctx.Err() != nil {
			return
		}
		for i, path := range p.paths {
			b := m.block[p.first+i]
			links = path.AppendLinks(links[:0], s.torus, p.from)
			for _, l := range links {
				if c := m.class[l]; m.first[c] == l {
					hits[b] = append(hits[b], hit{c, p.messages})
				}
			}
		}
	}
	m.crossing = make([][]crossed, m.classes)
	for i := range m.items {
		it := &m.items[i]
		own := hits[it.first : it.first+len(it.blocks)]
		for _, list := range own {
			for _, h := range list {
				it.classes = append(it.classes, h.class)
			}
		}
		slices.Sort(it.classes)
		it.classes = slices.Clone(slices.Compact(it.classes))
		for b := range it.blocks {
			it.blocks[b].count(own[b], it.classes, func(c int32) int64 { return m.scale(s.torus, c) })
		}
		for at, c := range it.classes {
			m.crossing[c] = append(m.crossing[c], crossed{int32(i), int32(at)})
		}
	}
}

// A hit is a class of links that a path crosses once with some messages.
type hit struct {
	class    int32
	messages int64
}

// count turns crossed classes, repeated, into places and numbers, each counted so often as scale says.
func (b *block) count(hits []hit, classes []int32, scale func(class int32) int64) {
	slices.SortFunc(hits, func(x, y hit) int { return cmp.Compare(x.class, y.class) })
	for i, h := range hits {
		if i > 0 && h.class == hits[i-1].class {
			b.crossings[len(b.crossings)-1] += h.messages * scale(h.class)
			continue
		}
		at, _ := slices.BinarySearch(classes, h.class)
		b.at, b.crossings = append(b.at, int32(at)), append(b.crossings, h.messages*scale(h.class))
	}
}

// scale returns how often a crossing of a link of a class counts: a load is in units of 1/(den * common bandwidth).
func (m *model) scale(t *core.Torus, class int32) int64 {
	return int64(t.LinkScale(m.first[class]))
}

// A rule says which numbers of paths a pair may keep, and in which unit shares are counted.
type rule struct {
	routing.Free
	den int64 // shares are multiples of 1/den, loads of 1/unit
	// unit is den times the common bandwidth.
	unit int64
}

// maxCommonPaths is the largest number up to which every number of paths is allowed where the words of loads permit.
// Larger ones are if they divide den, and the number of all paths of a pair is.
const maxCommonPaths = 16

// coarseDen is the denominator of the first rule where that of the goal is larger.
const coarseDen = 12

// maxUnits bounds the messages times the unit: room for sums of loads.
const maxUnits = 1 << 44

// newRules returns the rules to search under, in turn: few numbers of paths first, so that the goal can be met exactly,
// then as many as possible. It fails with an *core.InputError if shares have no common denominator of reasonable size.
func newRules(s *candidates, p Params) ([]rule, error) {
	common := int64(s.torus.CommonBandwidth())
	r := rule{Free: p.free(), den: 1, unit: common}
	most := int64(maxUnits) / common / max(s.messages, 1)
	if most < 1 {
		return nil, core.Invalid(p.Traffic.String(),
			"%d messages, times bandwidths, are too many to add up loads", s.messages).
			Hinted("take smaller numbers for request and reply")
	}
	if r.Single {
		return []rule{r}, nil
	}
	for _, l := range s.lists {
		if r.den = core.LCM(r.den, int64(max(1, len(l)))); r.den > most {
			return nil, core.Invalid(fmt.Sprintf("%d processors on %s", p.Placement.Size(), s.torus),
				"the numbers of paths of the pairs have no common multiple of reasonable size").
				Hinted("choose single paths")
		}
	}
	for c := int64(2); c <= maxCommonPaths; c++ {
		if next := core.LCM(r.den, c); next <= most {
			r.den = next
		}
	}
	coarse := r
	coarse.den = coarseDen
	if d := p.Goal.Denom(); d.IsInt64() && d.Int64()/core.GCD(d.Int64(), common) <= coarseDen {
		coarse.den = core.LCM(2, d.Int64()/core.GCD(d.Int64(), common))
	}
	r.unit, coarse.unit = r.den*common, coarse.den*common
	return []rule{coarse, r}, nil
}

// allows reports whether a pair may keep count of its available paths.
func (r rule) allows(count, available int) bool {
	return count > 0 && r.Allows(count, available) && r.den%int64(count) == 0
}
