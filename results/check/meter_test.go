package check_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"leeway/core/coretest"
	"leeway/results"
	. "leeway/results/check"
	"leeway/results/check/documents"
	"leeway/results/check/meter"
	"leeway/results/check/meter/metertest"
	"leeway/results/check/sat"
	"leeway/search/refuters"
)

// hostile returns records of a few hundred bytes that ask for much, by what they ask for.
func hostile(t *testing.T) map[string][]byte {
	t.Helper()
	records := map[string][]byte{}
	for _, name := range []string{"monotone-512x512", "upper-4x4x4x4x4x4"} {
		records[name] = coretest.Must(os.ReadFile(filepath.Join("testdata", "hostile", name+".json")))
	}
	record := func(torus, routing string, size int, proof string) []byte {
		return fmt.Appendf(nil, `{"schema": "leeway/below/1", "torus": %s, "routing": %q, "size": %d, "below": "2", `+
			`"status": "infeasible", "nodes": null, "max_load": null, "proof": %s}`, torus, routing, size, proof)
	}
	steps := func(engine string) string {
		return fmt.Sprintf(`{"kind": "steps", "engine": %q, "below": "2"}`, engine)
	}
	records["orderly"] = record("[12,12]", "avoid:tie=both", 50, steps("orderly"))
	records["counts"] = record("[16,16]", "odr:tie=plus", 30, steps("counts"))
	records["any"] = bytes.ReplaceAll(record("[5,5,5]", "udr:tie=both", 25, steps("")), []byte(`"2"`), []byte(`"13/3"`))
	records["said to be long"] = record("[4,4]", "udr:tie=both", 9,
		`{"kind": "steps", "engine": "", "below": "2", "steps": 1000000000000000}`)
	records["ten dimensions"] = record("[3,3,3,3,3,3,3,3,3,3]", "avoid:tie=both", 9,
		`{"kind": "bound", "engine": "x", "below": "2"}`)
	records["feasible"] = []byte(`{"schema": "leeway/below/1", "torus": [40,40,40], ` +
		`"routing": "minimal:tie=both", "size": 2, "below": "9", ` +
		`"status": "feasible", "nodes": [[0,0,0],[20,20,20]], "max_load": "1", "proof": null}`)
	records["unsat"] = record("[45,45]", "udr:tie=both", 1000,
		`{"kind": "unsat", "engine": "x", "below": "2", "format": "lrat", `+
			`"symmetry": true, "file": "nothing", "sha256": ""}`)
	records["bounds"] = []byte(`{"schema": "leeway/bounds/1", "torus": [1000,1000], ` +
		`"routing": "udr:tie=both", "size": 1000000, ` +
		`"bounds": [{"name": "mean", "value": "1", "witness": {}}, ` +
		`{"name": "margin", "value": "1", "witness": {"refuted": "0"}}], "best": "1", "reason": "x"}`)
	return records
}

// TestHostileRecordsStayWithinTheirSteps: none takes more steps than it may, none is found right, and what was not
// checked to its end says so.
func TestHostileRecordsStayWithinTheirSteps(t *testing.T) {
	coretest.Alone(t)
	const most = 1 << 23
	ended := 0
	for name, data := range hostile(t) {
		v := documents.Document(t.Context(), data, t.TempDir(), Options{Limits: meter.Limits{Steps: most},
			Produce: refuters.Produce})
		reasons := strings.Join(v.Reasons, ", ")
		if v.Verdict == Valid || v.ProofVerdict == Verified || v.Steps > most || reasons == "" {
			t.Errorf("%s: %d steps of %d: %s, %s: %s", name, v.Steps, most, v.Verdict, v.ProofVerdict, reasons)
		}
		if strings.Contains(reasons, fmt.Sprintf("more than %d steps", most)) {
			ended++
			if v.Verdict != Limit && v.Verdict != Wrong || v.ProofVerdict != Limit && v.ProofVerdict != Absent {
				t.Errorf("%s: %s, %s: %s", name, v.Verdict, v.ProofVerdict, reasons)
			}
		}
	}
	if ended < 4 {
		t.Errorf("%d records only were ended by their steps", ended)
	}
}

// TestRecordsEndWithTheContext ends the context of every kind of document everywhere.
func TestRecordsEndWithTheContext(t *testing.T) {
	for _, name := range []string{"4x4-8-unsat", "5x5-10-monotone", "5x5-9-counts", "5x5-9-orderly", "3x3x3-9-steps",
		"4x4-4-steps", "4x4-5-steps", "6x6-12-upper",
		"4x4x4-16-avoid"} {
		data := coretest.Must(os.ReadFile(filepath.Join("testdata", "valid", name+".json")))
		metertest.EndEverywhere(t, name, func(m *meter.Meter) error {
			unsat := map[string]Judge{results.ProofUnsat: sat.PlacementProblem}
			if v := Metered(m, data, filepath.Join("testdata", "valid"),
				Options{Produce: refuters.Produce, Kinds: unsat}); v.Verdict != Valid {
				return errors.New(strings.Join(v.Reasons, ", "))
			}
			return nil
		})
	}
}

// TestFewStepsAreNeverValid gives valid records fewer steps than they take: they are valid with as many as they take,
// and never wrong with fewer.
func TestFewStepsAreNeverValid(t *testing.T) {
	coretest.Alone(t)
	for _, d := range corpus() {
		if d.verdict != Valid {
			continue
		}
		within := func(steps int64, workers int) Verdict {
			return documents.Document(t.Context(), d.data, "testdata/valid", Options{Limits: meter.Limits{Steps: steps},
				Workers: workers, Produce: refuters.Produce})
		}
		whole := produced(t, d.data)
		if whole.Steps > meter.DefaultSteps/4 {
			t.Errorf("%s: %d steps", d.name, whole.Steps)
		}
		if v := within(whole.Steps, 0); v.Verdict != Valid || v.ProofVerdict != whole.ProofVerdict {
			t.Errorf("%s: with its %d steps: %+v", d.name, whole.Steps, v)
		}
		for few := int64(1); few < whole.Steps; few += 1 + whole.Steps/9 {
			v := within(few, 1+int(few)%3)
			if v.Verdict != Limit || v.ProofVerdict != Limit && v.ProofVerdict != Absent || v.Steps > few {
				t.Errorf("%s: with %d of %d steps: %+v", d.name, few, whole.Steps, v)
			}
		}
	}
}
