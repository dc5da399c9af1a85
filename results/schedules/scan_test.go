package schedules

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"leeway/core/coretest"
	"leeway/results"
)

// TestSkip: the scanner finds the same faults in what it does not know as the strict reader, in the same places.
func TestSkip(t *testing.T) {
	coretest.Alone(t)
	files, err := filepath.Glob("../check/testdata/valid/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	rng := rand.New(rand.NewPCG(3, 0))
	faults := 0
	for _, file := range files {
		data := coretest.Must(os.ReadFile(file))
		if len(data) > 20_000 {
			continue
		}
		for range 600 {
			spoiled := spoil(rng, data)
			schema, err := results.SchemaOf(spoiled)
			if err != nil {
				continue
			}
			var none struct {
				Schema string `json:"schema"`
			}
			strict := results.Decode(spoiled, schema, &none)
			if strict != nil && !strings.Contains(strict.Error(), "is repeated") { // it knows the field schema
				continue
			}
			s := newScanner(bytes.NewReader(spoiled))
			first, err := s.Token()
			if err == nil {
				err = s.Skip(first, "")
			}
			if !reflect.DeepEqual(err, strict) {
				t.Fatalf("%s: %v and %v\n%s", file, err, strict, spoiled)
			}
			if strict != nil {
				faults++
			}
		}
	}
	if faults < 1000 {
		t.Errorf("only %d faults were compared", faults)
	}
}

// spoil puts some bytes that mean something in JSON in place of others.
func spoil(rng *rand.Rand, data []byte) []byte {
	out := bytes.Clone(data)
	for range rng.IntN(3) {
		at := rng.IntN(len(out))
		piece := [...]string{"null", "{}", "[]", `"\u0073ize":1,`, `"Size":1,`, `"x":{"a":[{"b":null}],"a":1},`,
			"[[null]],", "\n", " ", "1", `"\"":0,`}[rng.IntN(11)]
		if i := bytes.IndexAny(out[at:], "\n,"); i >= 0 {
			at += i + 1
		}
		out = bytes.Join([][]byte{out[:at], out[at:]}, []byte(piece))
	}
	return out
}
