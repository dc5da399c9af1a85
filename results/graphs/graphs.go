// Package graphs reads networks from files of other programs: GraphML, the node-link JSON of NetworkX, lists of edges,
// and the files of BookSim's topology anynet.
package graphs

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"leeway/core"
	"leeway/results"
	"leeway/results/disk"
)

// Read returns the network that a file describes: GraphML if it begins with <, node-link JSON with {, anynet with the
// word router, else a list of edges, "u v" or "u v capacity". A node has the name that the file gives it; where all
// names are whole numbers, nodes are numbered in their order, else as they stand in the file. Capacities are whole
// numbers, 1 unless an edge has an attribute capacity or bandwidth. Links of a directed graph are in both directions. A
// list of edges with both "u v" and "v u" is that of a directed graph.
// Errors are *results.ReadError with the line.
func Read(data []byte) (*core.Network, error) {
	b := &graph{data: data, numbers: map[string]int{}}
	text := bytes.TrimLeft(data, " \t\r\n\ufeff")
	read := b.readEdges
	switch {
	case bytes.HasPrefix(text, []byte("<")):
		read = b.readGraphML
	case bytes.HasPrefix(text, []byte("{")):
		read = b.readNodeLink
	case bytes.HasPrefix(text, []byte("router")):
		read = b.readAnynet
	}
	if err := read(); err != nil {
		return nil, err
	}
	return b.network()
}

// ReadFile is Read on a file; errors name it.
func ReadFile(ctx context.Context, path string) (*core.Network, error) {
	data, err := disk.ReadFile(ctx, path)
	if err != nil {
		return nil, err
	}
	t, err := Read(data)
	return t, results.InFile(err, path)
}

// A graph is what was read of a file.
type graph struct {
	data    []byte
	nodes   []node
	numbers map[string]int // of nodes by what the file calls them
	edges   []edge
}

// A node has what the file calls it, and a name for people.
type node struct {
	id, name string
	offset   int
}

// An edge joins two nodes of the file.
type edge struct {
	from, to, capacity int
	oneWay             bool
	offset             int // in the file
}

// fail returns an error about the place with an offset.
func (b *graph) fail(offset int, problem, hint string) error {
	return results.ErrorAt(b.data, offset, problem, hint)
}

const edgeHint = "an edge joins two nodes and has a capacity that is a whole number of at least 1"

// add takes a node in. Its id must be new.
func (b *graph) add(id, name string, offset int) error {
	if _, known := b.numbers[id]; known {
		return b.fail(offset, fmt.Sprintf("the node %q is repeated", results.Shorten(id)), "")
	}
	if len(b.nodes) == core.MaxGivenNodes {
		return b.fail(offset, fmt.Sprintf("the network has more than %d nodes", core.MaxGivenNodes), "")
	}
	b.numbers[id] = len(b.nodes)
	b.nodes = append(b.nodes, node{id, cmp.Or(name, id), offset})
	return nil
}

// number returns the number of a node that was taken in, or that an edge is the first to name if it may be.
func (b *graph) number(id string, offset int, first bool) (int, error) {
	v, known := b.numbers[id]
	if !known && !first {
		return 0, b.fail(offset, fmt.Sprintf("an edge names the unknown node %q", results.Shorten(id)), edgeHint)
	}
	if !known {
		return len(b.nodes), b.add(id, "", offset)
	}
	return v, nil
}

// join takes an edge in. A capacity of "" is 1.
func (b *graph) join(from, to, capacity string, oneWay bool, offset int, first bool) (err error) {
	e := edge{capacity: 1, oneWay: oneWay, offset: offset}
	if e.from, err = b.number(from, offset, first); err != nil {
		return err
	}
	if e.to, err = b.number(to, offset, first); err != nil {
		return err
	}
	if e.from == e.to {
		return b.fail(offset, fmt.Sprintf("the edge joins the node %q with itself", results.Shorten(from)), edgeHint)
	}
	if capacity != "" {
		c, ok := new(big.Rat).SetString(capacity)
		most := big.NewRat(core.MaxBandwidth, 1)
		switch problem := fmt.Sprintf("the capacity %q ", results.Shorten(capacity)); {
		case len(capacity) > 40 || !ok:
			return b.fail(offset, problem+"is not a number", edgeHint)
		case c.Sign() <= 0 || c.Cmp(most) > 0:
			return b.fail(offset, problem+fmt.Sprintf("lies outside 1..%d", core.MaxBandwidth), edgeHint)
		case !c.IsInt():
			return b.fail(offset, problem+"is not a whole number", "multiply all capacities by the same number: E_max is "+
				"then that much smaller")
		}
		e.capacity = int(c.Num().Int64())
	}
	b.edges = append(b.edges, e)
	return nil
}

// network returns the network with the nodes and edges that were read.
func (b *graph) network() (*core.Network, error) {
	if len(b.edges) == 0 {
		return nil, b.fail(0, "the file has no edges", "write a network as GraphML, node-link JSON, one edge u v or "+
			"u v capacity a line, or for BookSim's anynet")
	}
	edges, err := b.bothWays()
	if err != nil {
		return nil, err
	}
	order := core.Range(len(b.nodes))
	if !slices.ContainsFunc(b.nodes, func(n node) bool { return len(n.name) > 18 || !core.Plain(n.name) }) {
		slices.SortFunc(order, func(i, j int) int {
			a, c := b.nodes[i].name, b.nodes[j].name
			return cmp.Or(cmp.Compare(len(a), len(c)), strings.Compare(a, c))
		})
	}
	names, place := make([]string, len(order)), make([]int, len(order))
	for v, i := range order {
		names[v], place[i] = b.nodes[i].name, v
	}
	list := make([]core.Edge, len(edges))
	for i, e := range edges {
		list[i] = core.Edge{A: place[e.from], B: place[e.to], Bandwidth: e.capacity}
	}
	t, err := core.NewGiven(len(order), names, list)
	if e, ok := err.(*core.InputError); ok { // about the whole: edges are checked above
		return nil, &results.ReadError{Problem: e.Problem, Hint: "a network is connected, and its nodes have different names"}
	}
	return t, err
}

// bothWays returns one edge for each edge of the file that goes both ways, and for every two that go one way, one
// there and one back, of the same capacity.
func (b *graph) bothWays() (edges []edge, err error) {
	waiting := map[edge][]edge{} // links without one back, by those that they wait for, without offsets
	left := 0
	for _, e := range b.edges {
		if !e.oneWay {
			edges = append(edges, e)
			continue
		}
		own, back := e, edge{from: e.to, to: e.from, capacity: e.capacity, oneWay: true}
		if own.offset = 0; len(waiting[own]) > 0 {
			waiting[own], left = waiting[own][1:], left-1
			edges = append(edges, e)
		} else {
			waiting[back], left = append(waiting[back], e), left+1
		}
	}
	if left == 0 {
		return edges, nil
	}
	var first *edge
	for _, list := range waiting {
		for _, e := range list {
			if first == nil || e.offset < first.offset {
				first = &e
			}
		}
	}
	return nil, b.fail(first.offset, fmt.Sprintf("the link from %q to %q has capacity %d, and there is no link back of "+
		"this capacity", results.Shorten(b.nodes[first.from].name), results.Shorten(b.nodes[first.to].name), first.capacity),
		"links come in both directions, with equal capacities; an undirected graph has them by itself, and a list of edges "+
			"in which no edge stands in both directions")
}

// lines yields the lines of the file with their offsets, without comments, which begin with # or %.
func (b *graph) lines(yield func(offset int, line string) bool) {
	offset := 0
	for line := range strings.Lines(string(b.data)) {
		text := strings.TrimSpace(strings.TrimPrefix(line, "\ufeff"))
		if text != "" && text[0] != '#' && text[0] != '%' && !yield(offset, text) {
			return
		}
		offset += len(line)
	}
}

// readEdges reads a list of edges: two nodes a line, and the capacity, with blanks or commas between them. In place of
// the capacity NetworkX writes the attributes of an edge, as {'capacity': 2}.
func (b *graph) readEdges() error {
	for offset, line := range b.lines {
		line, attributes, _ := strings.Cut(line, "{")
		fields := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' || r == ',' || r == ';' })
		if len(fields) < 2 || len(fields) > 3 || attributes != "" && len(fields) > 2 {
			return b.fail(offset, fmt.Sprintf("%q is not an edge", results.Shorten(line)), "write two nodes and, if it is not "+
				"1, the capacity: a b 2")
		}
		capacity := ""
		if len(fields) == 3 {
			capacity = fields[2]
		}
		for item := range strings.SplitSeq(strings.TrimSuffix(attributes, "}"), ",") {
			key, value, _ := strings.Cut(item, ":")
			if slices.Contains(capacityNames, strings.Trim(key, " '\"")) {
				capacity = strings.Trim(value, " '\"")
			}
		}
		if err := b.join(fields[0], fields[1], capacity, false, offset, true); err != nil {
			return err
		}
	}
	there := map[[2]int]bool{}
	for _, e := range b.edges {
		there[[2]int{e.from, e.to}] = true
	}
	directed := slices.ContainsFunc(b.edges, func(e edge) bool { return there[[2]int{e.to, e.from}] })
	for i := range b.edges {
		b.edges[i].oneWay = directed
	}
	return nil
}

// capacityNames are the names of an attribute of an edge that is its capacity; the first counts.
var capacityNames = []string{"capacity", "bandwidth"}

// readAnynet reads a network of BookSim: a router with its nodes, which are left out, and the routers that it has links
// to, each with a latency after it or not, which is left out too. Two routers have one link each way, whichever of them
// names the other.
func (b *graph) readAnynet() error {
	const hint = "write router 0 node 0 router 1 router 2, with a latency after each or not"
	joined := map[[2]string]bool{}
	for offset, line := range b.lines {
		words := strings.Fields(line)
		head := ""
		for i := 0; i < len(words); i++ {
			kind := words[i]
			if kind != "router" && kind != "node" || i+1 == len(words) || !core.Plain(words[i+1]) {
				return b.fail(offset, fmt.Sprintf("%q is not a router or a node with its number", results.Shorten(kind)), hint)
			}
			i++
			id := words[i]
			if head != "" && i+1 < len(words) && core.Plain(words[i+1]) {
				i++
			}
			switch {
			case kind == "node" && head == "":
				return b.fail(offset, "the line begins with a node", hint)
			case kind == "node":
				continue
			case head == "":
				head = id
				if _, err := b.number(id, offset, true); err != nil {
					return err
				}
				continue
			case joined[[2]string{head, id}]:
				continue
			}
			joined[[2]string{head, id}], joined[[2]string{id, head}] = true, true
			if err := b.join(head, id, "", false, offset, true); err != nil {
				return err
			}
		}
	}
	return nil
}

// flag reads "true" or "false".
func flag(text string) (value, ok bool) {
	value, err := strconv.ParseBool(text)
	return value, err == nil
}
