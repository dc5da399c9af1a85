package check_test

import (
	"cmp"
	"math/big"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/labels"
	"leeway/objective"
	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/check"
	"leeway/results/check/documents"
	"leeway/results/compose"
	"leeway/results/layout"
	"leeway/results/resultstest"
	"leeway/search/refuters"
)

// stepsProof is that of the first engine that can.
func stepsProof(below string) *results.Proof {
	return &results.Proof{Kind: results.ProofSteps, Below: below}
}

func rat(s string) *big.Rat { return coretest.Must(results.ParseFraction(s)) }

// source returns the record of a file of the folder valid. Loads and optima there are those of docs/formats.md and of
// the papers.
func source(name string) results.Record {
	return coretest.Must(results.ReadRecord(coretest.Must(os.ReadFile("testdata/valid/" + name + ".json"))))
}

// A document is one of testdata, with its verdict and what stands among the reasons.
type document struct {
	verdict, name, reason string
	data                  []byte
}

// corpus returns the documents of the folder valid, and those that testdata/changed.txt makes from them.
func corpus() (list []document) {
	for _, file := range coretest.Must(filepath.Glob("testdata/valid/*.json")) {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		list = append(list, document{check.Valid, name, "", coretest.Must(os.ReadFile(file))})
	}
	for line := range strings.Lines(string(coretest.Must(os.ReadFile("testdata/changed.txt")))) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		left, reason, _ := strings.Cut(strings.TrimSpace(line), " => ")
		title, changes, made := strings.Cut(left, ": ")
		verdict, name, _ := strings.Cut(title, " ")
		if verdict == "limit" {
			verdict = check.Limit
		}
		if !made {
			list = append(list, document{verdict, name, reason,
				coretest.Must(os.ReadFile("testdata/unreadable/" + name + ".json"))})
			continue
		}
		from, changes, _ := strings.Cut(changes, "; ")
		data := coretest.Must(os.ReadFile("testdata/valid/" + from + ".json"))
		list = append(list, document{verdict, name, reason, resultstest.Edit(data, changes)})
	}
	return list
}

// TestCorpus: every document has its verdict, for the reason that it is known for, and the proof its own.
func TestCorpus(t *testing.T) {
	proofs := map[string]string{"4x4-4-steps": check.Verified, "6x6-6-odr": check.Verified, "8x8-16-spaced": check.Absent,
		"steps-refuted": check.Wrong, "proof-unsat": check.Wrong, "optimal-unproved": check.Absent,
		"hash-one-digit": check.Absent, "feasible-proved": check.Verified, "truncated": check.Absent,
		"steps-too-large": check.Limit}
	for _, d := range corpus() {
		v := produced(t, d.data)
		all := strings.Join(v.Reasons, "\n")
		if want := cmp.Or(proofs[d.name], v.ProofVerdict); v.Verdict != d.verdict || v.ProofVerdict != want ||
			(d.reason == "") != (all == "") || !strings.Contains(all, d.reason) {
			t.Errorf("%s %s: want a reason with %q, have %s, proof %s: %s", d.verdict, d.name, d.reason, v.Verdict,
				v.ProofVerdict, all)
		}
		delete(proofs, d.name)
	}
	if len(proofs) > 0 {
		t.Errorf("there are no documents %v", proofs)
	}
}

// TestFiles judges files in the order in which they are named, and those that are not there.
func TestFiles(t *testing.T) {
	files := []string{"testdata/valid/8x8-16-spaced.json", "testdata/valid/there-is-none.json",
		"testdata/unreadable/truncated.json", "testdata/valid/4x4-4-steps.json"}
	items, err := documents.Files(t.Context(), files, check.Options{Workers: 2, Produce: refuters.Produce})
	if err != nil || len(items) != len(files) {
		t.Fatal(items, err)
	}
	for i, want := range []string{check.Valid, check.Unreadable, check.Unreadable, check.Valid} {
		if v := items[i]; v.File != files[i] || v.Verdict.Verdict != want {
			t.Errorf("got %+v, want %s to be %s", v, files[i], want)
		}
	}
	if !strings.Contains(items[1].Reasons[0], "there-is-none") {
		t.Errorf("got %+v", items[1])
	}
}

// TestEveryTruncationIsUnreadable cuts a right record at every byte.
func TestEveryTruncationIsUnreadable(t *testing.T) {
	data := coretest.Must(os.ReadFile("testdata/valid/2x3-2-mixed.json"))
	for n := range len(strings.TrimRight(string(data), "\n")) {
		if v := check.Record(data[:n]); v.Verdict != check.Unreadable {
			t.Fatalf("the first %d bytes are %s", n, v.Verdict)
		}
	}
}

// TestTooLargeToRecompute has a right hash and then a wrong one.
func TestTooLargeToRecompute(t *testing.T) {
	for change, want := range map[string]string{"stale": check.Wrong, "": check.Limit} {
		v := produced(t, resultstest.Forged(source("2x3-2-mixed"), "torus=[2000,2000]", change))
		if v.Verdict != want || !strings.Contains(strings.Join(v.Reasons, "\n"), "more than 2097152 links") {
			t.Errorf("got %+v, want %s", v, want)
		}
	}
}

// produced is the verdict about a document whose steps the engines write.
func produced(t testing.TB, data []byte) check.Verdict {
	t.Helper()
	return documents.Document(t.Context(), data, filepath.Join("testdata", "valid"),
		check.Options{Workers: 1, Produce: refuters.Produce})
}

// TestStepsOnNetworks: steps prove an optimum on networks with fixed and forbidden nodes; the same record with less
// conditions is right where brute force has the same least E_max, whatever engine the proof names.
func TestStepsOnNetworks(t *testing.T) {
	coretest.Alone(t)
	lies := 0
	for _, where := range []string{"3x4:open=0,1:bandwidth=2,1", "3x3:open=0,1", "4x3:open=0", "3x4:bandwidth=2,1",
		"3x4:open=1:bandwidth=1,3", "2x6:twist=2"} {
		for _, routed := range []string{"odr", "udr:tie=both", "minimal:tie=both"} {
			p := coretest.Must(texts.ParseProblem(where, routed, 4))
			p = coretest.Must(p.WithNodes([]int{0}, []int{6}))
			best, least := leastOf(p)
			values := compose.Values{Routing: p.Routing, Placement: best, MaxLoad: least, LowerBound: least,
				BoundReason: "steps: none is below", Setting: compose.SettingOf(p),
				Provenance: results.Provenance{Started: "2026-11-22T00:00:00Z"}}
			if text, ok := family.Baseline(p.Torus(), p.Size); ok {
				if s := coretest.Must(family.Parse(p.Torus(), text)); p.Admits(s) {
					load, _ := objective.Naive(p.Routing, s).Max()
					values.Baseline = &results.Baseline{Placement: text, MaxLoad: load.RatString()}
				}
			}
			for _, engine := range []string{"", "counts", "orderly"} {
				values.Proof = &results.Proof{Kind: results.ProofSteps, Engine: engine, Below: least.RatString()}
				r := coretest.Must(compose.New(values))
				if v := produced(t, coretest.Must(layout.Encode(r))); v.Verdict != check.Valid || v.ProofVerdict != check.Verified {
					t.Errorf("%s by %q: %s, proof %s, %q", p, engine, v.Verdict, v.ProofVerdict, v.Reasons)
				}
				for _, c := range []results.Setting{{}, {Fixed: r.Fixed}, {Forbidden: r.Forbidden}} {
					other := r
					other.Setting, other.ClaimSHA256 = c, ""
					other.ClaimSHA256 = other.Hash()
					_, truth := leastOf(coretest.Must(c.Apply(coretest.Must(texts.ParseProblem(where, routed, 4)))))
					v := produced(t, coretest.Must(layout.Encode(other)))
					if truth.Cmp(least) < 0 {
						lies++
					}
					if (v.ProofVerdict == check.Verified) != (truth.Cmp(least) >= 0) {
						t.Errorf("%s by %q with %+v: proof %s, %q", p, engine, c, v.ProofVerdict, v.Reasons)
					}
				}
			}
		}
	}
	if lies < 6 {
		t.Errorf("only %d records became false", lies)
	}
}

// TestLabelOfARecord: the label is that of the cell, or of an orbit in it, and of no other.
func TestLabelOfARecord(t *testing.T) {
	cell := labels.Cell("2x3", "udr:tie=plus", 2)
	for label, want := range map[string]string{"": check.Valid, cell: check.Valid, cell + ".01234567": check.Valid,
		cell + "0": check.Wrong, "2x3": check.Wrong, "3x2" + cell[3:]: check.Wrong} {
		if v := produced(t, resultstest.Forged(source("2x3-2-mixed"), "label="+strconv.Quote(label))); v.Verdict != want {
			t.Errorf("label %q: %s %q, want %s", label, v.Verdict, v.Reasons, want)
		}
	}
}
