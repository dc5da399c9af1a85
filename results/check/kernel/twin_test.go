package kernel

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/encode/steps"
	"leeway/objective"
	"leeway/results"
	"leeway/results/compose"
	"leeway/search/refuters"
)

// driver runs the twin on many pairs of files, named by one line each.
const driver = `
import sys
sys.path.insert(0, sys.argv[1])
import steps
for line in open(sys.argv[2]):
    steps.main(line.split())
`

// TestTwin holds the kernel and tools/steps.py to each other, on streams of the engines and of a plain search, that
// leave slices open or list placements as well, and on altered ones.
func TestTwin(t *testing.T) {
	coretest.Alone(t)
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3")
	}
	twin := coretest.Must(filepath.Abs("../../../tools/steps.py"))
	if _, err := os.ReadFile(twin); err != nil { // read here as well, so that a cached result depends on it
		t.Fatal(err)
	}
	folder := t.TempDir()
	var pairs strings.Builder
	var accepted []bool
	var what []string
	kinds := map[string]int{}
	for i := range coretest.Cases(600, 50) {
		r := coretest.Rng(6, i)
		p, q := draw(r)
		listing := r.IntN(4) == 0
		if values, _ := bruteForce(p); len(values) == 0 {
			continue
		} else if q.Limit, q.AtMost = slices.MinFunc(values, (*big.Rat).Cmp), listing; i%3 == 0 { // below what few reach
			network := coretest.AnyNetwork(r, 8)
			choice := []routing.Free{{MinPaths: 1}, {MinPaths: 2}, {Single: true, MinPaths: 1}}[r.IntN(3)]
			p, listing = objective.FreeProblem(network, choice), false
			p.Size = 1 + r.IntN(network.N())
			q = Question{Routing: p.Routing, Free: &choice, Size: p.Size}
			q.Limit = big.NewRat(int64(q.Size), int64(1+r.IntN(2*network.Degree())))
		}
		add := func(kind string, whole []byte) {
			if len(whole) > 4000 { // the twin is slow
				return
			}
			stream := whole
			for k := range 5 {
				if kinds[kind]++; k > 0 {
					stream = alter(r, whole)
				}
				_, err := Check(q, bytes.NewReader(stream), listing, upTo(1<<28))
				accepted = append(accepted, err == nil)
				what = append(what, fmt.Sprintf("case %d: %s: %s below %s: kernel says %v", i, kind, p, q.Limit, err))
				name := filepath.Join(folder, fmt.Sprint(len(accepted)))
				for ending, data := range map[string][]byte{".json": claim(p, q, listing), ".steps": stream} {
					coretest.Try(os.WriteFile(name+ending, data, 0o600))
				}
				fmt.Fprintf(&pairs, "%s.json %[1]s.steps\n", name)
			}
		}
		w := newWriter(t, r, q, listing)
		w.header(true)
		if q.Free == nil && r.IntN(2) == 0 {
			w.lemmas(2)
		}
		most := 20000
		if q.Free != nil {
			most = 300
		}
		if w.prove(true, most) {
			add("plain", w.out.Bytes())
		}
		list, _ := refuters.Supporting(p)
		for _, e := range list {
			var whole, cut bytes.Buffer
			if e.Write(t.Context(), p, q.Limit, listing, steps.Cut{}, &whole) == nil {
				add(fmt.Sprintf("%s, listing %v, free %v", e.Name, listing, q.Free != nil), whole.Bytes())
			}
			leave := steps.Cut{Leave: func(_ []int, written int64) bool { return written > 5 }}
			if r.IntN(4) == 0 && e.Write(t.Context(), p, q.Limit, false, leave, &cut) == nil {
				add("slice", cut.Bytes())
			}
		}
	}
	list := filepath.Join(folder, "list")
	coretest.Try(os.WriteFile(list, []byte(pairs.String()), 0o600))
	out, err := exec.Command(python, "-c", driver, filepath.Dir(twin), list).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) != len(accepted) {
		t.Fatalf("%d verdicts on %d streams\n%s", len(lines), len(accepted), out)
	}
	both := map[bool]int{}
	for i, line := range lines {
		if strings.HasPrefix(line, "accepted") != accepted[i] {
			t.Errorf("%s\nthe twin says %s", what[i], line)
		}
		both[accepted[i]]++
	}
	if len(kinds) < 7 {
		t.Errorf("streams of few kinds only: %v", kinds)
	}
	t.Logf("%d accepted, %d refused by both; %v", both[true], both[false], kinds)
}

// claim returns a record that a question has no answer, with listing but those that its proof places.
func claim(p objective.Problem, q Question, listing bool) []byte {
	below := coretest.Must(json.Marshal(compose.NewBelow(p, q.Limit)))
	var fields map[string]any
	if err := json.Unmarshal(below, &fields); err != nil {
		panic(err)
	}
	fields["schema"], fields["status"], fields["max_load"] = results.RecordSchema, results.StatusOptimal, fields["below"]
	if listing {
		fields["proof"] = map[string]any{"placed": 1}
	}
	if q.Free != nil {
		fields["routing"], fields["routing_choice"] = "table", q.Free.String()
	}
	return coretest.Must(json.Marshal(fields))
}
