package audit_test

import (
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"leeway/core/coretest"
	"leeway/docs"
	"leeway/results/audit"
)

// TestDifferences: the exact values are those that were worked out by hand or are in the literature, and the page says
// what the program says.
func TestDifferences(t *testing.T) {
	list := coretest.Must(audit.Differences())
	want := map[string]string{"networkx-subset": "2/3", "simgrid-ties": "2", "dor-ties": "2/7",
		"isca-2009-maxima": "80/39", "routes-4x4x8": "74", "routes-8x8x16": "1190"} // 160/78; ceil(220/3); ceil(3568/3)
	for _, d := range list {
		if d.Exact != want[d.Name] || d.Exact == d.Theirs {
			t.Errorf("%s: exactly %s, want %s; theirs %s", d.Name, d.Exact, want[d.Name], d.Theirs)
		}
	}
	if len(list) != len(want) {
		t.Errorf("%d differences, want %d", len(list), len(want))
	}
	page := coretest.Must(docs.Files.ReadFile("tools.md"))
	if string(page) != audit.ToolsMarkdown(list) {
		t.Error("docs/tools.md is not what leeway audit tools --markdown prints")
	}
}

// TestToolsOfOthers runs the programs that are installed: they have the values that the table says they have.
func TestToolsOfOthers(t *testing.T) {
	coretest.Alone(t)
	t.Run("networkx", func(t *testing.T) {
		if exec.Command("python3", "-c", "import networkx").Run() != nil {
			t.Skip("no NetworkX: install python3-networkx")
		}
		const script = `import networkx as nx
edges = [e.split('-') for e in 's-x1 s-x2 x1-u x2-u s-y y-v u-w v-w w-t'.split()]
G = nx.DiGraph(edges)
paths = list(nx.all_shortest_paths(G, 's', 't'))
print(sum(('u', 'w') in zip(p, p[1:]) for p in paths), len(paths),
      nx.edge_betweenness_centrality_subset(G, ['s'], ['t'])['u', 'w'])`
		out, err := exec.Command("python3", "-c", script).Output()
		if got := strings.TrimSpace(string(out)); err != nil || got != "2 3 0.5" && got != "2 3 0.6666666666666666" {
			t.Fatalf("%q, %v", got, err)
		} else if got != "2 3 0.5" {
			t.Skip("this version of NetworkX is right: say so in the table")
		}
	})
	t.Run("simgrid", func(t *testing.T) {
		input := "torus 1 4 3 0 1 2\ntorus 1 4 3 2 3 0\n"
		times := coretest.SimGrid(t, "../../objective/fast/testdata/simgrid.cpp", []byte(input))
		var got []string
		for _, v := range times {
			got = append(got, strconv.FormatFloat(v, 'g', 6, 64))
		}
		if strings.Join(got, " ") != "2 1" {
			t.Errorf("on a ring of 4 SimGrid takes %v for processors 0, 1, 2 and for 2, 3, 0, want 2 and 1", got)
		}
	})
}
