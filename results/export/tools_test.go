package export_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results/export"
)

// loaded returns an instance with its loads, by the naive evaluator.
func loaded(in coretest.Instance) export.Loaded {
	return export.Loaded{Problem: objective.Problem{Routing: in.Routing}, Placement: in.Placement,
		Loads: objective.Naive(in.Routing, in.Placement)}
}

// written returns the file for a tool.
func written(t testing.TB, n export.Loaded, tool string) []byte {
	t.Helper()
	write, err := n.Writer(tool)
	if err != nil {
		t.Fatalf("%s for %s: %v", n.Placement.Torus(), tool, err)
	}
	var b bytes.Buffer
	coretest.Try(write(&b))
	return b.Bytes()
}

// onePath draws a network with a routing that has one path for every pair.
func onePath(rng *rand.Rand, maxNodes int) coretest.Instance {
	torus := coretest.AnyNetwork(rng, maxNodes)
	return coretest.Instance{Torus: torus, Placement: family.Draw(torus, 1+rng.IntN(min(torus.N(), 16)), rng),
		Routing: coretest.Must(routing.NewODR(torus, rng.Perm(torus.D()), routing.TiePlus))}
}

// SimGrid reads the platform and delivers the last message at E_max.
func TestSimGridPlatform(t *testing.T) {
	coretest.Alone(t)
	var input bytes.Buffer
	var want []float64
	dir := t.TempDir()
	for i := range coretest.Cases(120, 30) {
		n := loaded(onePath(coretest.Rng(51, i), 60))
		file := filepath.Join(dir, fmt.Sprintf("%d.xml", i))
		coretest.Try(os.WriteFile(file, written(t, n, "simgrid"), 0o600))
		fmt.Fprintln(&input, file)
		load, _ := n.Loads.Max()
		f, _ := load.Float64()
		want = append(want, f)
	}
	got := coretest.SimGrid(t, "testdata/platform.cpp", input.Bytes())
	if len(got) != len(want) {
		t.Fatalf("%d times for %d platforms", len(got), len(want))
	}
	for i, w := range want {
		if math.Abs(got[i]-w) > 1e-6 {
			t.Errorf("platform %d: E_max is %v, SimGrid takes %v", i, w, got[i])
		}
	}
}

// A fileLink is a link as a file has it.
type fileLink struct {
	from, to, dim int
	dir           string
	load          *big.Rat
}

// wantLinks lists the links of a network by its definition: a step along a dimension, around the ring unless that is
// open, one each way where two steps return to the node.
func wantLinks(n export.Loaded) []fileLink {
	t := n.Placement.Torus()
	var list []fileLink
	for v := range t.N() {
		for j := range t.D() {
			for _, dir := range []core.Dir{core.Plus, core.Minus} {
				c := t.Coord(v, j) + int(dir)
				inside := c >= 0 && c < t.Side(j)
				if dir == core.Minus && t.Shift(v, j, 2) == v || t.Open(j) && !inside {
					continue
				}
				list = append(list, fileLink{v, t.Shift(v, j, int(dir)), j, dir.String(), n.Loads.Load(t.Link(v, j, dir))})
			}
		}
	}
	return list
}

// sameLinks compares two lists of links, in any order.
func sameLinks(t *testing.T, what string, got, want []fileLink) {
	t.Helper()
	lines := func(list []fileLink) (lines []string) {
		for _, l := range list {
			lines = append(lines, fmt.Sprintln(l.from, l.to, l.dim, l.dir, l.load.RatString()))
		}
		slices.Sort(lines)
		return lines
	}
	if g, w := lines(got), lines(want); !slices.Equal(g, w) {
		t.Errorf("%s: links\n%v, want\n%v", what, g, w)
	}
}

// nearlyEqual reports whether a decimal is the value of a fraction up to rounding, in which case it returns the
// fraction.
func nearlyEqual(t *testing.T, decimal float64, fraction string) *big.Rat {
	t.Helper()
	v, ok := new(big.Rat).SetString(fraction)
	if !ok {
		t.Fatalf("%q is not a fraction", fraction)
	}
	if f, _ := v.Float64(); math.Abs(f-decimal) > 1e-12*(1+f) {
		t.Errorf("decimal %v for %s", decimal, fraction)
	}
	return v
}

func number(t *testing.T, text string) int {
	t.Helper()
	return coretest.Must(strconv.Atoi(text))
}

// GraphML, NetworkX and CSV list all links with their loads, and the processors.
func TestGraphs(t *testing.T) {
	for i := range coretest.Cases(60, 20) {
		rng := coretest.Rng(52, i)
		in := coretest.RandomOn(rng, coretest.AnyNetwork(rng, 50))
		n := loaded(in)
		want := wantLinks(n)

		var links []fileLink
		rows := coretest.Must(csv.NewReader(bytes.NewReader(written(t, n, "csv"))).ReadAll())
		if head := strings.Join(rows[0], ","); head != "from,to,dim,dir,load,load_decimal" {
			t.Fatalf("columns %s", head)
		}
		node := func(text string) int {
			var c []int
			for part := range strings.SplitSeq(text, ",") {
				c = append(c, number(t, part))
			}
			return coretest.Must(in.Torus.Node(c...))
		}
		for _, r := range rows[1:] {
			links = append(links, fileLink{node(r[0]), node(r[1]), number(t, r[2]), r[3],
				nearlyEqual(t, coretest.Must(strconv.ParseFloat(r[5], 64)), r[4])})
		}
		sameLinks(t, in.String()+" csv", links, want)

		var doc struct {
			Directed, Multigraph bool
			Graph                struct {
				Network, Routing string
				Size             int
				MaxLoad          string `json:"max_load"`
			}
			Nodes []struct {
				ID          int
				Coordinates []int
				Processor   bool
			}
			Edges []struct {
				Source, Target, Dim, Bandwidth int
				Dir, Load                      string
				Decimal                        float64 `json:"load_decimal"`
			}
		}
		coretest.Try(json.Unmarshal(written(t, n, "networkx"), &doc))
		most, _ := n.Loads.Max()
		if g := doc.Graph; !doc.Directed || doc.Multigraph != parallel(want) || g.Network != in.Torus.String() ||
			g.Routing != in.Routing.String() || g.Size != in.Placement.Size() || g.MaxLoad != most.RatString() {
			t.Errorf("%s: graph %+v", in, doc.Graph)
		}
		var nodes []int
		for v, d := range doc.Nodes {
			if d.ID != v || !slices.Equal(d.Coordinates, in.Torus.Coords(v)) {
				t.Errorf("%s: node %d is %+v", in, v, d)
			}
			if d.Processor {
				nodes = append(nodes, v)
			}
		}
		if len(doc.Nodes) != in.Torus.N() || !slices.Equal(nodes, in.Placement.Nodes()) {
			t.Errorf("%s: %d nodes, processors %v", in, len(doc.Nodes), nodes)
		}
		links = nil
		for _, e := range doc.Edges {
			links = append(links, fileLink{e.Source, e.Target, e.Dim, e.Dir, nearlyEqual(t, e.Decimal, e.Load)})
			if e.Bandwidth != in.Torus.Bandwidth(e.Dim) {
				t.Errorf("%s: bandwidth %d along %d", in, e.Bandwidth, e.Dim)
			}
		}
		sameLinks(t, in.String()+" networkx", links, want)
		sameLinks(t, in.String()+" graphml", graphMLLinks(t, in, written(t, n, "graphml")), want)
	}
}

// parallel reports whether two links have the same ends.
func parallel(links []fileLink) bool {
	seen := map[[2]int]bool{}
	for _, l := range links {
		if seen[[2]int{l.from, l.to}] {
			return true
		}
		seen[[2]int{l.from, l.to}] = true
	}
	return false
}

// graphMLLinks reads a GraphML file by its own keys and returns its edges; the processors are compared.
func graphMLLinks(t *testing.T, in coretest.Instance, data []byte) (links []fileLink) {
	t.Helper()
	type values []struct {
		Key   string `xml:"key,attr"`
		Value string `xml:",chardata"`
	}
	var doc struct {
		XMLName xml.Name `xml:"http://graphml.graphdrawing.org/xmlns graphml"`
		Keys    []struct {
			ID   string `xml:"id,attr"`
			For  string `xml:"for,attr"`
			Name string `xml:"attr.name,attr"`
		} `xml:"key"`
		Graph struct {
			Default string `xml:"edgedefault,attr"`
			Data    values `xml:"data"`
			Nodes   []struct {
				ID   string `xml:"id,attr"`
				Data values `xml:"data"`
			} `xml:"node"`
			Edges []struct {
				Source string `xml:"source,attr"`
				Target string `xml:"target,attr"`
				Data   values `xml:"data"`
			} `xml:"edge"`
		} `xml:"graph"`
	}
	coretest.Try(xml.Unmarshal(data, &doc))
	get := func(of, name string, list values) string {
		for _, k := range doc.Keys {
			for _, v := range list {
				if k.For == of && k.Name == name && v.Key == k.ID {
					return v.Value
				}
			}
		}
		t.Fatalf("a %s has no %s", of, name)
		return ""
	}
	if g := doc.Graph; g.Default != "directed" || get("graph", "network", g.Data) != in.Torus.String() {
		t.Errorf("%s: graph %s", in, g.Default)
	}
	number := func(text string) int { return number(t, strings.TrimPrefix(text, "n")) }
	for _, v := range doc.Graph.Nodes {
		if has := in.Placement.Set().Has(number(v.ID)); get("node", "processor", v.Data) != strconv.FormatBool(has) {
			t.Errorf("%s: node %s: processor is %v", in, v.ID, has)
		}
	}
	for _, e := range doc.Graph.Edges {
		decimal := coretest.Must(strconv.ParseFloat(get("edge", "load_decimal", e.Data), 64))
		links = append(links, fileLink{number(e.Source), number(e.Target), number(get("edge", "dim", e.Data)),
			get("edge", "dir", e.Data), nearlyEqual(t, decimal, get("edge", "load", e.Data))})
	}
	return links
}

// The network file of BookSim2 joins the routers that links join, and the processors, numbered one after the other.
func TestBookSim(t *testing.T) {
	for i := range coretest.Cases(60, 20) {
		in := onePath(coretest.Rng(53, i), 50)
		in.Torus = plainBandwidth(in.Torus)
		in.Placement = core.MustPlacement(in.Torus, in.Placement.Nodes())
		in.Routing = coretest.Must(routing.NewODR(in.Torus, nil, routing.TiePlus))
		n := loaded(in)
		if parallel(wantLinks(n)) {
			continue
		}
		var got, want []string
		var nodes []int
		for line := range strings.Lines(string(written(t, n, "booksim"))) {
			words := strings.Fields(line)
			for k := 2; k < len(words); k += 2 {
				if words[k] == "node" {
					if number(t, words[k+1]) != len(nodes) {
						t.Errorf("%s: nodes out of order: %s", in, line)
					}
					nodes = append(nodes, number(t, words[1]))
					continue
				}
				got = append(got, words[1]+" "+words[k+1])
			}
			if words[0] != "router" || len(words)%2 != 0 {
				t.Errorf("%s: line %q", in, line)
			}
		}
		for _, l := range wantLinks(n) {
			want = append(want, fmt.Sprint(l.from, l.to))
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) || !slices.Equal(nodes, in.Placement.Nodes()) {
			t.Errorf("%s: routers\n%v, want\n%v; processors at %v", in, got, want, nodes)
		}
	}
}

// The mesh of gem5 and its custom links are all links of a network of two dimensions, each once.
func TestGem5(t *testing.T) {
	for i := range coretest.Cases(300, 100) {
		in := onePath(coretest.Rng(54, i), 50)
		in.Torus = plainBandwidth(in.Torus)
		in.Placement = core.MustPlacement(in.Torus, in.Placement.Nodes())
		in.Routing = coretest.Must(routing.NewODR(in.Torus, nil, routing.TiePlus))
		n := loaded(in)
		if in.Torus.D() != 2 || parallel(wantLinks(n)) {
			continue
		}
		rows, columns := in.Torus.Side(0), in.Torus.Side(1)
		var got, want []string
		join := func(u, v int) { got = append(got, fmt.Sprint(u, v), fmt.Sprint(v, u)) }
		for v := range rows * columns {
			if (v+1)%columns != 0 {
				join(v, v+1)
			}
			if v+columns < rows*columns {
				join(v, v+columns)
			}
		}
		for line := range strings.Lines(string(written(t, n, "gem5"))) {
			var from, to, weight int
			if _, err := fmt.Sscanf(line, "    - [%d, %d, %d, 1]", &from, &to, &weight); err == nil {
				join(from, to)
			}
		}
		for _, l := range wantLinks(n) {
			want = append(want, fmt.Sprint(l.from, l.to))
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: links\n%v, want\n%v", in, got, want)
		}
	}
}

// plainBandwidth returns a network with all bandwidths 1.
func plainBandwidth(t *core.Torus) *core.Torus {
	open := slices.DeleteFunc(core.Range(t.D()), func(j int) bool { return !t.Open(j) })
	return coretest.Must(t.WithLinks(open, nil))
}

func network(t testing.TB, text, nodes, r string) export.Loaded {
	t.Helper()
	torus := coretest.Must(core.ParseNetwork(text))
	return loaded(coretest.Instance{Torus: torus, Placement: coretest.Must(family.Parse(torus, nodes)),
		Routing: coretest.Must(routing.Parse(torus, r))})
}

// Whole files, written by hand: E_max of two processors at distance 2 is 1.
func TestToolFiles(t *testing.T) {
	for _, c := range []struct{ tool, network, want string }{
		{"gem5", "2x3:open=1", `# 2x3:open=1, 2 processors, odr:tie=plus: E_max 1
# gem5 routes along rows first, which is odr:order=1,0
mesh:
  num_rows: 2
  num_cols: 3
CHI_RNF:
  router_list: [0, 4]
CHI_HNF:
  router_list: [0, 4]
CHI_SNF_MainMem:
  router_list: [0, 4]
`},
		{"gem5", "2x3", `# 2x3, 2 processors, odr:tie=plus: E_max 1
# gem5 routes along rows first, which is odr:order=1,0
mesh:
  num_rows: 2
  num_cols: 3
  custom_links: # of two routers, both ways: weight, latency
    - [2, 0, 1, 1]
    - [5, 3, 1, 1]
CHI_RNF:
  router_list: [0, 4]
CHI_HNF:
  router_list: [0, 4]
CHI_SNF_MainMem:
  router_list: [0, 4]
`},
		{"booksim", "2x3:open=1", `router 0 node 0 router 1 router 3
router 1 router 0 router 2 router 4
router 2 router 1 router 5
router 3 router 0 router 4
router 4 node 1 router 1 router 3 router 5
router 5 router 2 router 4
`},
		{"noxim", "2x3:open=1", `% 2x3:open=1, 2 processors, odr:tie=plus: E_max 1
% mesh_dim_x: 3, mesh_dim_y: 2
0 4 1
4 0 1
`},
		{"noxim", "2x3", `% 2x3, 2 processors, odr:tie=plus: E_max 1
% mesh_dim_x: 3, mesh_dim_y: 2
% Noxim itself has only meshes of equal links: loads there are not those on 2x3
0 4 1
4 0 1
`},
	} {
		if got := string(written(t, network(t, c.network, "nodes:0,0+1,1", "odr"), c.tool)); got != c.want {
			t.Errorf("%s of %s:\n%s", c.tool, c.network, got)
		}
	}
	// Three processors in a row of a mesh: two messages leave the first and go over the first link, so do the two that
	// end there over the way back; 2 is also what a processor sends.
	n := network(t, "5x5:open=0,1", "nodes:0,0+0,1+0,2", "odr")
	if full := n.FullRate(); full.RatString() != "1/2" {
		t.Errorf("full rate %s", full.RatString())
	}
	n.Rate = big.NewRat(1, 40)
	if got := string(written(t, n, "noxim")); !strings.HasSuffix(got, "2 0 0.025\n2 1 0.025\n") {
		t.Errorf("with a rate:\n%s", got)
	}
}

// What a tool has nothing like is refused, before anything is written.
func TestToolsRefuse(t *testing.T) {
	coretest.Alone(t)
	for _, c := range []struct{ tool, network, routing, part string }{
		{"gem5", "2x2x2", "odr", "two dimensions"},
		{"noxim", "3^3", "odr", "two dimensions"},
		{"gem5", "4x4:open=0,1:bandwidth=2,1", "odr", "bandwidth"},
		{"noxim", "4x4:open=0,1:bandwidth=2,1", "odr", "bandwidth"},
		{"booksim", "4x4:bandwidth=2,2", "odr", "bandwidth"},
		{"gem5", "1x5:twist=1", "odr", "two lead to the same node"},
		{"booksim", "1x5:twist=1", "odr", "two lead to the same node"},
		{"simgrid", "4x4", "udr", "one path"},
		{"simgrid", "4x4", "odr:tie=both", "one path"},
		{"simgrid", "2x257", "odr", "pairs"},
		{"dot", "4x4", "odr", "tools are gem5"},
	} {
		_, err := network(t, c.network, "full", c.routing).Writer(c.tool)
		var input *core.InputError
		if !errors.As(err, &input) || !strings.Contains(input.Problem+input.Hint, c.part) {
			t.Errorf("%s of %s under %s: %v", c.tool, c.network, c.routing, err)
		}
	}
	// Where no pair of the placement has two paths, any routing will do.
	if _, err := network(t, "4x4:open=0,1", "nodes:0,0+0,3", "udr:tie=both").Writer("simgrid"); err != nil {
		t.Error(err)
	}
}

// TestClientTables reads what is written for client traffic: every line of Noxim's table is what one node sends
// another, at a rate at which some link, sender or receiver is busy all the time and none more; every router of BookSim
// has the node of its number; SimGrid has a route for each pair of a client and a processor, each way.
func TestClientTables(t *testing.T) {
	for i := range coretest.Cases(120, 40) {
		rng := coretest.Rng(1340, i)
		in := onePath(rng, 20)
		if in.Torus.D() > 2 || in.Torus.CommonBandwidth() > 1 || parallel(wantLinks(export.Loaded{Placement: in.Placement,
			Loads: objective.Naive(in.Routing, in.Placement)})) {
			continue
		}
		p := coretest.Must(objective.Problem{Routing: in.Routing}.WithTraffic(objective.Traffic{
			Request: 1 + rng.IntN(3), Reply: rng.IntN(4)}))
		n := export.Loaded{Problem: p, Placement: in.Placement, Loads: p.Naive(in.Placement)}
		sent, received, most := map[int]float64{}, map[int]float64{}, 0.0
		loads := make([]float64, in.Torus.M())
		for _, line := range strings.Split(strings.TrimSpace(string(written(t, n, "noxim"))), "\n") {
			if strings.HasPrefix(line, "%") {
				continue
			}
			var from, to int
			var rate float64
			if _, err := fmt.Sscan(line, &from, &to, &rate); err != nil || from == to {
				t.Fatalf("%s: line %q, %v", p, line, err)
			}
			sent[from], received[to] = sent[from]+rate, received[to]+rate
			for path := range p.Routing.Paths(from, to, nil) {
				for _, l := range path {
					loads[l] += rate
				}
			}
		}
		for v := range in.Torus.N() {
			most = max(most, sent[v], received[v])
		}
		if most = max(most, slices.Max(loads)); math.Abs(most-1) > 1e-9 {
			t.Errorf("%s, nodes %v: the busiest is busy %v of the time", p, in.Placement.Nodes(), most)
		}
		for v, line := range strings.Split(strings.TrimSpace(string(written(t, n, "booksim"))), "\n") {
			if !strings.HasPrefix(line, fmt.Sprintf("router %d node %d router ", v, v)) {
				t.Errorf("%s: line %q", p, line)
			}
		}
		size := in.Placement.Size()
		routes := 2*size*(in.Torus.N()-size) + size*(size-1)
		if got := strings.Count(string(written(t, n, "simgrid")), "<route "); got != routes {
			t.Errorf("%s, nodes %v: %d routes for SimGrid, want %d", p, in.Placement.Nodes(), got, routes)
		}
	}
}
