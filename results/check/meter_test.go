package check

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"leeway/core/coretest"
	"leeway/results/check/meter"
	"leeway/search/refuters"
)

// forgedSchedule is a schedule without phases whose proof is a file of one empty clause.
func forgedSchedule(t *testing.T, head string) string {
	t.Helper()
	folder := t.TempDir()
	file := filepath.Join(folder, "s.json")
	if err := os.WriteFile(filepath.Join(folder, "empty.lrat"), []byte("999999 0 0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	text := `{"schema": "leeway/schedule/1", "name": "x", "model": "store-and-forward", ` + head + `, "phases": []}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// emptyProof names a proof of one empty clause about fewer steps than the text says.
func emptyProof(below string) string {
	return `"proof": {"kind": "unsat", "engine": "x", "below": ` + below + `, "format": "lrat", "file": "empty.lrat", ` +
		`"sha256": "a526f979e8335826c90dc351768cc666cb08a43cb52b64382efb6e53494e7a58"}`
}

// TestSchedulesStayWithinTheirSteps gives short schedules that ask for much: each ends by its steps, before memory is
// taken, and none is found right.
func TestSchedulesStayWithinTheirSteps(t *testing.T) {
	coretest.Alone(t)
	rings := `"axes": [{"kind": "ring", "nodes": 32}, {"kind": "ring", "nodes": 32}]`
	weights := strings.TrimSuffix(strings.Repeat("1,", 4096), ",")
	for name, head := range map[string]string{
		"formula of 1024 nodes": rings + `, ` + emptyProof("4097"),
		"formula in 60 steps":   rings + `, ` + emptyProof("60"),
		"positions":             `"axes": [{"kind": "complete", "nodes": 4096}, {"kind": "ring", "nodes": 4}]`,
		"weights": `"axes": [{"kind": "ring", "nodes": 4096}], ` +
			`"proof": {"kind": "bound", "engine": "x", "below": 9, "bound": "weights", "weights": [` + weights + `]}`,
		"cut nodes": `"axes": [{"kind": "path", "nodes": 4096}, {"kind": "path", "nodes": 4}]`,
	} {
		file := forgedSchedule(t, head)
		const most = 1 << 27
		item := fileItem(t.Context(), file, Options{Limits: meter.Limits{Steps: most}})
		reasons := strings.Join(item.Reasons, ", ")
		ended := strings.Contains(reasons, fmt.Sprintf("more than %d steps", most))
		if item.Verdict.Verdict == Valid || item.ProofVerdict == Verified || item.steps > most ||
			!ended && !strings.Contains(reasons, "too many") {
			t.Errorf("%s: %d steps of %d: %s, %s", name, item.steps, most, item.Verdict.Verdict, reasons)
		}
	}
}

// TestSchedulesEndWithTheContext ends the context after every so many steps.
func TestSchedulesEndWithTheContext(t *testing.T) {
	for name, head := range map[string]string{
		"formula": `"axes": [{"kind": "ring", "nodes": 3}, {"kind": "ring", "nodes": 3}], ` + emptyProof("8"),
		"weights": `"axes": [{"kind": "ring", "nodes": 5}], ` +
			`"proof": {"kind": "bound", "engine": "x", "below": 3, "bound": "weights", "weights": [1,1,2,1,1]}`,
		"path": `"axes": [{"kind": "path", "nodes": 9}]`,
	} {
		file := forgedSchedule(t, head)
		endEverywhere(t, name, func(m *meter.Meter) error {
			item := meteredSchedule(m, file)
			if item.Verdict.Verdict != Wrong {
				return errors.New(strings.Join(item.Reasons, ", "))
			}
			return m.Err()
		})
	}
}

// endEverywhere runs a check whole and then again, ending its context when it has looked at it once, twice and so on,
// at first each time, then in longer and longer jumps. The check must end within the next looks of its workers,
// and at its end. Its budget is as small as can be, so that it looks every few steps.
func endEverywhere(t *testing.T, name string, f func(m *meter.Meter) error) {
	t.Helper()
	most := int64(1 << 17)
	run := func(end int) (int, error) {
		ctx := coretest.EndsAfter(end)
		err := f(meter.New(ctx, meter.Limits{Steps: most}))
		return int(ctx.Looks()), err
	}
	all, err := run(1 << 30)
	for ; err != nil && most < 1<<30; all, err = run(1 << 30) {
		most *= 4
	}
	if err != nil || all < 3 {
		t.Fatalf("%s: %d looks: %v", name, all, err)
	}
	for k := 0; k < all; k += 1 + k/8 {
		if looks, err := run(k); err == nil || looks > k+64 {
			t.Errorf("%s: ended after %d of %d looks it came to %d: %v", name, k, all, looks, err)
		}
	}
}

// hostile returns records of a few hundred bytes that ask for much, by what they ask for.
func hostile(t *testing.T) map[string][]byte {
	t.Helper()
	documents := map[string][]byte{}
	for _, name := range []string{"monotone-512x512", "upper-4x4x4x4x4x4"} {
		data, err := os.ReadFile(filepath.Join("testdata", "hostile", name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		documents[name] = data
	}
	record := func(torus, routing string, size int, proof string) []byte {
		return fmt.Appendf(nil, `{"schema": "leeway/below/1", "torus": %s, "routing": %q, "size": %d, "below": "2", `+
			`"status": "infeasible", "nodes": null, "max_load": null, "proof": %s}`, torus, routing, size, proof)
	}
	steps := func(engine string) string {
		return fmt.Sprintf(`{"kind": "steps", "engine": %q, "below": "2"}`, engine)
	}
	documents["orderly"] = record("[12,12]", "avoid:tie=both", 50, steps("orderly"))
	documents["counts"] = record("[16,16]", "odr:tie=plus", 30, steps("counts"))
	documents["any"] = bytes.ReplaceAll(record("[5,5,5]", "udr:tie=both", 25, steps("")), []byte(`"2"`), []byte(`"13/3"`))
	documents["said to be long"] = record("[4,4]", "udr:tie=both", 9,
		`{"kind": "steps", "engine": "", "below": "2", "steps": 1000000000000000}`)
	documents["ten dimensions"] = record("[3,3,3,3,3,3,3,3,3,3]", "avoid:tie=both", 9,
		`{"kind": "bound", "engine": "x", "below": "2"}`)
	documents["feasible"] = []byte(`{"schema": "leeway/below/1", "torus": [40,40,40], ` +
		`"routing": "minimal:tie=both", "size": 2, "below": "9", ` +
		`"status": "feasible", "nodes": [[0,0,0],[20,20,20]], "max_load": "1", "proof": null}`)
	documents["unsat"] = record("[45,45]", "udr:tie=both", 1000,
		`{"kind": "unsat", "engine": "x", "below": "2", "format": "lrat", `+
			`"symmetry": true, "file": "nothing", "sha256": ""}`)
	documents["bounds"] = []byte(`{"schema": "leeway/bounds/1", "torus": [1000,1000], ` +
		`"routing": "udr:tie=both", "size": 1000000, ` +
		`"bounds": [{"name": "mean", "value": "1", "witness": {}}, ` +
		`{"name": "margin", "value": "1", "witness": {"refuted": "0"}}], "best": "1", "reason": "x"}`)
	return documents
}

// TestHostileRecordsStayWithinTheirSteps: none takes more steps than it may, none is found right, and what was not
// checked to its end says so.
func TestHostileRecordsStayWithinTheirSteps(t *testing.T) {
	coretest.Alone(t)
	const most = 1 << 25
	ended := 0
	for name, data := range hostile(t) {
		v := Document(t.Context(), data, t.TempDir(), Options{Limits: meter.Limits{Steps: most}, Produce: refuters.Produce})
		reasons := strings.Join(v.Reasons, ", ")
		if v.Verdict == Valid || v.ProofVerdict == Verified || v.steps > most || reasons == "" {
			t.Errorf("%s: %d steps of %d: %s, %s: %s", name, v.steps, most, v.Verdict, v.ProofVerdict, reasons)
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
		data, err := os.ReadFile(filepath.Join("testdata", "valid", name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		endEverywhere(t, name, func(m *meter.Meter) error {
			if v := document(m, data, filepath.Join("testdata", "valid"),
				Options{Produce: refuters.Produce}); v.Verdict != Valid {
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
	files, err := filepath.Glob(filepath.Join("testdata", "valid", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		folder := filepath.Dir(file)
		whole := Document(t.Context(), data, folder, Options{Produce: refuters.Produce})
		if whole.Verdict != Valid || whole.steps > meter.DefaultSteps/4 {
			t.Errorf("%s: %s with %d steps: %v", file, whole.Verdict, whole.steps, whole.Reasons)
		}
		if v := Document(t.Context(), data, folder, Options{Limits: meter.Limits{Steps: whole.steps},
			Produce: refuters.Produce}); v.Verdict != Valid ||
			v.ProofVerdict != whole.ProofVerdict {
			t.Errorf("%s: with its %d steps: %+v", file, whole.steps, v)
		}
		for few := int64(1); few < whole.steps; few += 1 + whole.steps/9 {
			v := Document(t.Context(), data, folder, Options{Limits: meter.Limits{Steps: few}, Workers: 1 + int(few)%3,
				Produce: refuters.Produce})
			if v.Verdict != Limit || v.ProofVerdict != Limit && v.ProofVerdict != Absent || v.steps > few {
				t.Errorf("%s: with %d of %d steps: %+v", file, few, whole.steps, v)
			}
		}
	}
}
