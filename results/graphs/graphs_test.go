package graphs_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results"
	"leeway/results/export"
	"leeway/results/graphs"
)

// petersen is the graph of Petersen by its definition: an outer ring, an inner star, and spokes.
func petersen() *core.Network {
	var edges []core.Edge
	for v := range 5 {
		edges = append(edges, core.Edge{A: v, B: (v + 1) % 5, Bandwidth: 1}, core.Edge{A: v, B: v + 5, Bandwidth: 1},
			core.Edge{A: v + 5, B: (v+2)%5 + 5, Bandwidth: 1})
	}
	return coretest.Must(core.NewGiven(10, nil, edges))
}

// grid is the 3x4 grid of the files, with the names of a kind.
func grid(names func(row, column int) string) *core.Network {
	mesh := coretest.Must(core.ParseNetwork("3x4:open=0,1"))
	var list []string
	if names != nil {
		for v := range mesh.N() {
			list = append(list, names(mesh.Coord(v, 0), mesh.Coord(v, 1)))
		}
	}
	// The files number edges row by row, of each node first the one down, then the one to the right.
	var edges []core.Edge
	for v := range mesh.N() {
		for _, to := range []int{v + 4, v + 1} {
			if to < mesh.N() && (to == v+4 || to%4 != 0) {
				edges = append(edges, core.Edge{A: v, B: to, Bandwidth: 1 + len(edges)%3})
			}
		}
	}
	return coretest.Must(core.NewGiven(12, list, edges))
}

// TestFiles reads files that NetworkX 3.6.1 wrote, and one of anynet.
func TestFiles(t *testing.T) {
	directed := coretest.Must(core.ParseNetwork("3:links=0-1,0-1*2,1-2:names=a+b+c"))
	digit := func(v int) string { return string(rune('0' + v)) }
	for name, want := range map[string]*core.Network{
		"petersen.graphml": petersen(), "petersen.json": petersen(), "petersen.edges": petersen(),
		"petersen.anynet":  petersen(),
		"grid.graphml":     grid(func(a, b int) string { return "(" + digit(a) + ", " + digit(b) + ")" }),
		"grid.json":        grid(func(a, b int) string { return digit(a) + "," + digit(b) }),
		"grid.edges":       grid(nil),
		"directed.graphml": directed, "directed.json": directed,
	} {
		data := coretest.Must(os.ReadFile(filepath.Join("testdata", name)))
		got, err := graphs.Read(data)
		if err != nil || !got.Equal(want) {
			t.Errorf("%s is read as %v, %v; want %s", name, got, err, want)
		}
	}
}

// TestExported reads back what is exported, of tori, meshes, twisted tori and networks of a list of links.
func TestExported(t *testing.T) {
	for i := range coretest.Cases(400, 40) {
		rng := coretest.Rng(34, i)
		network := coretest.AnyNetwork(rng, 30)
		if i%3 == 0 {
			network = coretest.Given(rng, 12)
		}
		p := coretest.Placement(rng, network)
		q := objective.Problem{Routing: routing.NewMinimal(network, routing.TieBoth)}
		loaded := export.Loaded{Problem: q, Placement: p, Loads: q.Naive(p)}
		for _, tool := range []string{"graphml", "networkx", "booksim"} {
			write, err := loaded.Writer(tool)
			if err != nil {
				continue // booksim has neither bandwidths nor parallel links
			}
			var text bytes.Buffer
			coretest.Try(write(&text))
			got, err := graphs.Read(text.Bytes())
			want := coretest.Listed(network)
			if tool == "booksim" {
				want = coretest.Must(core.NewGiven(network.N(), nil, network.Edges()))
			}
			if err != nil || !got.Equal(want) {
				t.Fatalf("%s for %s is read as %v, %v", network, tool, got, err)
			}
		}
	}
}

// TestErrors reads files that are wrong: the line and what is wrong must be named.
func TestErrors(t *testing.T) {
	const head = "<graphml>\n<key id=\"c\" for=\"edge\" attr.name=\"capacity\"/>\n<graph edgedefault=\"undirected\">\n" +
		"<node id=\"a\"/>\n<node id=\"b\"/>\n"
	for _, c := range []struct {
		text string
		line int
		want string
	}{
		{"", 1, "no edges"},
		{"# nothing\n", 1, "no edges"},
		{"a b\nb b\n", 2, `joins the node "b" with itself`},
		{"a b\nb\n", 2, `"b" is not an edge`},
		{"a b 1 2\n", 1, "is not an edge"},
		{"a b -2\n", 1, `the capacity "-2" lies outside 1..4096`},
		{"a b\nb c 0", 2, `the capacity "0" lies outside`},
		{"a b\nb c 4097", 2, "lies outside"},
		{"a b\nb c 1.5", 2, `the capacity "1.5" is not a whole number`},
		{"a b\n\nb c x", 3, `the capacity "x" is not a number`},
		{"a b\nb c {'capacity': 'wide'}", 2, `the capacity "wide" is not a number`},
		{"a b 2\nb a 3\n", 1, "capacity 2, and there is no link back"},
		{"a b\nb c\nc b\n", 1, `from "a" to "b" has capacity 1, and there is no link back`},
		{"a b\nc d", 0, "not connected: no path leads from node a to node c"},
		{"a b\nb c\x01", 0, "characters that cannot be printed"},
		{"router 0 router 1\nrouter 1 router 1", 2, "joins the node"},
		{"router 0 router 1\nrouter 1 switch 2", 2, `"switch" is not a router or a node`},
		{"router 0 router\n", 1, "is not a router or a node"},
		{"router 0 router 1\nnode 0 router 1\n", 2, "begins with a node"},
		{"router 0 node 0\n", 1, "no edges"},
		{head + "<edge source=\"a\" target=\"c\"/></graph></graphml>", 6, `the unknown node "c"`},
		{head + "<node id=\"a\"/></graph></graphml>", 6, `the node "a" is repeated`},
		{head + "<edge source=\"a\" target=\"b\"><data key=\"c\">-1</data></edge></graph></graphml>", 6, `the capacity "-1"`},
		{head + "\n<hyperedge/>", 7, "a hyperedge"},
		{head + "<edge source=\"a\" target=\"b\"", 6, "not XML"},
		{head + "</graph><graph edgedefault=\"directed\"/></graphml>", 6, "several graphs"},
		{"<svg></svg>", 1, "unknown element <svg>"},
		{strings.Replace(head, "undirected", "directed", 1) + "<edge source=\"a\" target=\"b\"/>\n" +
			"<edge source=\"b\" target=\"a\"><data key=\"c\">2</data></edge></graph></graphml>", 6,
			"capacity 1, and there is no link back"},
		{"{\"nodes\": [{\"id\": 0},\n{\"id\": 0}]}", 2, `the node "0" is repeated`},
		{"{\"nodes\": [{\"id\": 0},\n{\"name\": 0}]}", 2, `no "id"`},
		{"{\"nodes\": [{\"id\": 0}, {\"id\": 1}],\n\"links\": [{\"source\": 0,\n\"target\": 2}]}", 2, `unknown node "2"`},
		{"{\"nodes\": [{\"id\": 0}, {\"id\": 1}],\n\"edges\": [\n{\"source\": 0, \"target\": 1, \"capacity\": true}]}", 3,
			`the capacity "true" is not a number`},
		{"{\"nodes\": [{\"id\": 0}, {\"id\": 1}],\n\"edges\": [7]}", 2, `an item of "edges" is not an object`},
		{"{\"nodes\":\n[", 2, "not JSON"},
		{"{\"nodes\": 7}", 1, `"nodes" is not a list`},
		{"{\"directed\": 7}", 1, `"directed" is neither`},
	} {
		_, err := graphs.Read([]byte(c.text))
		var e *results.ReadError
		if !errors.As(err, &e) || e.Line != c.line || !strings.Contains(e.Problem, c.want) {
			t.Errorf("%q: %v, want line %d, %q", c.text, err, c.line, c.want)
		}
	}
}

// TestOrder numbers nodes by their numbers where all names are such, else as they stand in the file.
func TestOrder(t *testing.T) {
	for text, want := range map[string]string{
		"2 0\n0 1\n":    "3:links=0-1,0-2",
		"10 9\n9 1 3\n": "3:links=0-1*3,1-2:names=1+9+10",
		"b a\na c\n":    "3:links=0-1,1-2:names=b+a+c",
		"b a\na b\n":    "2:links=0-1:names=b+a",
		"b,a\nb,a":      "2:links=0-1,0-1:names=b+a",
	} {
		if got, err := graphs.Read([]byte(text)); err != nil || got.String() != want {
			t.Errorf("%q is read as %v, %v; want %s", text, got, err, want)
		}
	}
}

// fuzz reads changed files of a format: whatever is read must be a network whose text reads back, and errors are
// *results.ReadError.
func fuzz(f *testing.F, format string) {
	files := coretest.Must(filepath.Glob("testdata/*." + format))
	if len(files) == 0 {
		f.Fatal("no files of " + format)
	}
	for _, name := range files {
		f.Add(coretest.Must(os.ReadFile(name)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		network, err := graphs.Read(data)
		var e *results.ReadError
		if err != nil && !errors.As(err, &e) {
			t.Fatalf("%q: %v is no ReadError", data, err)
		}
		if err != nil {
			return
		}
		if again, err := core.ParseNetwork(network.String()); err != nil || !again.Equal(network) {
			t.Fatalf("%q is read as %s, which reads back as %v, %v", data, network, again, err)
		}
	})
}

func FuzzGraphML(f *testing.F)  { fuzz(f, "graphml") }
func FuzzNodeLink(f *testing.F) { fuzz(f, "json") }
func FuzzEdges(f *testing.F)    { fuzz(f, "edges") }
func FuzzAnynet(f *testing.F)   { fuzz(f, "anynet") }
