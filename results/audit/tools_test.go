package audit_test

import (
	"os/exec"
	"slices"
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
G = nx.DiGraph(e.split('-') for e in 's-x1 s-x2 x1-u x2-u s-y y-v u-w v-w w-t'.split())
paths = list(nx.all_shortest_paths(G, 's', 't'))
print(sum(('u', 'w') in zip(p, p[1:]) for p in paths), len(paths))`
		if out, err := exec.Command("python3", "-c", script).Output(); string(out) != "2 3\n" {
			t.Errorf("listed paths: %q, %v", out, err)
		}
		switch out, err := exec.Command("sh", "-c", otherCommand(t, "networkx-subset")).Output(); string(out) {
		case "0.5\n":
		case "0.6666666666666666\n":
			t.Skip("this version of NetworkX is right: say so in the table")
		default:
			t.Errorf("theirs is %q, %v", out, err)
		}
	})
	t.Run("simgrid", func(t *testing.T) {
		// Loads that are counted on its routes; the times that it simulates are in package fast.
		got := coretest.SimGrid(t, "testdata/ties.cpp", nil)
		if !slices.Equal(got, []float64{2, 1}) {
			t.Errorf("%v for processors 0, 1, 2 and for 2, 3, 0 of a ring of 4, want 2 and 1", got)
		}
	})
}

// otherCommand returns the command that shows what other programs have for a difference.
func otherCommand(t *testing.T, name string) string {
	t.Helper()
	list := coretest.Must(audit.Differences())
	return list[slices.IndexFunc(list, func(d audit.Difference) bool { return d.Name == name })].Against
}
