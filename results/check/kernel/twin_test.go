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
	"leeway/results"
)

// driver runs the twin on many pairs of files, named by one line each.
const driver = `
import sys
sys.path.insert(0, sys.argv[1])
import steps
for line in open(sys.argv[2]):
    steps.main(line.split())
`

// TestTwin holds the kernel and tools/steps.py to each other, on true streams and on altered ones.
func TestTwin(t *testing.T) {
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
	add := func(i int, q Question, record []byte, stream []byte) {
		_, err := Check(q, bytes.NewReader(stream), false, upTo(1<<28))
		accepted = append(accepted, err == nil)
		what = append(what, fmt.Sprintf("case %d: kernel says %v; %s", i, err, record))
		name := filepath.Join(folder, fmt.Sprint(len(accepted)))
		for ending, data := range map[string][]byte{".json": record, ".steps": stream} {
			if err := os.WriteFile(name+ending, data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		fmt.Fprintf(&pairs, "%s.json %[1]s.steps\n", name)
	}
	for i := range coretest.Cases(400, 60) {
		r := coretest.Rng(6, i)
		p, q := draw(r)
		values, _ := bruteForce(p)
		if len(values) == 0 {
			continue
		}
		q.Limit, q.AtMost = slices.MinFunc(values, (*big.Rat).Cmp), false
		w := newWriter(t, r, q, false)
		w.header(true)
		if r.IntN(2) == 0 {
			w.lemmas(2)
		}
		if !w.prove(true, 20000) {
			t.Fatalf("case %d: %s: not proved", i, p)
		}
		below := results.NewBelow(p, q.Limit)
		below.Status = results.StatusInfeasible
		record := coretest.Must(json.Marshal(below))
		stream := w.out.Bytes()
		if len(stream) > 4000 { // the twin is slow
			continue
		}
		add(i, q, record, stream)
		for range 4 {
			add(i, q, record, alter(r, stream))
		}
	}
	free := 0
	for i := range coretest.Cases(600, 100) { // free routings, below values that few placements reach
		r := coretest.Rng(10, i)
		network := coretest.AnyNetwork(r, 8)
		choice := []routing.Free{{MinPaths: 1}, {MinPaths: 2}, {Single: true, MinPaths: 1}}[r.IntN(3)]
		q := Question{Routing: routing.NewUDR(network, routing.TieBoth), Free: &choice, Size: 1 + r.IntN(network.N())}
		q.Limit = big.NewRat(int64(q.Size), int64(1+r.IntN(2*network.Degree())))
		w := newWriter(t, r, q, false)
		if w.header(true); !w.prove(true, 300) || w.out.Len() > 4000 {
			continue
		}
		free++
		record := fmt.Appendf(nil, `{"schema": "leeway/record/1", "network": %q, "routing": "table", "routing_choice": %q,
			"size": %d, "status": "optimal", "max_load": %q}`, network, choice, q.Size, q.Limit.RatString())
		add(i, q, record, w.out.Bytes())
		for range 4 {
			add(i, q, record, alter(r, w.out.Bytes()))
		}
	}
	if free == 0 {
		t.Error("no stream about a free routing")
	}
	list := filepath.Join(folder, "list")
	if err := os.WriteFile(list, []byte(pairs.String()), 0o600); err != nil {
		t.Fatal(err)
	}
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
	t.Logf("%d accepted, %d refused by both, %d about free routings", both[true], both[false], free)
}
