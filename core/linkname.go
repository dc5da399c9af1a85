package core

import "fmt"

// A LinkName names a link as documents do: by the node that it leaves, its dimension and direction. Without dimensions
// the number of the link among those of the node stands in place of the dimension, and + for the direction.
type LinkName struct {
	From []int  `json:"from"`
	Dim  int    `json:"dim"`
	Dir  string `json:"dir"` // "+" or "-"; always "+" on a side of 2
}

// LinkName returns the name of a link.
func (t *Network) LinkName(l Link) LinkName {
	from, port := t.LinkFrom(l)
	if t.given != nil {
		port.Dim = int(l) / t.nodes
	}
	return LinkName{t.Coords(from), port.Dim, port.Dir.String()}
}

// Link returns the link of the name, or an *InputError if there is none.
func (n LinkName) Link(t *Network) (Link, error) {
	from, err := t.Node(n.From...)
	if err != nil {
		return 0, err
	}
	dir := map[string]Dir{"+": Plus, "-": Minus}[n.Dir]
	l, ok := t.LinkNamed(from, Port{Dim: n.Dim, Dir: dir})
	if dir == 0 || !ok {
		return 0, &InputError{Text: JoinInts(n.From, ","), Problem: fmt.Sprintf(
			"the node has no link along dimension %d in direction %q", n.Dim, shown(n.Dir))}
	}
	return l, nil
}

// An EndedLink is the name of a link with the node that it enters, which is nil on a network with dimensions.
type EndedLink struct {
	LinkName
	To []int `json:"to,omitempty"`
}

// EndedLink returns the name of a link with its end.
func (t *Network) EndedLink(l Link) EndedLink {
	link := EndedLink{LinkName: t.LinkName(l)}
	if _, to := t.LinkEnds(l); !t.HasDimensions() {
		link.To = t.Coords(to)
	}
	return link
}

// String returns the link in words.
func (l EndedLink) String() string {
	if l.To != nil {
		return JoinInts(l.From, ",") + " to " + JoinInts(l.To, ",")
	}
	return fmt.Sprintf("%s dimension %d %s", JoinInts(l.From, ","), l.Dim, l.Dir)
}
