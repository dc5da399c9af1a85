package routing

import (
	"fmt"
	"iter"
	"math/big"
	"slices"

	"leeway/core"
)

// Weighted is a table of paths with shares, by ordered pair of nodes, of any network: messages of a pair take each path
// with the probability of its share. Paths need not be shortest ones, but visit no node twice. As a Table it may leave
// pairs out.
type Weighted struct {
	listed[weighing] // by from*N+to
	shortest         bool
	most             int64 // links of all paths of the entry that has most of them
}

// A weighing has the paths of a pair over links, as whole weights.
type weighing struct {
	given   []WeightedPath
	paths   [][]core.Link
	weights []int64
}

// A WeightedEntry lists the paths of an ordered pair of nodes. Their shares are above 0 and add up to 1.
type WeightedEntry struct {
	From, To int
	Paths    []WeightedPath
}

// A WeightedPath visits nodes from one end to the other. Where several links join two of them, the paths over each have
// equal parts of the share.
type WeightedPath struct {
	Nodes []int
	Share *big.Rat
}

// Limits of the paths of a pair over different links, and of the common denominator of their shares.
const (
	maxWeightedPaths = 1 << 12
	maxWeight        = 1 << 31
)

// NewWeighted returns the table with some entries. Errors are *core.InputError and name the entry: one that is repeated
// or has no paths, a path that is repeated, does not lead from one end to the other over links or visits a node twice,
// shares that are not above 0 or do not add up to 1, and what is beyond the limits.
func NewWeighted(t *core.Network, entries []WeightedEntry) (*Weighted, error) {
	r := &Weighted{listed: newListed[weighing](t), shortest: true}
	between := t.LinksBetween()
	for i, e := range entries {
		if problem := r.add(e, between); problem != "" {
			return nil, core.Invalid(fmt.Sprintf("entry %d", i+1), "%s", problem).
				Hinted("a path lists the nodes that it visits, from one end to the other, and the shares of a pair add up to 1")
		}
	}
	return r, nil
}

// add takes an entry in and says what is wrong with it, "" if nothing is.
func (r *Weighted) add(e WeightedEntry, between map[[2]int][]core.Link) string {
	n := r.torus.N()
	if min(e.From, e.To) < 0 || max(e.From, e.To) >= n || e.From == e.To {
		return fmt.Sprintf("its ends are not two of the nodes 0..%d", n-1)
	}
	where := fmt.Sprintf("from %s to %s: ", r.torus.NodeText(e.From), r.torus.NodeText(e.To))
	if _, repeated := r.entries[e.From*n+e.To]; repeated {
		return where + "the entry is repeated"
	}
	w, shares, sum := weighing{given: slices.Clone(e.Paths)}, []*big.Rat(nil), new(big.Rat)
	slices.SortFunc(w.given, func(a, b WeightedPath) int { return slices.Compare(a.Nodes, b.Nodes) })
	for i, p := range w.given {
		name := fmt.Sprintf("%sthe path %v ", where, p.Nodes)
		switch {
		case i > 0 && slices.Equal(p.Nodes, w.given[i-1].Nodes):
			return name + "is repeated"
		case len(p.Nodes) < 2 || p.Nodes[0] != e.From || p.Nodes[len(p.Nodes)-1] != e.To:
			return name + "does not lead from one end to the other"
		case p.Share.Sign() <= 0:
			return name + "has the share " + p.Share.RatString() + ", which is not above 0"
		}
		sum.Add(sum, p.Share)
		paths, seen := [][]core.Link{nil}, core.NewSet(n)
		for j, v := range p.Nodes {
			if v < 0 || v >= n || seen.Has(v) {
				return name + "visits a node twice or one that there is not"
			}
			if seen.Add(v); j == 0 {
				continue
			}
			var longer [][]core.Link
			for _, path := range paths {
				for _, l := range between[[2]int{p.Nodes[j-1], v}] {
					longer = append(longer, append(slices.Clone(path), l))
				}
			}
			switch paths = longer; {
			case len(paths) == 0:
				return name + fmt.Sprintf("goes from %s to %s, where there is no link", r.torus.NodeText(p.Nodes[j-1]),
					r.torus.NodeText(v))
			case len(w.paths)+len(paths) > maxWeightedPaths:
				return name + fmt.Sprintf("makes more than %d paths over different links", maxWeightedPaths)
			}
		}
		r.shortest = r.shortest && len(p.Nodes)-1 == r.torus.LeeDistance(e.From, e.To)
		share := new(big.Rat).Quo(p.Share, new(big.Rat).SetInt64(int64(len(paths))))
		shares = append(shares, slices.Repeat([]*big.Rat{share}, len(paths))...)
		w.paths = append(w.paths, paths...)
	}
	if sum.Cmp(big.NewRat(1, 1)) != 0 {
		return where + "the shares add up to " + sum.RatString() + " and not to 1"
	}
	units, den := new(big.Int), big.NewInt(1)
	for _, s := range shares {
		if core.FoldLCM(den, s.Denom()); den.Cmp(big.NewInt(maxWeight)) > 0 {
			return where + fmt.Sprintf("the common denominator of the shares is above %d", maxWeight)
		}
	}
	for _, s := range shares {
		units.Div(den, s.Denom()).Mul(units, s.Num())
		w.weights = append(w.weights, units.Int64())
	}
	core.FoldLCM(r.den, den)
	links := int64(0)
	for _, p := range w.paths {
		links += int64(len(p))
	}
	r.most = max(r.most, links)
	r.entries[e.From*n+e.To] = w
	return ""
}

// Invariant returns false: nothing is known of the paths of other pairs.
func (r *Weighted) Invariant() bool { return false }

// Uniform returns false.
func (r *Weighted) Uniform() bool { return false }

// Shortest reports whether all paths are shortest ones.
func (r *Weighted) Shortest() bool { return r.shortest }

// MostLinks returns the number of links of all paths of the entry that has most of them.
func (r *Weighted) MostLinks() int64 { return r.most }

// Has reports whether there is an entry for a pair.
func (r *Weighted) Has(p, q int) bool {
	_, ok := r.entries[p*r.torus.N()+q]
	return ok
}

// Paths yields the paths of the entry for p and q. It panics for a pair without an entry, which Covers finds
// beforehand.
func (r *Weighted) Paths(p, q int, _ core.Set) iter.Seq2[[]core.Link, int64] {
	w := r.weighing(p, q)
	return func(yield func([]core.Link, int64) bool) {
		for i, path := range w.paths {
			if !yield(path, w.weights[i]) {
				return
			}
		}
	}
}

// Flow adds up the weights of the paths through each link. It panics like Paths.
func (r *Weighted) Flow(p, q int, _ core.Set) Flow {
	f, _ := listedFlow(r.Paths(p, q, nil), nil) // no watch, no error
	return f
}

func (r *Weighted) weighing(p, q int) weighing {
	w, ok := r.entries[p*r.torus.N()+q]
	if !ok {
		panic("routing: the table has no entry for the pair")
	}
	return w
}

// Entries returns all entries, ascending by their ends, each with its paths in ascending order of their nodes.
func (r *Weighted) Entries() []WeightedEntry {
	n := r.torus.N()
	list := make([]WeightedEntry, 0, len(r.entries))
	for from := range n {
		for to := range n {
			if w, ok := r.entries[from*n+to]; ok {
				list = append(list, WeightedEntry{From: from, To: to, Paths: slices.Clone(w.given)})
			}
		}
	}
	return list
}
