package audit

import (
	_ "embed"
	"fmt"
	"math/big"
	"strings"

	"leeway/core"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/texts"
	"leeway/objective/worst"
	"leeway/results"
)

// A Difference is where a program or a published table has another value than the definition gives, by the smallest
// example known.
type Difference struct {
	Name     string `json:"name"`     // short, stable
	Source   string `json:"source"`   // the program with its version, or the publication
	Example  string `json:"example"`  // what is computed
	Exact    string `json:"exact"`    // fraction, computed when it is asked for
	Theirs   string `json:"theirs"`   // what the program or table says
	Command  string `json:"command"`  // shows the exact value
	Against  string `json:"against"`  // shows theirs; "" for publications
	Upstream string `json:"upstream"` // a text to send to those who can change it

	value func() (*big.Rat, error)
}

// Differences returns where programs and tables of others differ from the definition, each with its exact value, which
// is computed now. Errors are bugs of the table. Cost: under a second.
func Differences() ([]Difference, error) {
	list := make([]Difference, len(differences))
	for i, d := range differences {
		v, err := d.value()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d.Name, err)
		}
		d.Exact = results.FormatFraction(v)
		list[i] = d
	}
	return list, nil
}

var differences = []Difference{
	{
		Name:   "networkx-subset",
		Source: "NetworkX 3.6.1, edge_betweenness_centrality_subset",
		Example: "the share of the shortest paths from s to t that use the link u-w, in the graph s-x1, s-x2, x1-u, x2-u, " +
			"s-y, y-v, u-w, v-w, w-t, where two of three do",
		Theirs: "1/2",
		Command: "leeway eval --network 8:links=" + subsetLinks + ":names=" + subsetNames +
			" --placement nodes:s+t --routing minimal --loads",
		Against: `python3 -c "import networkx as nx; G = nx.DiGraph(e.split('-') for e in ` +
			`'s-x1 s-x2 x1-u x2-u s-y y-v u-w v-w w-t'.split()); ` +
			`print(nx.edge_betweenness_centrality_subset(G, ['s'], ['t'])['u', 'w'])"`,
		Upstream: "edge_betweenness_centrality_subset is wrong where the targets are a proper subset of the nodes. On the " +
			"digraph s-x1, s-x2, x1-u, x2-u, s-y, y-v, u-w, v-w, w-t there are three shortest paths from s to t, and two of " +
			"them use (u, w), so that its value for sources [s] and targets [t] is 2/3; 0.5 is returned, as if w's two " +
			"predecessors had one path each. The sum over edges out of s is 1, as it should be, but (s, x1) gets 1/4 in " +
			"place of 1/3. The accumulation for a subset has to weigh predecessors by sigma[v]/sigma[w], as the one for all " +
			"pairs does.",
		value: func() (*big.Rat, error) {
			return loadOf("8:links="+subsetLinks+":names="+subsetNames, "nodes:s+t", "minimal", 3, 4)
		},
	},
	{
		Name:   "simgrid-ties",
		Source: "SimGrid 3.32, TorusZone",
		Example: "E_max of the processors 0, 1, 2 on a ring of 4, moved by two nodes to 2, 3, 0: on a ring nothing changes " +
			"with where a placement lies",
		Theirs:  "1",
		Command: "leeway eval --torus 4 --placement nodes:2+3+0 --routing odr:tie=plus",
		Against: "g++ -std=c++17 ties.cpp -lsimgrid && ./a.out     # prints 2, 1; ties.cpp is\n\n" + ties,
		Upstream: "On an even side TorusZone breaks ties by the number of the destination: half way around a ring a " +
			"message goes in the + direction, but from node k/2 to node 0 in the - direction. So the loads of links, and " +
			"simulated times, change when all hosts of an application move by one node: three hosts 0, 1, 2 of a ring of 4 " +
			"that send to each other put 2 messages on the busiest link, hosts 2, 3, 0 only 1. One direction for all ties (or " +
			"half of the messages each way) would make the torus the same at every node; at least the documentation should " +
			"say which rule it is.",
		value: func() (*big.Rat, error) { return mostOf("4", "nodes:2+3+0", "odr:tie=plus") },
	},
	{
		Name:   "dor-ties",
		Source: "Towles and Dally 2002, and those who quote it: worst case of dimension order on the 8-ary 2-cube",
		Example: "throughput of the worst permutation on the torus 8x8 under dimension order, as a part of the capacity, " +
			"where messages use both ways around a ring if these are equally short",
		Theirs:  "1/4",
		Command: "leeway eval --torus 8x8 --placement full --routing odr:tie=both --worst-permutation",
		Upstream: "The worst case of dimension-order routing on the 8x8 torus is given as 0.25 of capacity. That holds if " +
			"ties half way around a ring are always broken in the same direction. If either direction is taken half of the " +
			"time, the busiest link carries 7/2 and not 4 messages of a permutation, and the throughput is 2/7. The rule for " +
			"ties should stand beside the value.",
		value: func() (*big.Rat, error) {
			p, s, err := placed("8x8", "full", "odr:tie=both")
			if err != nil {
				return nil, err
			}
			e, err := worst.New(p.Routing)
			if err != nil {
				return nil, err
			}
			return big.NewRat(e.Den(), e.Load(s.Nodes(), 1<<62)), nil // the capacity of 8x8 is one message per node
		},
	},
	{
		Name:   "isca-2009-maxima",
		Source: "Abts et al., ISCA 2009, table of maximum channel loads",
		Example: "the busiest link under XY on the mesh 8x8 with client traffic: how many times as much it carries with 16 " +
			"controllers in the first and last rows as with the diamond",
		Theirs:  "1350/890",
		Command: "leeway eval --mesh 8x8 --placement rows:at=0,7 --routing xy --traffic clients",
		Upstream: "The table prints means, over random rounds, of the largest load of a link: 13.50 for the first and last " +
			"rows, 8.90 for the diamond, a ratio of 1.51. What limits throughput is the largest of the mean loads, 160/16 and " +
			"78/16 for one request of every node and its reply, a ratio of 2.05. A mean of maxima is above the maximum of " +
			"means, the more so the more links are equally busy, and hides a third of the difference.",
		value: func() (*big.Rat, error) {
			const mesh = "8x8:open=0,1:traffic=clients:request=1:reply=1"
			rows, err := mostOf(mesh, "rows:at=0,7", "xy")
			if err != nil {
				return nil, err
			}
			diamond, err := mostOf(mesh, "diamond", "xy")
			if err != nil {
				return nil, err
			}
			return rows.Quo(rows, diamond), nil
		},
	},
	routeTable("4x4x8:twist=0,0,4+0,0,4+0,0,0", "75"),
	routeTable("8x8x16:twist=0,0,8+0,0,8+0,0,0", "1192"),
}

// ties is the program of simgrid-ties.
//
//go:embed testdata/ties.cpp
var ties string

// The graph of networkx-subset.
const (
	subsetLinks = "0-1,0-2,0-5,1-3,2-3,3-4,4-7,5-6,6-4"
	subsetNames = "s+x1+x2+u+w+y+v+t"
)

// routeTable is a difference about the single paths that twisted slices are shipped with.
func routeTable(network, theirs string) Difference {
	return Difference{
		Name:   "routes-" + strings.SplitN(network, ":", 2)[0],
		Source: "route tables shipped with twisted slices, as published with schedules in 2026",
		Example: "the busiest link of the twisted torus " + network + " under the best table of single paths, all " +
			"nodes sending to all",
		Theirs:  theirs,
		Command: "leeway exchange --model all-port --torus " + network,
		Upstream: "The table of routes for " + network + " puts " + theirs + " paths on its busiest link. The sum of all " +
			"distances over the number of links, rounded up, is smaller, and there are tables of single paths that reach it: " +
			"in the schedule that the command writes, of that many steps, every block has one path, and no link carries two " +
			"blocks in a step.",
		value: func() (*big.Rat, error) {
			t, err := core.ParseNetwork(network)
			if err != nil {
				return nil, err
			}
			sum := 0
			distances, _ := t.Nearest([]int{0}) // every node has as many at each distance
			for _, d := range distances {
				sum += t.N() * int(d)
			}
			return big.NewRat(int64((sum+t.Links()-1)/t.Links()), 1), nil
		},
	}
}

// placed returns a problem and a placement from texts.
func placed(where, placement, way string) (p objective.Problem, s core.Placement, err error) {
	on, err := texts.ParseWhere(where)
	if err == nil {
		s, err = family.Parse(on.Torus(), placement)
	}
	if err == nil {
		p.Routing, err = routing.Parse(on.Torus(), way)
	}
	if err == nil {
		p.Size = s.Size()
		p, err = p.WithTraffic(on.Traffic)
	}
	return p, s, err
}

// mostOf returns E_max by listing every path.
func mostOf(where, placement, way string) (*big.Rat, error) {
	p, s, err := placed(where, placement, way)
	if err != nil {
		return nil, err
	}
	most, _ := p.Naive(s).Max()
	return most, nil
}

// loadOf returns the load of the link from one node to another.
func loadOf(where, placement, way string, from, to int) (*big.Rat, error) {
	p, s, err := placed(where, placement, way)
	if err != nil {
		return nil, err
	}
	loads, t := p.Naive(s), p.Torus()
	for l := range t.LinksFrom(from) {
		if _, end := t.LinkEnds(l); end == to {
			return loads.Load(l), nil
		}
	}
	return nil, core.Invalid(where, "there is no link from %d to %d", from, to)
}

// ToolsMarkdown returns the page docs/tools.md.
func ToolsMarkdown(list []Difference) string {
	var b strings.Builder
	b.WriteString(toolsHead)
	for _, d := range list {
		fmt.Fprintf(&b, "| [%s](#%s) | %s | %s | %s |\n", d.Name, d.Name, d.Source, d.Exact, d.Theirs)
	}
	for _, d := range list {
		fmt.Fprintf(&b, "\n## %s\n\n%s: %s. Exactly **%s**; they have %s.\n\n    %s\n", d.Name, d.Source, d.Example, d.Exact,
			d.Theirs, d.Command)
		if d.Against != "" {
			indented := strings.ReplaceAll(strings.TrimSpace(d.Against), "\n", "\n    ")
			fmt.Fprintf(&b, "\nTheirs:\n\n    %s\n", strings.ReplaceAll(indented, "\n    \n", "\n\n"))
		}
		fmt.Fprintf(&b, "\n> %s\n", d.Upstream)
	}
	return b.String()
}

const toolsHead = `# Where tools and tables differ

Programs and published tables whose values are not those of the definition, or depend on a rule that is not stated: the
smallest example of each, its exact value and the command that shows it, what they have, and a text for those who can
change it. Written by ` + "`leeway audit tools --markdown`" + `, which computes every exact value again; tests run the
programs where they are installed.

| difference | source | exact | theirs |
|---|---|---|---|
`
