package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"leeway/core/coretest"
)

// TestListedTori: a torus from a file has the answers of the torus by name, in every command that takes both. What is
// asked of each are the fields whose values do not depend on the names of nodes.
func TestListedTori(t *testing.T) {
	coretest.Alone(t)
	answer := func(args ...string) map[string]any {
		t.Helper()
		var out, messages bytes.Buffer
		if status := execute(t.Context(), args, strings.NewReader(""), &out, &messages); status != 0 {
			t.Fatalf("leeway %s: status %d: %s", strings.Join(args, " "), status, messages.String())
		}
		var fields map[string]any
		if out.Len() > 0 {
			if err := json.Unmarshal(out.Bytes(), &fields); err != nil {
				t.Fatalf("leeway %s: %v", strings.Join(args, " "), err)
			}
		}
		return fields
	}
	const placement, matrix = "nodes:0,0+1,3+2,2+0,1", "matrix:tasks=4:demands=0-1*1/2,1-2*3,2-0,3-1*2"
	effort := []string{"--known", "none", "--seed", "1", "--evaluations", "20000", "--store", "kept.db"}
	asked := []struct {
		line   string // what follows the network
		more   []string
		fields []string
	}{
		{"eval --routing minimal --placement " + placement, nil, []string{"max_load", "mean_load", "links", "links_at_max",
			"throughput", "covering_radius", "total_distance", "packing_distance"}},
		{"eval --routing minimal --traffic clients:request=1:reply=4 --placement " + placement, nil,
			[]string{"max_load", "mean_load", "links_at_max"}},
		{"eval --routing minimal --traffic " + matrix + " --placement " + placement, nil,
			[]string{"max_load", "mean_load", "links_at_max", "matrix_sha256", "assignment"}},
		{"eval --routing minimal --worst-permutation --placement " + placement, nil, []string{"worst_load"}},
		{"eval --routing minimal --rounds 20 --seed 3 --placement " + placement, nil, []string{"mean_max", "percentiles"}},
		{"eval --routing minimal --deadlock --placement full", nil, []string{"deadlock_free"}},
		{"bound --routing minimal --placement " + placement, nil, []string{"best"}},
		{"bound --routing minimal --size 4", nil, []string{"best"}},
		{"bound --routing minimal --traffic " + matrix, nil, []string{"best"}},
		{"bisect --placement full", nil, []string{"width", "exact", "lower_bound", "processors"}},
		{"bisect --alpha 1/3 --placement " + placement, nil, []string{"width", "exact", "lower_bound"}},
		{"explain --placement " + placement, nil, []string{"best_minimal"}},
		{"faults --routing minimal --placement " + placement, nil, []string{"pairs", "faults", "disconnected_pairs",
			"critical_links", "max_load", "max_load_after_fault", "min_paths", "mean_paths", "min_disjoint_paths"}},
		{"search --routing minimal --size 5", effort, []string{"max_load", "lower_bound", "status"}},
		{"search --routing minimal --traffic " + matrix, effort, []string{"max_load", "lower_bound", "status"}},
		{"prove --routing minimal --size 4 --all", effort[:2], []string{"max_load", "lower_bound", "status", "orbits",
			"labelled_count", "optima_orbits"}},
		{"prove --routing minimal --size 5 --below 3/2", effort[:2], []string{"status"}},
		{"prove --routing minimal --traffic " + matrix, effort[:2], []string{"max_load", "lower_bound", "status"}},
		{"atlas show --store kept.db --routing minimal --size 5", nil, []string{"max_load", "lower_bound", "status"}},
		{"exchange --model all-port", nil, []string{"steps", "lower_bound", "status", "load_bound"}},
	}
	t.Chdir(t.TempDir())
	for _, torus := range []string{"3x4", "2x3:open=1", "5:bandwidth=2"} {
		file := strings.NewReplacer(":", "-", ",", "-").Replace(torus) + ".json"
		answer("export", "--to", "networkx", "--torus", torus, "--placement", "full", "--routing", "minimal", "--out", file)
		for i, a := range asked {
			sized := strings.HasPrefix(a.line, "bound --routing minimal --size") // some of these bounds need dimensions
			if torus != "3x4" && (strings.Contains(a.line, "nodes:") || sized || i > 12) {
				continue
			}
			words := strings.Fields(a.line)
			ask := func(network ...string) map[string]any {
				args := slices.Concat(words, network, a.more, []string{"--json"})
				if words[0] == "search" || words[0] == "prove" {
					args = append(args, "--out", filepath.Join(t.TempDir(), "answer.json"))
				}
				return answer(args...)
			}
			named, listed := ask("--torus", torus), ask("--network", "@"+file)
			for _, field := range a.fields {
				if named[field] == nil || !reflect.DeepEqual(named[field], listed[field]) {
					t.Errorf("%s: %s: %s is %v by name, %v as a file", torus, a.line, field, named[field], listed[field])
				}
			}
		}
	}
}

// TestListedRefusals: what needs dimensions says so of a network from a file, and what to use.
func TestListedRefusals(t *testing.T) {
	t.Chdir(t.TempDir())
	coretest.Must(0, os.WriteFile("ring.txt", []byte("0 1\n1 2\n2 0\n"), 0o666))
	for line, want := range map[string]string{
		"restrict --placement full":                 "leeway explain --network has the least E_max",
		"law linear odr":                            "leeway eval --network has the value of one network",
		"search --size 2 --routing free":            "a network from a file has no dimensions",
		"search --size 2 --routing xy":              "write minimal, all shortest paths, or @table.json",
		"exchange --model wormhole":                 "--model all-port takes any network",
		"eval --placement linear --routing minimal": "placements are full",
	} {
		var out, messages bytes.Buffer
		args := append(strings.Fields(line), "--network", "@ring.txt")
		if status := execute(t.Context(), args, strings.NewReader(""), &out, &messages); status != 2 ||
			!strings.Contains(messages.String(), want) {
			t.Errorf("%s: status %d, %s, want %q", line, status, messages.String(), want)
		}
	}
}

// TestLongMatrix: a matrix that no record can hold is refused before anything is computed, and no file is left.
func TestLongMatrix(t *testing.T) {
	coretest.Alone(t)
	t.Chdir(t.TempDir())
	for _, command := range []string{"search --store kept.db", "prove"} {
		var out, messages bytes.Buffer
		args := strings.Fields(command + " --torus 17x17 --traffic pattern:uniform --routing xy --out found.json")
		if status := execute(t.Context(), args, strings.NewReader(""), &out, &messages); status != 2 ||
			!strings.Contains(messages.String(), "more than the 1048576 that a record holds") ||
			!strings.Contains(messages.String(), "leave small demands out") {
			t.Errorf("%s: status %d, %s", command, status, messages.String())
		}
		if left := coretest.Must(filepath.Glob("*")); len(left) > 0 {
			t.Errorf("%s leaves %v", command, left)
		}
	}
}
