package exchange

import (
	"fmt"
	"iter"
	"slices"
)

// A Demand says how many blocks nodes have for each other. Blocks of one node for one other are interchangeable.
type Demand struct {
	Nodes []int   // that have blocks or get some, ascending
	list  [][]int // from, to, number of blocks, ascending; nil: one block for every ordered pair of Nodes
}

// CompleteDemand returns the demand of complete exchange among nodes in ascending order.
func CompleteDemand(nodes []int) Demand { return Demand{Nodes: nodes} }

// maxDemand bounds the blocks of a list, so that their distances add up within a word.
const maxDemand = 1 << 32

// NewDemand returns the demand of a list of [from, to, number of blocks], ascending, each pair once, on a network of
// some nodes. Errors name the place in the list.
func NewDemand(nodes int, list [][]int) (Demand, error) {
	d := Demand{list: slices.Clip(append([][]int{}, list...))}
	blocks := 0
	for i, e := range list {
		switch {
		case len(e) != 3:
			return d, fmt.Errorf("demand %d has %d numbers, not from, to and blocks", i, len(e))
		case min(e[0], e[1]) < 0 || max(e[0], e[1]) >= nodes || e[0] == e[1]:
			return d, fmt.Errorf("demand %d, from %d to %d, does not join two of the nodes 0..%d", i, e[0], e[1], nodes-1)
		case e[2] < 1 || e[2] > maxDemand-blocks:
			return d, fmt.Errorf("demand %d: %d blocks are none, or more than %d with those before", i, e[2], maxDemand)
		case i > 0 && slices.Compare(list[i-1][:2], e[:2]) >= 0:
			return d, fmt.Errorf("demands are not ascending: from %d to %d comes after from %d to %d", e[0], e[1],
				list[i-1][0], list[i-1][1])
		}
		blocks += e[2]
		d.Nodes = append(d.Nodes, e[0], e[1])
	}
	slices.Sort(d.Nodes)
	d.Nodes = slices.Compact(d.Nodes)
	return d, nil
}

// IsComplete reports whether every node has one block for every other, which needs no list.
func (d Demand) IsComplete() bool { return d.list == nil }

// Receivers yields the nodes for which a node has blocks, ascending, with the number of these.
func (d Demand) Receivers(v int) iter.Seq2[int, int] {
	return func(yield func(to, blocks int) bool) {
		if d.list == nil {
			_, has := slices.BinarySearch(d.Nodes, v)
			for _, w := range d.Nodes {
				if has && w != v && !yield(w, 1) {
					return
				}
			}
			return
		}
		i, _ := slices.BinarySearchFunc(d.list, v, func(e []int, v int) int { return e[0] - v })
		for ; i < len(d.list) && d.list[i][0] == v; i++ {
			if !yield(d.list[i][1], d.list[i][2]) {
				return
			}
		}
	}
}

// WithDemand returns the head for a demand.
func (h Head) WithDemand(d Demand) Head {
	if h.Demand, h.Participants = d.list, nil; d.list == nil && len(d.Nodes) < h.Nodes() {
		h.Participants = slices.Clone(d.Nodes)
	}
	return h
}

// Blocks returns what nodes have for each other. Errors say what is wrong with participants or demand.
func (h Head) Blocks() (Demand, error) {
	nodes := h.Nodes()
	if h.Demand != nil {
		if h.Model != AllPort || h.Participants != nil {
			return Demand{}, fmt.Errorf("a demand belongs to the model %s, without participants", AllPort)
		}
		return NewDemand(nodes, h.Demand)
	}
	all := h.Participants
	for i, v := range all {
		if v < 0 || v >= nodes {
			return Demand{}, fmt.Errorf("participant %d lies outside 0..%d", v, nodes-1)
		}
		if i > 0 && all[i-1] >= v {
			return Demand{}, fmt.Errorf("participants are not ascending: %d stands before %d", all[i-1], v)
		}
	}
	for v := 0; h.Participants == nil && v < nodes; v++ {
		all = append(all, v)
	}
	return CompleteDemand(all), nil
}
