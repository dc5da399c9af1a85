package export

import (
	"bufio"
	"cmp"
	_ "embed"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"iter"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/template"

	"leeway/core"
	"leeway/objective"
	"leeway/results"
	"leeway/results/forms"
	"leeway/results/layout"
)

// Tools lists what Loaded.Writer writes for: the simulators gem5, BookSim2, Noxim and SimGrid, readers of GraphML,
// NetworkX, and anything that reads a table of links.
var Tools = []string{"gem5", "booksim", "noxim", "simgrid", "graphml", "networkx", "csv"}

// A Loaded is a network with the loads that a placement puts on its links under routing and traffic of a problem.
type Loaded struct {
	Problem   objective.Problem
	Placement core.Placement
	Loads     *objective.Loads
	Rate      *big.Rat // noxim: messages of every ordered pair per cycle, or exchanges of each client; nil: FullRate
}

// maxToolPairs is the most ordered pairs of processors in files with a line for each; for SimGrid that is a whole path.
var maxToolPairs = map[string]int{"noxim": 1 << 22, "simgrid": 1 << 18}

// FullRate returns how many messages every ordered pair of processors can send per cycle at most, if a link of
// bandwidth 1 carries one per cycle and a processor sends one: 1 over the larger of E_max and n-1. For client traffic
// it is how many exchanges each client can have with each processor, if a node sends and receives a message per cycle,
// of a matrix how many times a cycle all demands can be met.
func (n Loaded) FullRate() *big.Rat {
	most, _ := n.Loads.Max()
	others := n.Placement.Size() - 1
	sent := big.NewRat(int64(max(1, others)), 1)
	switch traffic := n.Problem.Traffic; {
	case traffic.Matrix != nil:
		out, in, busiest := map[int]int64{}, map[int]int64{}, int64(0)
		for m := range n.Problem.Messages(n.Placement) {
			out[m.From] += m.Count
			in[m.To] += m.Count
			busiest = max(busiest, out[m.From], in[m.To])
		}
		if sent.SetInt64(busiest).Mul(sent, traffic.Unit()); sent.Sign() == 0 {
			sent.SetInt64(1)
		}
	case traffic.Clients():
		nodes := n.Placement.Torus().N()
		atProcessor := max(traffic.Reply*(nodes-1)+traffic.Request*others, traffic.Request*(nodes-1)+traffic.Reply*others)
		sent.SetInt64(int64(atProcessor))
		if n.Placement.Size() < nodes { // a client that is not a processor
			atClient := max(traffic.Request, traffic.Reply) * n.Placement.Size()
			sent.SetInt64(int64(max(atProcessor, atClient)))
		}
	}
	if sent.Cmp(most) > 0 {
		most = sent
	}
	return most.Inv(most)
}

// clientPairs yields the pairs of a client and a processor.
func (n Loaded) clientPairs(yield func(client, processor int) bool) {
	for _, p := range n.Placement.Nodes() {
		for v := range n.Placement.Torus().N() {
			if v != p && !yield(v, p) {
				return
			}
		}
	}
}

// Writer returns a function that writes the file of one of the Tools, or an *core.InputError: no such tool, or it has
// nothing like this network or routing. The function returns the errors of w. Cost linear in what is written.
func (n Loaded) Writer(tool string) (func(w io.Writer) error, error) {
	if !slices.Contains(Tools, tool) {
		return nil, core.Invalid(tool, "unknown tool").Hinted("tools are " + strings.Join(Tools, ", "))
	}
	if err := n.fits(tool); err != nil {
		return nil, err
	}
	return func(w io.Writer) error {
		b, f := bufio.NewWriter(w), file{n, parallel(n.Placement.Torus())}
		if tool == "csv" {
			return cmp.Or(f.csv(b), b.Flush())
		}
		return cmp.Or(toolTemplates().ExecuteTemplate(b, tool, f), b.Flush())
	}, nil
}

// fits returns nil if a tool has networks and routings like these, otherwise an *core.InputError.
func (n Loaded) fits(tool string) error {
	t, size := n.Placement.Torus(), n.Placement.Size()
	refuse := func(text, problem, hint string) error {
		return core.Invalid(text, "%s", problem).Hinted(hint)
	}
	switch {
	case (tool == "gem5" || tool == "noxim") && !t.HasDimensions():
		return refuse(t.String(), tool+" has meshes and tori", "booksim, simgrid, graphml, networkx and csv have any network")
	case (tool == "gem5" || tool == "noxim") && t.D() > 2:
		return refuse(t.String(), fmt.Sprintf("%s has networks of at most two dimensions", tool),
			"booksim, simgrid, graphml, networkx and csv have any number")
	case (tool == "gem5" || tool == "booksim" || tool == "noxim") && t.CommonBandwidth() > 1:
		return refuse(t.String(), fmt.Sprintf("a file of %s cannot say that links differ in bandwidth", tool),
			"simgrid, graphml and networkx can")
	case (tool == "gem5" || tool == "booksim") && parallel(t):
		return refuse(t.String(), fmt.Sprintf("a file of %s names links by their ends, and here two lead to the same node",
			tool), "simgrid, graphml, networkx and csv can")
	case maxToolPairs[tool] > 0 && n.Problem.Traffic.Clients() && 2*size*(t.N()-1) > maxToolPairs[tool]:
		return refuse(t.String(), fmt.Sprintf("%d processors with %d clients each have more than the %d pairs that are "+
			"written for %s", size, t.N()-1, maxToolPairs[tool], tool),
			"booksim, graphml, networkx and csv have no lines for pairs")
	case tool == "simgrid" && n.Problem.Traffic.Replies != nil:
		return refuse(n.Problem.Traffic.ReplyText(), "SimGrid has one route for a pair, so requests and replies between "+
			"processors cannot differ", "omit --reply-routing, or take noxim, graphml, networkx or csv")
	case tool == "noxim" && n.Rate != nil && new(big.Rat).Mul(n.Rate, n.mostSent()).Cmp(big.NewRat(1, 1)) > 0:
		return refuse(results.FormatFraction(n.Rate), "a node would send more than one message per cycle to one other",
			"lower the rate")
	case maxToolPairs[tool] > 0 && n.Problem.Traffic.ToAll() && size*(size-1) > maxToolPairs[tool]:
		return refuse(t.String(), fmt.Sprintf("%d processors have more than the %d pairs that are written for %s", size,
			maxToolPairs[tool], tool), "booksim, graphml, networkx and csv have no lines for pairs")
	case tool == "simgrid":
		for p, q := range n.routed {
			if paths := n.firstPaths(p, q, 2); len(paths) > 1 {
				return refuse(n.Problem.Routing.String(), fmt.Sprintf("SimGrid sends a message along one path, this routing uses "+
					"more than one from %s to %s", t.NodeText(p), t.NodeText(q)), "odr:tie=plus has one path for every pair, and "+
					"so has the table that restrict --single-path writes")
			}
		}
	}
	return nil
}

// parallel reports whether two links lead from a node to the same other, as they can on a twisted torus.
func parallel(t *core.Torus) bool {
	edges := t.Edges()
	for i := 1; i < len(edges); i++ {
		if edges[i].A == edges[i-1].A && edges[i].B == edges[i-1].B {
			return true
		}
	}
	return false
}

// mostSent returns the most that a node sends another for a rate of 1.
func (n Loaded) mostSent() *big.Rat {
	between, _ := n.Problem.Traffic.Amounts(n.Placement)
	most := int64(0)
	for p, q := range n.routed {
		most = max(most, between(p, q))
	}
	return new(big.Rat).Mul(big.NewRat(most, 1), n.Problem.Traffic.Unit())
}

// routed yields the ordered pairs that have a path, each once: those of processors, of a client and a processor each
// way, or of nodes whose tasks send.
func (n Loaded) routed(yield func(p, q int) bool) {
	if !n.Problem.Traffic.Clients() {
		between, _ := n.Problem.Traffic.Amounts(n.Placement)
		for p, q := range n.Placement.Pairs() {
			if between(p, q) > 0 && !yield(p, q) {
				return
			}
		}
		return
	}
	processors := n.Placement.Set()
	for v, p := range n.clientPairs {
		if !yield(v, p) || !processors.Has(v) && !yield(p, v) {
			return
		}
	}
}

// firstPaths returns up to a given number of paths of a pair.
func (n Loaded) firstPaths(p, q, most int) (paths [][]core.Link) {
	for path := range n.Problem.Routing.Paths(p, q, n.Placement.Set()) {
		if paths = append(paths, slices.Clone(path)); len(paths) == most {
			break
		}
	}
	return paths
}

// A file is what the template of a tool writes.
type file struct {
	Loaded
	Parallel bool // two links lead from a node to the same other
}

// toolTemplates returns those of files, by the name of the tool.
var toolTemplates = sync.OnceValue(func() *template.Template {
	return forms.Parse(toolsText, template.FuncMap{"ints": core.JoinInts,
		"xml": func(v any) (string, error) {
			var b strings.Builder
			err := xml.EscapeText(&b, []byte(fmt.Sprint(v)))
			return b.String(), err
		},
		"json": func(v any) (string, error) {
			text, err := json.Marshal(v)
			return string(text), err
		}})
})

//go:embed tools.tmpl
var toolsText string

// Torus returns the network.
func (f file) Torus() *core.Torus { return f.Placement.Torus() }

// MaxLoad returns E_max, a fraction.
func (f file) MaxLoad() string {
	most, _ := f.Loads.Max()
	return results.FormatFraction(most)
}

// Heading says what a file is about: the comment at its beginning.
func (f file) Heading() string {
	return fmt.Sprintf("%s, %s, %s: E_max %s", f.Torus(), core.Count(len(f.Placement.Nodes()), "processor"), f.Way(),
		f.MaxLoad())
}

// Way returns routing and, where it is not all to all, traffic.
func (f file) Way() string {
	text := f.Problem.Routing.String()
	switch t := f.Problem.Traffic; {
	case t.Matrix != nil:
		text += ", " + t.Matrix.Title()
	case t.Clients():
		text += ", " + t.String()
	}
	if r := f.Problem.Traffic.ReplyText(); r != "" {
		text += ", replies by " + r
	}
	return text
}

// About returns the attributes of the whole graph, by name.
func (f file) About() map[string]any {
	return map[string]any{"network": f.Torus().String(), "routing": f.Way(), "size": f.Placement.Size(),
		"max_load": f.MaxLoad()}
}

// Columns returns the side of the last dimension, of which there are one or two, and Rows the other: node x + y Columns
// is the one in column x of row y.
func (f file) Columns() int { return f.Torus().Side(f.Torus().D() - 1) }

// Rows returns the other side, 1 on a ring.
func (f file) Rows() int { return f.Torus().N() / f.Columns() }

// IsMesh reports whether the network is a mesh of equal links.
func (f file) IsMesh() bool {
	mesh, err := f.Torus().WithLinks(core.Range(f.Torus().D()), nil)
	return err == nil && mesh.Equal(f.Torus()) // the error is that it is twisted
}

// Hosts returns the nodes that send and receive: the processors, or all nodes for client traffic.
func (f file) Hosts() []int {
	if f.Problem.Traffic.Clients() {
		return core.Range(f.Torus().N())
	}
	return f.Placement.Nodes()
}

// Host returns the name of a node in a platform.
func (f file) Host(v int) string { return "n" + core.JoinInts(f.Torus().Coords(v), "-") }

// LinkID returns the name of a link in a platform.
func (f file) LinkID(l core.Link) string {
	from, to := f.Torus().LinkEnds(l)
	name := f.Host(from) + "_" + f.Host(to)
	if f.Parallel {
		return fmt.Sprintf("%s_%d", name, int(l)/f.Torus().N())
	}
	return name
}

// Routed yields the ordered pairs that have a path, each once.
func (f file) Routed() iter.Seq2[int, int] { return f.routed }

// Route returns the links of the path of a pair.
func (f file) Route(from, to int) []core.Link { return f.firstPaths(from, to, 1)[0] }

// Rates returns a function for how many messages a pair sends per cycle, "" for none.
func (f file) Rates() func(from, to int) string {
	rate := f.Rate
	if rate == nil {
		rate = f.FullRate()
	}
	between, _ := f.Problem.Traffic.Amounts(f.Placement)
	unit := new(big.Rat).Mul(rate, f.Problem.Traffic.Unit())
	return func(from, to int) string {
		if messages := between(from, to); messages > 0 {
			return layout.DecimalText(new(big.Rat).Mul(unit, big.NewRat(messages, 1)))
		}
		return ""
	}
}

// A toolLink is a link as files have it.
type toolLink struct {
	Number              core.Link
	From, To, Bandwidth int
	Port                core.Port
	Load                *big.Rat
}

// Decimal returns the load as the nearest decimal of 64 bits.
func (l toolLink) Decimal() string { return layout.DecimalText(l.Load) }

// Links yields all links that exist, in the order of their numbers.
func (f file) Links() iter.Seq[toolLink] {
	return func(yield func(toolLink) bool) {
		for l := range f.Torus().EachLink() {
			from, to := f.Torus().LinkEnds(l)
			_, port := f.Torus().LinkFrom(l)
			if !yield(toolLink{l, from, to, f.Torus().LinkBandwidth(l), port, f.Loads.Load(l)}) {
				return
			}
		}
	}
}

// A toolNode is a node as files have it.
type toolNode struct {
	Number    int
	Name      string
	JSON      any // its coordinates, or its name if the network has names
	Processor bool
	Terminal  string // what is at the node in a network of BookSim: its number, "" for nothing
	Next      []int  // the nodes that links lead to, ascending
}

// Nodes returns all nodes.
func (f file) Nodes() []toolNode {
	list, processors, next := make([]toolNode, f.Torus().N()), f.Placement.Set(), 0
	for v := range list {
		n := toolNode{Number: v, Name: f.Torus().NodeText(v), Processor: processors.Has(v)}
		if n.JSON = n.Name; f.Torus().Names() == nil {
			n.JSON = f.Torus().Coords(v)
		}
		if f.Problem.Traffic.Clients() {
			n.Terminal = strconv.Itoa(v)
		} else if n.Processor {
			n.Terminal = strconv.Itoa(next)
			next++
		}
		list[v] = n
	}
	for l := range f.Links() {
		list[l.From].Next = append(list[l.From].Next, l.To)
	}
	for v := range list {
		slices.Sort(list[v].Next)
	}
	return list
}

// A customLink joins two routers of gem5's CustomMesh.
type customLink struct{ From, To, Weight int }

// CustomLinks returns the links over the ends of dimensions, with the weights that CustomMesh gives to rows and
// columns, so that paths go along a row first.
func (f file) CustomLinks() (list []customLink) {
	t := f.Torus()
	for l := range f.Links() {
		j := l.Port.Dim
		ahead := t.Coord(l.To, j) - t.Coord(l.From, j)
		inMesh := max(ahead, -ahead) == 1 && l.To-l.From == ahead*t.Stride(j)
		if l.Port.Dir == core.Plus && !inMesh && (t.BothWays(j) || l.From < l.To) {
			list = append(list, customLink{l.From, l.To, t.D() - j})
		}
	}
	return list
}

// csv writes a table with a row for each link.
func (f file) csv(w *bufio.Writer) error {
	t, rows := f.Torus(), csv.NewWriter(w)
	rows.Write([]string{"from", "to", "dim", "dir", "load", "load_decimal"}) // Error returns the first of all errors
	for l := range f.Links() {
		rows.Write([]string{csvText(t.NodeText(l.From)), csvText(t.NodeText(l.To)), strconv.Itoa(l.Port.Dim),
			l.Port.Dir.String(), results.FormatFraction(l.Load), l.Decimal()})
	}
	rows.Flush()
	return rows.Error()
}
