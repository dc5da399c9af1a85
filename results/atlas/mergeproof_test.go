package atlas_test

import (
	"bytes"
	"context"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/check"
	"leeway/results/compose"
	"leeway/results/disk"
	"leeway/results/layout"
	"leeway/results/store"
	"leeway/search/refuters"
)

// verified fails unless the one cell of a store is right, with its proof.
func verified(t *testing.T, path string) {
	t.Helper()
	a := view(t, path)
	cells, _ := a.Cells(atlas.Filter{})
	found, err := a.Verify(context.Background(), cells, 1, check.Options{Produce: refuters.Produce}, nil)
	if err != nil || len(found) != 1 || found[0].Verdict.Verdict != check.Valid ||
		found[0].ProofVerdict != check.Verified {
		t.Fatalf("%s: %+v, %v", path, found, err)
	}
}

// TestMergeProofFiles: the file of a proof comes along, once, and takes no other's place.
func TestMergeProofFiles(t *testing.T) {
	for _, record := range []string{"4x4-8-unsat.json", "4x4-5-steps.json"} {
		t.Run(record, func(t *testing.T) { testMergeProofFile(t, validRecords+record) })
	}
}

func testMergeProofFile(t *testing.T, record string) {
	one, pathOne := newStore(t, "one.store")
	if m := merge(t, one, record); len(m.Taken) != 1 || len(m.Faults) > 0 {
		t.Fatalf("%+v", m)
	}
	verified(t, pathOne)
	name := proofFiles(t, pathOne)[0]

	two, pathTwo := newStore(t, "two.store")
	for round := range 2 {
		m := merge(t, two, pathOne)
		if len(m.Taken) != 1-round || m.Known != round || len(m.Faults) > 0 {
			t.Errorf("round %d: %+v", round, m)
		}
		verified(t, pathTwo)
	}

	// A name that is taken, by another file or a link, stays whose it is.
	for _, take := range []func(path string) error{
		func(path string) error { return os.WriteFile(path, []byte("another"), 0o644) },
		func(path string) error { return os.Symlink(filepath.Join(filepath.Dir(pathOne), name), path) },
	} {
		three, pathThree := newStore(t, "three.store")
		taken := filepath.Join(filepath.Dir(pathThree), name)
		coretest.Try(take(taken))
		before := coretest.Must(os.ReadFile(taken))
		if m := merge(t, three, pathOne); len(m.Taken) != 0 || len(m.Faults) != 1 {
			t.Errorf("%+v", m)
		}
		if text, err := os.ReadFile(taken); err != nil || !bytes.Equal(text, before) {
			t.Errorf("%q, %v", text, err)
		}
	}

	// A file that was lost comes back.
	coretest.Try(os.Remove(filepath.Join(filepath.Dir(pathOne), name)))
	if m := merge(t, one, record); len(m.Faults) > 0 {
		t.Errorf("%+v", m)
	}
	verified(t, pathOne)
}

// proofFiles returns the names of the files beside a store that are not of its database.
func proofFiles(t *testing.T, path string) (names []string) {
	t.Helper()
	list := coretest.Must(os.ReadDir(filepath.Dir(path)))
	for _, e := range list {
		if !strings.HasPrefix(e.Name(), filepath.Base(path)) {
			names = append(names, e.Name())
		}
	}
	return names
}

// TestMergeNamesFiles: what a record calls the file of its proof never decides where something is
// written, and a name that is more than a name is refused.
func TestMergeNamesFiles(t *testing.T) {
	proof := coretest.Must(os.ReadFile(validRecords + "4x4-8-unsat.lrat"))
	like := coretest.Must(disk.ReadRecordFile(t.Context(), validRecords+"4x4-8-unsat.json"))
	for name, refused := range map[string]bool{"Makefile": false, "proof.store": false, "a b.json": false,
		".bash_profile": true, "../up.lrat": true,
		"sub/a.lrat": true, "nul": true, "COM1.lrat": true, "a\x1b[31m.lrat": true, "a\u202eb.lrat": true, "c:a.lrat": true,
		"link.lrat": true} {
		dir := t.TempDir()
		coretest.Try(os.Mkdir(filepath.Join(dir, "sub"), 0o755))
		at := filepath.Join(dir, name)
		if name == "link.lrat" {
			coretest.Try(os.Symlink(filepath.Join(dir, "real.lrat"), at))
			at = filepath.Join(dir, "real.lrat")
		}
		coretest.Try(os.WriteFile(at, proof, 0o644))
		r := like
		own := *like.Proof
		own.File = name
		r.Proof = &own
		text := coretest.Must(layout.Encode(r))
		file := filepath.Join(dir, "record.json")
		coretest.Try(os.WriteFile(file, text, 0o644))
		into, path := newStore(t, "into.store")
		m := merge(t, into, file)
		files := proofFiles(t, path)
		switch {
		case refused && (len(m.Faults) != 1 || len(files) > 0):
			t.Errorf("%q: %+v, files %q", name, m, files)
		case !refused && (len(m.Taken) != 1 || len(files) != 1 || !strings.HasPrefix(files[0], "proof-") ||
			filepath.Ext(files[0]) != ".lrat"):
			t.Errorf("%q: %+v, files %q", name, m, files)
		}
	}
}

// TestMergeKeepsProofsOfWrongRecords: a record whose placement is not what it says is left
// out, but what its proof shows is not lost.
func TestMergeKeepsProofsOfWrongRecords(t *testing.T) {
	r := coretest.Must(disk.ReadRecordFile(t.Context(), validRecords+"4x4-4-steps.json"))
	r.Nodes = [][]int{{0, 0}, {0, 1}, {0, 2}, {0, 3}}
	r.ClaimSHA256 = r.Hash()
	text := coretest.Must(layout.Encode(r))
	file := filepath.Join(t.TempDir(), "wrong.json")
	coretest.Try(os.WriteFile(file, text, 0o644))
	into, path := newStore(t, "into.store")
	for round := range 2 {
		if m := merge(t, into, file); len(m.Faults) != 1 || len(m.Taken) != 1-round {
			t.Errorf("round %d: %+v", round, m)
		}
	}
	p := coretest.Must(store.KeyOfRecord(r))
	b, ok, err := into.Bound(p)
	if err != nil || !ok || b.Value.RatString() != r.MaxLoad || b.Reason != "steps: none is below" ||
		!reflect.DeepEqual(b.Proof, r.Proof) {
		t.Errorf("%+v, %v, %v", b, ok, err)
	}
	verified(t, path)
}

// TestMergeLateProof: the proof of a bound that came after the record goes along.
func TestMergeLateProof(t *testing.T) {
	p := problem(t, "3x3", "odr", 3)
	from, path := newStore(t, "from.store")
	placement := family.Random(p.Torus(), 3, 1)
	r := record(t, p.Routing, placement)
	r.LowerBound = "1/2" // the degree bound: 2 others over 4 links
	add(t, from, r)
	proof := &results.Proof{Kind: results.ProofBound, Below: "1/2"}
	into, _ := newStore(t, "into.store")
	merge(t, into, path)
	if err := from.AddBound(compose.KeyOf(p), store.Bound{Value: big.NewRat(1, 2), Reason: "degree",
		Proof: proof}); err != nil {
		t.Fatal(err)
	}
	if m := merge(t, into, path); len(m.Faults) > 0 {
		t.Errorf("%+v", m)
	}
	if b, _, err := into.Bound(compose.KeyOf(p)); err != nil || !reflect.DeepEqual(b.Proof, proof) {
		t.Errorf("%+v, %v", b, err)
	}
}
