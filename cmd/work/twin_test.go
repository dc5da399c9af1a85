package work

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"leeway/core/coretest"
	"leeway/encode/steps"
	"leeway/results"
	"leeway/results/check"
	"leeway/results/compose"
	"leeway/search/refuters"
	"leeway/search/searchtest"
)

// twins runs tools/steps.py on many pairs of files, named by one line each.
const twins = `
import sys
sys.path.insert(0, sys.argv[1])
import steps
for line in open(sys.argv[2]):
    steps.main(line.split())
`

// TestTwinOfRefuters holds the kernel and tools/steps.py to each other on the steps of all engines, true and altered.
func TestTwinOfRefuters(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3")
	}
	twin := coretest.Must(filepath.Abs("../../tools/steps.py"))
	if _, err := os.ReadFile(twin); err != nil { // read here as well, so that a cached result depends on it
		t.Fatal(err)
	}
	folder := t.TempDir()
	var list strings.Builder
	var what []string
	var accepted []bool
	for i := range coretest.Cases(400, 60) {
		r := coretest.Rng(17, i)
		p, _, _ := drawQuestion(t, i)
		switch i % 3 {
		case 0:
			p = searchtest.Conditioned(r, 12)
		case 1:
			p = searchtest.Clients(r, 12)
		}
		least := leastOf(p)
		if least == nil || strings.HasPrefix(p.RoutingText(), "table") {
			continue
		}
		below := compose.NewBelow(p, least)
		below.Status = results.StatusInfeasible
		listing := i%2 == 0
		if listing {
			below.Proof = &results.Proof{Kind: results.ProofSteps, Placed: new(int64)}
		}
		record := coretest.Must(json.Marshal(below))
		engines, _ := refuters.Supporting(p)
		for _, engine := range engines {
			var out bytes.Buffer
			err := engine.Write(t.Context(), p, least, listing, steps.Cut{}, &out)
			if err != nil || out.Len() > 3000 { // the twin is slow
				continue
			}
			for alters := range 4 {
				stream := bytes.Clone(out.Bytes())
				for range alters { // behind the header
					stream[min(len(stream)-1, 15+r.IntN(len(stream)-15))] = byte(r.IntN(19))
				}
				_, err := check.Follow(t.Context(), p, least, listing, func(int64) error { return nil },
					func(_ context.Context, to io.Writer) error { _, err := to.Write(stream); return err })
				name := filepath.Join(folder, fmt.Sprint(len(what)))
				what = append(what, fmt.Sprintf("case %d, %s: the kernel says %v; %s", i, engine.Name, err, record))
				accepted = append(accepted, err == nil)
				for ending, data := range map[string][]byte{".json": record, ".steps": stream} {
					if err := os.WriteFile(name+ending, data, 0o600); err != nil {
						t.Fatal(err)
					}
				}
				fmt.Fprintf(&list, "%s.json %[1]s.steps\n", name)
			}
		}
	}
	pairs := filepath.Join(folder, "list")
	if err := os.WriteFile(pairs, []byte(list.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(python, "-c", twins, filepath.Dir(twin), pairs).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) != len(what) {
		t.Fatalf("%d verdicts on %d streams\n%s", len(lines), len(what), out)
	}
	both := map[bool]int{}
	for i, line := range lines {
		if strings.HasPrefix(line, "accepted") != accepted[i] {
			t.Errorf("%s\nthe twin says %s", what[i], line)
		}
		both[accepted[i]]++
	}
	t.Logf("%d accepted, %d refused by both", both[true], both[false])
}
