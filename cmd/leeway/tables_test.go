package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"math/big"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/worst"
	"leeway/results"
	"leeway/results/atlas"
	search "leeway/search/worst"
)

// rowsOf returns the rows of the table of a page whose head begins with a text, without code marks.
func rowsOf(t *testing.T, page, head string) (rows [][]string) {
	t.Helper()
	text := coretest.Must(os.ReadFile("../../docs/" + page))
	_, table, _ := strings.Cut(string(text), "\n| "+head)
	table, _, _ = strings.Cut(table, "\n\n")
	for _, line := range strings.Split(table, "\n")[1:] {
		parts := strings.Split(strings.ReplaceAll(line, "`", ""), "|")
		for i := range parts {
			parts[i] = strings.TrimSpace(parts[i])
		}
		rows = append(rows, parts[1:len(parts)-1])
	}
	if len(rows) < 3 {
		t.Fatalf("%s: no table with %q", page, head)
	}
	return rows[1:]
}

// answered runs a command that prints JSON, and returns its status and, where that is 0, what it prints.
func answered(t *testing.T, answer any, args ...string) (status int, messages string) {
	t.Helper()
	var out, said bytes.Buffer
	status = execute(t.Context(), append(args, "--json"), nil, &out, &said)
	if status == 0 {
		if err := json.Unmarshal(out.Bytes(), answer); err != nil {
			t.Fatalf("%v: %v", args, err)
		}
	}
	return status, said.String()
}

// TestTableOfFaults recomputes the rows of docs/faults.md of up to 36 nodes.
func TestTableOfFaults(t *testing.T) {
	coretest.Alone(t)
	record := filepath.Join(t.TempDir(), "record.json")
	for _, row := range rowsOf(t, "faults.md", "network") {
		network := coretest.Must(core.ParseNetwork(row[0]))
		if network.N() > 36 {
			continue
		}
		if status := execute(t.Context(), []string{"atlas", "show", "--torus", row[0], "--size", row[1], "--routing",
			"udr:tie=both", "--out", record}, nil, &bytes.Buffer{}, &bytes.Buffer{}); status != 0 {
			t.Fatalf("%v: status %d", row, status)
		}
		var d struct {
			MaxLoad string `json:"max_load"`
			After   string `json:"max_load_after_fault"`
			Lost    int    `json:"disconnected_pairs"`
			Repairs []struct {
				MaxLoad    string `json:"max_load"`
				LowerBound string `json:"lower_bound"`
				Alike      int    `json:"alike"`
			} `json:"repairs"`
		}
		if status, said := answered(t, &d, "faults", record, "--repair"); status != 0 {
			t.Fatalf("%v: %s", row, said)
		}
		least, edges, apart := new(big.Rat), 0, 0
		for _, r := range d.Repairs {
			if edges += r.Alike; r.MaxLoad == "" {
				apart += r.Alike
				continue
			}
			if load := coretest.Must(results.ParseFraction(r.MaxLoad)); load.Cmp(least) > 0 {
				least = load
			}
			if r.MaxLoad != r.LowerBound {
				t.Errorf("%v: %s after a failure, at least %s", row, r.MaxLoad, r.LowerBound)
			}
		}
		got := []string{row[0], row[1], d.MaxLoad, d.After, strconv.Itoa(d.Lost), results.FormatFraction(least),
			strconv.Itoa(apart) + " of " + strconv.Itoa(edges)}
		if strings.Join(got, " | ") != strings.Join(row, " | ") {
			t.Errorf("%v, the page has %v", got, row)
		}
	}
}

// TestTableOfCycles recomputes the table of docs/deadlock.md of rules.
func TestTableOfCycles(t *testing.T) {
	coretest.Alone(t)
	for _, row := range rowsOf(t, "deadlock.md", "network, a processor") {
		where := strings.Fields(row[0])
		flag := map[string]string{"mesh": "--mesh"}[where[0]]
		for _, name := range strings.Split(row[1], ", ") {
			name, _, _ = strings.Cut(name, " ")
			var d struct {
				Free      bool  `json:"deadlock_free"`
				Cycle     []any `json:"cycle"`
				Channels  int   `json:"virtual_channels"`
				Datelines int   `json:"datelines"`
			}
			answered(t, &d, "eval", cmp.Or(flag, "--torus"), where[len(where)-1], "--placement", "full", "--routing", name,
				"--deadlock")
			cycle, datelines := "none", "not enough"
			if len(d.Cycle) > 0 {
				cycle = strconv.Itoa(len(d.Cycle)) + " links"
			}
			if d.Datelines > 0 {
				datelines = strconv.Itoa(d.Datelines)
			}
			if got := []string{cycle, strconv.Itoa(d.Channels), datelines}; strings.Join(got, " ") != strings.Join(row[2:],
				" ") || d.Free != (cycle == "none") {
				t.Errorf("%s %s: %v, the page has %v", row[0], name, got, row[2:])
			}
		}
	}
}

// TestTableOfChannels recomputes what one channel less costs on the small networks of docs/deadlock.md, where little
// effort meets the lower bound, or shows that one channel is not enough.
func TestTableOfChannels(t *testing.T) {
	coretest.Alone(t)
	for _, row := range rowsOf(t, "deadlock.md", "network |") {
		flag, values := "--torus", row[2:]
		kind, names, spaced := strings.Cut(row[0], " ")
		if !spaced {
			names = row[0]
		} else if kind == "meshes" {
			flag, values = "--mesh", strings.Split(row[1], ", ") // one channel is enough
		}
		for i, name := range strings.Split(names, ", ") {
			if coretest.Must(core.ParseNetwork(name)).N() > 25 {
				continue
			}
			bound, tables := row[1], values
			if flag == "--mesh" {
				bound, tables = values[i], values[i:i+1]
			}
			for c, want := range tables {
				if want != bound && want != "impossible" {
					continue
				}
				var d struct {
					MaxLoad    string `json:"max_load"`
					LowerBound string `json:"lower_bound"`
				}
				status, said := answered(t, &d, "restrict", flag, name, "--placement", "full", "--channels", strconv.Itoa(c+1),
					"--evaluations", "500000")
				switch {
				case want == "impossible" && strings.Contains(said, "one channel is not enough for any table"):
				case status != 0 || d.MaxLoad != want || d.LowerBound != bound:
					t.Errorf("%s, %d channels: %s, at least %s; the page has %s: %s", name, c+1, d.MaxLoad, d.LowerBound, want, said)
				}
			}
		}
	}
}

// TestTableOfWorstCases recomputes the tables of docs/worst-case.md: with a processor on every node, and the least of
// all placements on 4x4, of up to 5 processors.
func TestTableOfWorstCases(t *testing.T) {
	coretest.Alone(t)
	for _, row := range rowsOf(t, "worst-case.md", "routing | worst load") {
		for _, name := range strings.Split(row[0], ", ") {
			torus := coretest.Must(core.NewTorus(8, 8))
			e := coretest.Must(worst.New(coretest.Must(routing.Parse(torus, name))))
			load := big.NewRat(e.Load(core.MustPlacement(torus, core.Range(64)).Nodes(), 0), e.Den())
			part, _ := new(big.Rat).Inv(load).Float64()
			if text := strconv.FormatFloat(part, 'f', 3, 64); load.RatString() != row[1] ||
				strings.TrimRight(text, "0") != strings.TrimRight(row[2], "0") {
				t.Errorf("%s: %s, %s; the page has %v", name, load.RatString(), text, row)
			}
		}
	}
	known, cells := coretest.Must(atlas.ShippedWorst()), coretest.Must(atlas.ShippedOf(16))
	torus := coretest.Must(core.NewTorus(4, 4))
	for _, row := range rowsOf(t, "worst-case.md", "routing | n = 2") {
		r := coretest.Must(routing.Parse(torus, row[0]))
		e := coretest.Must(worst.New(r))
		for n := 2; n <= coretest.Cases(5, 8); n++ {
			p := objective.Problem{Routing: r, Size: n}
			load, _, all, err := search.Least(t.Context(), p, e, 1<<60, nil, 1<<30)
			if err != nil || !all {
				t.Fatal(err)
			}
			text := results.FormatFraction(big.NewRat(load, e.Den()))
			if c, _, ok := cells.Find(p); ok {
				w, _ := known.Get(c)
				if w.Least != text {
					t.Errorf("%d processors, %s: the least worst load is %s, the atlas has %s", n, row[0], text, w.Least)
				}
				if w.Lightest != w.Least {
					text += " (" + w.Lightest + ")"
				}
			}
			if row[n-1] != text {
				t.Errorf("%d processors, %s: %s, the page has %s", n, row[0], text, row[n-1])
			}
		}
	}
}
