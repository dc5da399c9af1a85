package export

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"leeway/core"
	"leeway/objective"
	"leeway/results"
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
	write, ok := map[string]func(w *bufio.Writer) error{"gem5": n.gem5, "booksim": n.booksim, "noxim": n.noxim,
		"simgrid": n.simgrid, "graphml": n.graphML, "networkx": n.networkX, "csv": n.csv}[tool]
	if !ok {
		return nil, core.Invalid(tool, "unknown tool").Hinted("tools are " + strings.Join(Tools, ", "))
	}
	if err := n.fits(tool); err != nil {
		return nil, err
	}
	return func(w io.Writer) error {
		b := bufio.NewWriter(w)
		if err := write(b); err != nil {
			return err
		}
		return b.Flush()
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

// heading says what a file is about: the comment at its beginning.
func (n Loaded) heading() string {
	most, _ := n.Loads.Max()
	return fmt.Sprintf("%s, %s, %s: E_max %s", n.Placement.Torus(),
		core.Count(len(n.Placement.Nodes()), "processor"), n.way(), results.FormatFraction(most))
}

// way returns routing and, where it is not all to all, traffic.
func (n Loaded) way() string {
	text := n.Problem.Routing.String()
	switch t := n.Problem.Traffic; {
	case t.Matrix != nil:
		text += ", " + t.Matrix.Title()
	case t.Clients():
		text += ", " + t.String()
	}
	if r := n.Problem.Traffic.ReplyText(); r != "" {
		text += ", replies by " + r
	}
	return text
}

// A toolLink is a link as files name it.
type toolLink struct {
	number   core.Link
	from, to int
	port     core.Port
	load     *big.Rat
}

// decimal returns the load as the nearest decimal of 64 bits.
func (l toolLink) decimal() string { return layout.DecimalText(l.load) }

// links yields all links that exist, in the order of their numbers.
func (n Loaded) links(yield func(toolLink) bool) {
	t := n.Placement.Torus()
	for l := range t.EachLink() {
		from, to := t.LinkEnds(l)
		_, port := t.LinkFrom(l)
		if !yield(toolLink{l, from, to, port, n.Loads.Load(l)}) {
			return
		}
	}
}

// gem5 writes the mesh of gem5's CustomMesh, whose routers are numbered row by row as nodes are: cores, home nodes and
// memory sit at the processors; for client traffic memory alone, the others everywhere. Links over the ends of
// dimensions are custom links with the weights that CustomMesh gives to rows and columns, so that paths go along a row
// first.
func (n Loaded) gem5(w *bufio.Writer) error {
	t := n.Placement.Torus()
	rows, cols := 1, t.Side(t.D()-1)
	if t.D() == 2 {
		rows = t.Side(0)
	}
	fmt.Fprintf(w, "# %s\n# gem5 routes along rows first, which is odr:order=1,0\nmesh:\n  num_rows: %d\n  num_cols: %d\n",
		n.heading(), rows, cols)
	var custom strings.Builder
	for l := range n.links {
		j := l.port.Dim
		ahead := t.Coord(l.to, j) - t.Coord(l.from, j)
		inMesh := max(ahead, -ahead) == 1 && l.to-l.from == ahead*t.Stride(j)
		if l.port.Dir == core.Plus && !inMesh && (t.BothWays(j) || l.from < l.to) {
			fmt.Fprintf(&custom, "    - [%d, %d, %d, 1]\n", l.from, l.to, t.D()-l.port.Dim)
		}
	}
	if custom.Len() > 0 {
		fmt.Fprintf(w, "  custom_links: # of two routers, both ways: weight, latency\n%s", custom.String())
	}
	routers := core.JoinInts(n.Placement.Nodes(), ", ")
	for _, kind := range []string{"CHI_RNF", "CHI_HNF", "CHI_SNF_MainMem"} {
		list := routers
		if n.Problem.Traffic.Clients() && kind != "CHI_SNF_MainMem" {
			list = core.JoinInts(core.Range(t.N()), ", ")
		}
		fmt.Fprintf(w, "%s:\n  router_list: [%s]\n", kind, list)
	}
	return nil
}

// booksim writes a network file of the topology anynet: router v is node v, and node i is the i-th processor; for
// client traffic every router has the node of its number.
func (n Loaded) booksim(w *bufio.Writer) error {
	t := n.Placement.Torus()
	neighbours := make([][]int, t.N())
	for l := range n.links {
		neighbours[l.from] = append(neighbours[l.from], l.to)
	}
	processors, next := n.Placement.Nodes(), 0
	for v, list := range neighbours {
		fmt.Fprintf(w, "router %d", v)
		switch {
		case n.Problem.Traffic.Clients():
			fmt.Fprintf(w, " node %d", v)
		case next < len(processors) && processors[next] == v:
			fmt.Fprintf(w, " node %d", next)
			next++
		}
		slices.Sort(list)
		for _, u := range list {
			fmt.Fprintf(w, " router %d", u)
		}
		fmt.Fprintln(w)
	}
	return nil
}

// noxim writes a table of traffic, with a line for each pair that sends. Noxim numbers
// nodes x + y * mesh_dim_x; with the last dimension as x that is the number of a node here.
func (n Loaded) noxim(w *bufio.Writer) error {
	t, rate := n.Placement.Torus(), n.Rate
	if rate == nil {
		rate = n.FullRate()
	}
	x, y := t.Side(t.D()-1), t.N()/t.Side(t.D()-1)
	fmt.Fprintf(w, "%% %s\n%% mesh_dim_x: %d, mesh_dim_y: %d\n", n.heading(), x, y)
	if mesh, err := t.WithLinks(core.Range(t.D()), nil); err != nil || !mesh.Equal(t) { // the error is that it is twisted
		fmt.Fprintf(w, "%% Noxim itself has only meshes of equal links: loads there are not those on %s\n", t)
	}
	between, _ := n.Problem.Traffic.Amounts(n.Placement)
	unit := new(big.Rat).Mul(rate, n.Problem.Traffic.Unit())
	for p, q := range n.routed {
		if messages := between(p, q); messages > 0 {
			fmt.Fprintf(w, "%d %d %s\n", p, q, layout.DecimalText(new(big.Rat).Mul(unit, big.NewRat(messages, 1))))
		}
	}
	return nil
}

// simgrid writes a platform whose hosts are the processors, or all nodes for client traffic, with the path of every
// pair as its route. Under its model, which the file sets, messages of size 1 that start together are delivered at the
// time E_max.
func (n Loaded) simgrid(w *bufio.Writer) error {
	t := n.Placement.Torus()
	host := func(v int) string { return "n" + core.JoinInts(t.Coords(v), "-") }
	link := func(l core.Link) string {
		from, to := t.LinkEnds(l)
		if parallel(t) {
			return fmt.Sprintf("%s_%s_%d", host(from), host(to), int(l)/t.N())
		}
		return host(from) + "_" + host(to)
	}
	fmt.Fprintf(w, "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"+
		"<!-- %s -->\n<platform version=\"4.1\">\n", n.heading())
	fmt.Fprint(w, "  <config>\n    <prop id=\"network/model\" value=\"CM02\"/>\n"+
		"    <prop id=\"network/crosstraffic\" value=\"0\"/>\n  </config>\n  <zone id=\"network\" routing=\"Full\">\n")
	hosts := n.Placement.Nodes()
	if n.Problem.Traffic.Clients() {
		hosts = core.Range(t.N())
	}
	for _, v := range hosts {
		fmt.Fprintf(w, "    <host id=\"%s\" speed=\"1Gf\"/>\n", host(v))
	}
	for l := range n.links {
		fmt.Fprintf(w, "    <link id=\"%s\" bandwidth=\"%dBps\" latency=\"0s\"/>\n", link(l.number),
			t.LinkBandwidth(l.number))
	}
	for p, q := range n.routed {
		fmt.Fprintf(w, "    <route src=\"%s\" dst=\"%s\" symmetrical=\"NO\">", host(p), host(q))
		for _, l := range n.firstPaths(p, q, 1)[0] {
			fmt.Fprintf(w, "<link_ctn id=\"%s\"/>", link(l))
		}
		fmt.Fprintln(w, "</route>")
	}
	fmt.Fprint(w, "  </zone>\n</platform>\n")
	return nil
}

// graphKeys are the attributes of graphs: of the whole, of nodes, of links.
var graphKeys = []struct{ of, name, kind string }{
	{"graph", "network", "string"}, {"graph", "routing", "string"},
	{"graph", "size", "int"}, {"graph", "max_load", "string"},
	{"node", "coordinates", "string"}, {"node", "processor", "boolean"},
	{"edge", "dim", "int"}, {"edge", "dir", "string"}, {"edge", "bandwidth", "int"}, {"edge", "load", "string"},
	{"edge", "load_decimal", "double"},
}

// graphML writes a directed graph whose edges are the links, with loads as attributes.
func (n Loaded) graphML(w *bufio.Writer) error {
	fmt.Fprint(w, xml.Header, "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n")
	for i, k := range graphKeys {
		fmt.Fprintf(w, "  <key id=\"k%d\" for=\"%s\" attr.name=\"%s\" attr.type=\"%s\"/>\n", i, k.of, k.name, k.kind)
	}
	// data writes the values of all keys of a kind, in their order.
	data := func(of string, values ...any) {
		for i, k := range graphKeys {
			if k.of == of {
				fmt.Fprintf(w, "<data key=\"k%d\">%v</data>", i, values[0])
				values = values[1:]
			}
		}
	}
	t, processors := n.Placement.Torus(), n.Placement.Set()
	escaped := func(text string) string {
		var b strings.Builder
		xml.EscapeText(&b, []byte(text)) // the builder has no errors
		return b.String()
	}
	most, _ := n.Loads.Max()
	fmt.Fprint(w, "  <graph id=\"network\" edgedefault=\"directed\">\n    ")
	data("graph", escaped(t.String()), n.way(), n.Placement.Size(), results.FormatFraction(most))
	for v := range t.N() {
		fmt.Fprintf(w, "\n    <node id=\"n%d\">", v)
		data("node", escaped(t.NodeText(v)), processors.Has(v))
		fmt.Fprint(w, "</node>")
	}
	for l := range n.links {
		fmt.Fprintf(w, "\n    <edge source=\"n%d\" target=\"n%d\">", l.from, l.to)
		data("edge", l.port.Dim, l.port.Dir, t.LinkBandwidth(l.number), results.FormatFraction(l.load), l.decimal())
		fmt.Fprint(w, "</edge>")
	}
	fmt.Fprint(w, "\n  </graph>\n</graphml>\n")
	return nil
}

// networkX writes the JSON that node_link_graph of NetworkX reads, the list of links under "edges".
func (n Loaded) networkX(w *bufio.Writer) error {
	t, processors := n.Placement.Torus(), n.Placement.Set()
	most, _ := n.Loads.Max()
	about, err := json.Marshal(map[string]any{"network": t.String(), "routing": n.way(),
		"size": n.Placement.Size(), "max_load": results.FormatFraction(most)})
	// name returns a node in JSON.
	name := func(v int) string {
		if t.Names() == nil {
			return "[" + t.NodeText(v) + "]"
		}
		quoted, _ := json.Marshal(t.NodeText(v)) // a text has no errors
		return string(quoted)
	}
	fmt.Fprintf(w, "{\"directed\": true, \"multigraph\": %v, \"graph\": %s,\n\"nodes\": [", parallel(t), about)
	for v := range t.N() {
		fmt.Fprintf(w, "%s{\"id\": %d, \"coordinates\": %s, \"processor\": %v}", comma(v > 0), v, name(v), processors.Has(v))
	}
	fmt.Fprint(w, "\n],\n\"edges\": [")
	for l := range n.links {
		fmt.Fprintf(w, "%s{\"source\": %d, \"target\": %d, \"dim\": %d, \"dir\": \"%s\", "+
			"\"bandwidth\": %d, \"load\": \"%s\", \"load_decimal\": %s}", comma(l.number > 0), l.from, l.to,
			l.port.Dim, l.port.Dir, t.LinkBandwidth(l.number), results.FormatFraction(l.load), l.decimal())
	}
	fmt.Fprint(w, "\n]}\n")
	return err
}

// comma returns what stands before an item of a list: a comma where it follows another.
func comma(follows bool) string {
	if follows {
		return ",\n"
	}
	return "\n"
}

// csv writes a table with a row for each link.
func (n Loaded) csv(w *bufio.Writer) error {
	t, rows := n.Placement.Torus(), csv.NewWriter(w)
	rows.Write([]string{"from", "to", "dim", "dir", "load", "load_decimal"}) // Error returns the first of all errors
	for l := range n.links {
		rows.Write([]string{csvText(t.NodeText(l.from)), csvText(t.NodeText(l.to)), strconv.Itoa(l.port.Dim),
			l.port.Dir.String(), results.FormatFraction(l.load), l.decimal()})
	}
	rows.Flush()
	return rows.Error()
}
