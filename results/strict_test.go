package results

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"leeway/core/coretest"
)

// A tokenWalker is the slow twin of Scanner, on json.Decoder. It refuses what encoding/json lets pass: keys that
// stand twice or in another case, missing fields, null where a value is needed, deep nesting.
type tokenWalker struct {
	data   []byte
	dec    *json.Decoder
	fields map[string][]Field
}

// checkFieldsByToken returns nil if data, known to be JSON, has the fields of document type t and no ambiguous ones,
// otherwise a *ReadError.
func checkFieldsByToken(data []byte, t reflect.Type) error {
	w := &tokenWalker{data: data, dec: json.NewDecoder(bytes.NewReader(data)), fields: map[string][]Field{}}
	w.dec.UseNumber() // a number is judged by the field that it is decoded into
	fieldsOf(t, "", w.fields)
	return w.value("", true, false, 0)
}

// fail returns a ReadError at the token read last.
func (w *tokenWalker) fail(format string, args ...any) error {
	return errorAt(w.data, int(w.dec.InputOffset())-1, fmt.Sprintf(format, args...), "")
}

// value walks the next value. A known path is one that the document type knows.
func (w *tokenWalker) value(path string, known, nullable bool, depth int) error {
	token, err := w.dec.Token()
	if err != nil {
		return w.fail("not JSON: %v", err)
	}
	if depth > MaxNesting {
		return w.fail("the document is nested more than %d deep", MaxNesting)
	}
	switch token {
	case json.Delim('{'):
		return w.object(path, known, depth)
	case json.Delim('['):
		for w.dec.More() {
			if err := w.value(path+"[]", known, false, depth+1); err != nil {
				return err
			}
		}
		_, err := w.dec.Token()
		return err
	case nil:
		switch {
		case known && !nullable && path == "":
			return w.fail("the document is null")
		case known && !nullable:
			return w.fail("field %s is null", path)
		}
	}
	return nil
}

// object walks the members of an object whose brace has been read.
func (w *tokenWalker) object(path string, known bool, depth int) error {
	seen := map[string]bool{}
	for w.dec.More() {
		token, err := w.dec.Token()
		if err != nil {
			return w.fail("not JSON: %v", err)
		}
		key := token.(string)
		if seen[key] {
			return w.fail("field %s is repeated", join(path, key))
		}
		seen[key] = true
		f, found, err := w.lookUp(path, key, known)
		if err != nil {
			return err
		}
		if err := w.value(join(path, key), found, f.nullable, depth+1); err != nil {
			return err
		}
	}
	if _, err := w.dec.Token(); err != nil || !known {
		return err
	}
	for _, f := range w.fields[path] {
		if f.Required && !seen[f.Name] {
			return w.fail("field %s is missing", join(path, f.Name))
		}
	}
	return nil
}

// lookUp finds a key among the fields of an object. A key that differs from a field in case only is an error: some
// readers would take it for the field.
func (w *tokenWalker) lookUp(path, key string, known bool) (Field, bool, error) {
	if !known {
		return Field{}, false, nil
	}
	for _, f := range w.fields[path] {
		if f.Name == key {
			return f, true, nil
		}
		if bytes.EqualFold([]byte(f.Name), []byte(key)) {
			return Field{}, false, w.fail("field %s must be written %s", join(path, key), f.Name)
		}
	}
	return Field{}, false, nil
}

// TestWalkers: the scanner and the decoder find the same faults in the same places.
func TestWalkers(t *testing.T) {
	coretest.Alone(t)
	files, err := filepath.Glob("check/testdata/valid/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	rng := rand.New(rand.NewPCG(3, 0))
	faults := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if len(data) > 20_000 {
			continue
		}
		for range 100 {
			spoiled := spoil(rng, data)
			if checkSyntax(spoiled) != nil {
				continue
			}
			for _, document := range []any{Record{}, Evaluation{}} {
				kind := reflect.TypeOf(document)
				fast, slow := checkFields(spoiled, kind), checkFieldsByToken(spoiled, kind)
				if !reflect.DeepEqual(fast, slow) {
					t.Fatalf("%s: %v and %v\n%s", file, fast, slow, spoiled)
				}
				if fast != nil {
					faults++
				}
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
