// Package linkname has the names of links in documents.
package linkname

import (
	"fmt"

	"leeway/core"
)

// A Name names a link as documents do: by the node that it leaves, its dimension and direction. Without dimensions the
// number of the link among those of the node stands in place of the dimension, and + for the direction.
type Name struct {
	From []int  `json:"from"`
	Dim  int    `json:"dim"`
	Dir  string `json:"dir"` // "+" or "-"; always "+" on a side of 2
}

// New returns the name of a link.
func New(t *core.Network, l core.Link) Name {
	from, port := t.LinkFrom(l)
	if !t.HasDimensions() {
		port.Dim = int(l) / t.N()
	}
	return Name{t.Coords(from), port.Dim, port.Dir.String()}
}

// Link returns the link of the name, or an *core.InputError if there is none.
func (n Name) Link(t *core.Network) (core.Link, error) {
	from, err := t.Node(n.From...)
	if err != nil {
		return 0, err
	}
	end := t.D()
	if !t.HasDimensions() {
		end = t.Degree()
	}
	problem := ""
	switch dir := map[string]core.Dir{"+": core.Plus, "-": core.Minus}[n.Dir]; {
	case dir == 0:
		problem = "the direction is neither + nor -"
	case n.Dim < 0 || n.Dim >= end:
		problem = fmt.Sprintf("dimension %d lies outside 0..%d", n.Dim, end-1)
	case !t.HasDimensions():
		if l := core.Link(n.Dim*t.N() + from); dir == core.Plus && t.HasLink(l) {
			return l, nil
		}
		problem = fmt.Sprintf("the node has no link %d %s", n.Dim, n.Dir)
	case dir == core.Minus && !t.BothWays(n.Dim):
		problem = fmt.Sprintf("dimension %d has one link each way and no direction -", n.Dim)
	default:
		if l := t.Link(from, n.Dim, dir); t.HasLink(l) {
			return l, nil
		}
		problem = fmt.Sprintf("dimension %d ends here in direction %s: there is no link", n.Dim, n.Dir)
	}
	return 0, &core.InputError{Text: n.words(), Problem: problem}
}

// An Ended is the name of a link with the node that it enters, which is nil on a network with dimensions.
type Ended struct {
	Name
	To []int `json:"to,omitempty"`
}

// NewEnded returns the name of a link with its end.
func NewEnded(t *core.Network, l core.Link) Ended {
	link := Ended{Name: New(t, l)}
	if _, to := t.LinkEnds(l); !t.HasDimensions() {
		link.To = t.Coords(to)
	}
	return link
}

// Text returns the link in words: "0,1 dimension 0 +", or, on a network without dimensions, "0 to 1" by the names of
// its ends.
func (n Name) Text(t *core.Network) string {
	if l, err := n.Link(t); err == nil && !t.HasDimensions() {
		from, to := t.LinkEnds(l)
		return t.NodeText(from) + " to " + t.NodeText(to)
	}
	return n.words()
}

func (n Name) words() string {
	return fmt.Sprintf("%s dimension %d %s", core.JoinInts(n.From, ","), n.Dim, n.Dir)
}
