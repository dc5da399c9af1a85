package core

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// Limits of networks from lists of links, of which all distances are kept: nodes, and nodes times the largest degree.
const (
	MaxGivenNodes = 4096
	maxGivenLinks = 1 << 20
	maxGivenText  = 1 << 20 // bytes of its text
)

// A given is what a network from a list of links has in place of dimensions. Its link numbers are those of a torus:
// link i of node v, in the sequence of their ends, has number i*N + v; nodes of a smaller degree have fewer.
type given struct {
	names     []string // of the nodes; nil: their numbers
	ends      []int32  // by link number: the node that it enters, the one that it leaves if there is no link
	reverse   []Link   // by link number
	bandwidth []int32  // by link number
	text      string   // canonical options
	links     int

	measured  sync.Once
	distances []uint16 // from p to q at p*N + q
}

// An Edge joins two nodes by a link each way, both of a bandwidth.
type Edge struct{ A, B, Bandwidth int }

// Compare orders edges by their ends, then by bandwidth.
func (e Edge) Compare(f Edge) int {
	return cmp.Or(cmp.Compare(e.A, f.A), cmp.Compare(e.B, f.B), cmp.Compare(e.Bandwidth, f.Bandwidth))
}

// NewGiven returns the network with the given edges between nodes 0..nodes-1, of which several may join the same two
// nodes, and names of the nodes; nil, or their numbers: none. It has one dimension, whose coordinate is the number of a
// node and which is open, but HasDimensions is false: links do not go along it. Errors are *InputError: fewer than 2 or
// more than MaxGivenNodes nodes, degrees too large, names that are missing, repeated or not printable, an edge
// that joins a node with itself or names none, a bandwidth as for WithLinks, or nodes without a path between them.
func NewGiven(nodes int, names []string, edges []Edge) (*Network, error) {
	fail := func(part, problem string) (*Network, error) {
		return nil, &InputError{Text: Count(nodes, "node") + " with " + Count(len(edges), "edge"), Part: part,
			Problem: problem, Hint: givenHint}
	}
	if nodes < 2 || nodes > MaxGivenNodes {
		return fail("", fmt.Sprintf("a network from a list of links has 2..%d nodes", MaxGivenNodes))
	}
	if problem := namesProblem(nodes, names); problem != "" {
		return fail("", problem)
	}
	edges, degree, common := slices.Clone(edges), make([]int, nodes), 1
	for i, e := range edges {
		text := fmt.Sprintf("%d-%d", e.A, e.B)
		switch {
		case min(e.A, e.B) < 0 || max(e.A, e.B) >= nodes:
			return fail(text, fmt.Sprintf("the nodes are 0..%d", nodes-1))
		case e.A == e.B:
			return fail(text, "the edge joins a node with itself")
		case e.Bandwidth < 1 || e.Bandwidth > MaxBandwidth:
			return fail(text, fmt.Sprintf("the bandwidth is %d, outside 1..%d", e.Bandwidth, MaxBandwidth))
		}
		if common = LCM(common, e.Bandwidth); common > MaxCommonBandwidth {
			return fail(text, fmt.Sprintf("the least common multiple of the bandwidths is above %d", MaxCommonBandwidth))
		}
		edges[i].A, edges[i].B = min(e.A, e.B), max(e.A, e.B)
		degree[e.A]++
		degree[e.B]++
	}
	most := slices.Max(degree)
	if most*nodes > maxGivenLinks {
		return fail("", fmt.Sprintf("nodes times the largest degree, %d, are above %d", most, maxGivenLinks))
	}
	slices.SortFunc(edges, Edge.Compare)
	t := &Network{dims: []int{nodes}, strides: []int{1}, nodes: nodes, portOf: [][2]int{{0, -1}}, open: []bool{true},
		bandwidth: []int{1}, common: common, ports: slices.Repeat([]Port{{Dim: 0, Dir: Plus}}, most)}
	if t.given = newGiven(t, names, edges); len(t.given.text) > maxGivenText {
		return fail("", fmt.Sprintf("its text has more than %d bytes", maxGivenText))
	}
	distance, _ := t.Nearest([]int{0})
	if v := slices.Index(distance, -1); v >= 0 {
		return fail("", fmt.Sprintf("the network is not connected: no path leads from node %s to node %s", t.NodeText(0),
			t.NodeText(v)))
	}
	return t, nil
}

const givenHint = "write the edges of 3 nodes as 3:links=0-1,1-2*4, with *4 for a bandwidth of 4"

// namesProblem says what is wrong with names of nodes, "" if nothing is.
func namesProblem(nodes int, names []string) string {
	if names != nil && len(names) != nodes {
		return fmt.Sprintf("%s for %s", Count(len(names), "name"), Count(nodes, "node"))
	}
	seen := map[string]bool{}
	for _, name := range names {
		switch {
		case name == "" || seen[name]:
			return fmt.Sprintf("the name %q is empty or repeated", name)
		case strings.ContainsFunc(name, func(r rune) bool { return !strconv.IsPrint(r) || r == utf8.RuneError }):
			return fmt.Sprintf("the name %q has characters that cannot be printed", name)
		}
		seen[name] = true
	}
	return ""
}

// newGiven returns the links of sorted edges.
func newGiven(t *Network, names []string, edges []Edge) *given {
	g := &given{links: 2 * len(edges), ends: make([]int32, t.M()), reverse: make([]Link, t.M()),
		bandwidth: slices.Repeat([]int32{1}, t.M())}
	for l := range g.ends {
		g.ends[l] = int32(l % t.nodes)
	}
	type out struct{ to, edge int }
	leaving := make([][]out, t.nodes)
	for i, e := range edges {
		leaving[e.A], leaving[e.B] = append(leaving[e.A], out{e.B, i}), append(leaving[e.B], out{e.A, i})
	}
	first := slices.Repeat([]Link{-1}, len(edges)) // of each edge: its link that was numbered first
	for v, list := range leaving {
		slices.SortFunc(list, func(a, b out) int { return cmp.Or(cmp.Compare(a.to, b.to), cmp.Compare(a.edge, b.edge)) })
		for i, o := range list {
			l := Link(i*t.nodes + v)
			g.ends[l], g.bandwidth[l] = int32(o.to), int32(edges[o.edge].Bandwidth)
			if f := first[o.edge]; f >= 0 {
				g.reverse[l], g.reverse[f] = f, l
			}
			first[o.edge] = l
		}
	}
	parts := make([]string, len(edges))
	for i, e := range edges {
		if parts[i] = fmt.Sprintf("%d-%d", e.A, e.B); e.Bandwidth > 1 {
			parts[i] += fmt.Sprintf("*%d", e.Bandwidth)
		}
	}
	g.text = ":links=" + strings.Join(parts, ",")
	escaped, numbers := make([]string, len(names)), true
	for v, name := range names {
		escaped[v], numbers = escape(name), numbers && name == strconv.Itoa(v)
	}
	if !numbers {
		g.names, g.text = slices.Clone(names), g.text+":names="+strings.Join(escaped, "+")
	}
	return g
}

// escape returns a name in which every byte that has a meaning in a text, or none for a person, is written as %41.
func escape(name string) string {
	var text []byte
	for _, b := range []byte(name) {
		if b > ' ' && b != 0x7f && !strings.ContainsRune("%+:", rune(b)) {
			text = append(text, b)
		} else {
			text = fmt.Appendf(text, "%%%02X", b)
		}
	}
	return string(text)
}

// readGiven reads a number of nodes with the options links and names.
func readGiven(options *Text, links Part) (*Network, error) {
	nodes, ok := parseNatural(options.Name)
	if !ok {
		return nil, options.Fail(Part{Text: options.Name}, "the links of a network follow its number of nodes")
	}
	var edges []Edge
	for _, p := range links.Split(",") {
		ends, bandwidth, wide := strings.Cut(p.Text, "*")
		a, b, joins := strings.Cut(ends, "-")
		e := Edge{Bandwidth: 1}
		var known [3]bool
		e.A, known[0] = parseNatural(a)
		if e.B, known[1] = parseNatural(b); wide {
			e.Bandwidth, known[2] = parseNatural(bandwidth)
		}
		if !joins || !known[0] || !known[1] || wide && !known[2] {
			return nil, options.Fail(p, "an edge is written as 0-1 or, with a bandwidth of 2, 0-1*2")
		}
		edges = append(edges, e)
	}
	var names []string
	if part, ok := options.Take("names"); ok {
		for _, p := range part.Split("+") {
			name, err := url.PathUnescape(p.Text)
			if err != nil {
				return nil, options.Fail(p, "in a name % is followed by two hexadecimal digits")
			}
			names = append(names, name)
		}
	}
	if err := options.Unused(); err != nil {
		return nil, err
	}
	t, err := NewGiven(nodes, names, edges)
	if e, ok := err.(*InputError); ok {
		for _, p := range links.Split(",") {
			if ends, _, _ := strings.Cut(p.Text, "*"); ends == e.Part {
				return nil, options.Fail(p, e.Problem)
			}
		}
		return nil, options.FailWhole(e.Problem)
	}
	return t, err
}

// HasDimensions reports whether links go along dimensions, so that nodes have coordinates, links a direction, and a
// shortest path is a vector of steps in some order. A network from a list of links has none: Shift, Link, Distance,
// Ways and Vectors are not defined there and panic.
func (t *Network) HasDimensions() bool { return t.given == nil }

// alongDimensions panics on a network without dimensions: who asks there has a bug.
func (t *Network) alongDimensions() {
	if t.given != nil {
		panic("core: dimensions of a network from a list of links")
	}
}

// NodeText returns how people write a node: its coordinates, 0,1, or its name.
func (t *Network) NodeText(v int) string {
	if t.given != nil && t.given.names != nil {
		return t.given.names[v]
	}
	return JoinInts(t.Coords(v), ",")
}

// Title returns what people call a network: its text, or of a network from a list of links the number of its edges,
// with the beginning of the SHA-256 of its text.
func (t *Network) Title() string {
	if t.given == nil {
		return t.String()
	}
	return fmt.Sprintf("list of %s (%.8s)", Count(t.given.links/2, "edge"), t.SHA256())
}

// SHA256 returns the hexadecimal SHA-256 of the text of the network.
func (t *Network) SHA256() string { return fmt.Sprintf("%x", sha256.Sum256([]byte(t.String()))) }

// Edges returns the edges of a network, each once, in the sequence of Edge.Compare.
func (t *Network) Edges() []Edge {
	var edges []Edge
	for l := range t.EachLink() {
		from, to := t.LinkEnds(l)
		if r := t.Reverse(l); from < to || from == to && l < r {
			edges = append(edges, Edge{from, to, t.LinkBandwidth(l)})
		}
	}
	slices.SortFunc(edges, Edge.Compare)
	return edges
}

// Names returns the names of the nodes, nil where they are the coordinates.
func (t *Network) Names() []string {
	if t.given == nil {
		return nil
	}
	return slices.Clone(t.given.names)
}

// distance returns the number of links of a shortest path.
func (g *given) distance(t *Network, p, q int) int {
	g.measured.Do(func() {
		for v := range t.nodes {
			from, _ := t.Nearest([]int{v})
			for _, d := range from {
				g.distances = append(g.distances, uint16(min(d, math.MaxUint16)))
			}
		}
	})
	return int(g.distances[p*t.nodes+q])
}
