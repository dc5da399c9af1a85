package documents

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"leeway/core/coretest"
	"leeway/results/check"
	"leeway/results/check/meter"
	"leeway/results/check/meter/metertest"
)

// forgedSchedule is a schedule without phases whose proof is a file of one empty clause.
func forgedSchedule(t *testing.T, head string) string {
	t.Helper()
	folder := t.TempDir()
	file := filepath.Join(folder, "s.json")
	coretest.Try(os.WriteFile(filepath.Join(folder, "empty.lrat"), []byte("999999 0 0\n"), 0o600))
	text := `{"schema": "leeway/schedule/1", "name": "x", "model": "store-and-forward", ` + head + `, "phases": []}`
	coretest.Try(os.WriteFile(file, []byte(text), 0o600))
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
		item := fileItem(t.Context(), file, check.Options{Limits: meter.Limits{Steps: most}})
		reasons := strings.Join(item.Reasons, ", ")
		ended := strings.Contains(reasons, fmt.Sprintf("more than %d steps", most))
		if item.Verdict.Verdict == check.Valid || item.ProofVerdict == check.Verified || item.Steps > most ||
			!ended && !strings.Contains(reasons, "too many") {
			t.Errorf("%s: %d steps of %d: %s, %s", name, item.Steps, most, item.Verdict.Verdict, reasons)
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
		metertest.EndEverywhere(t, name, func(m *meter.Meter) error {
			item := meteredSchedule(m, file)
			if item.Verdict.Verdict != check.Wrong {
				return errors.New(strings.Join(item.Reasons, ", "))
			}
			return m.Err()
		})
	}
}
