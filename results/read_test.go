package results_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"leeway/core/coretest"
	"leeway/results"
	"leeway/results/layout"
)

// refused checks that an error is a *ReadError that says what it should.
func refused(t *testing.T, name string, err error, want string) {
	t.Helper()
	var e *results.ReadError
	if !errors.As(err, &e) || !strings.Contains(e.Error(), want) {
		t.Errorf("%s: error %v, want a ReadError with %q", name, err, want)
	}
}

func TestReadRefuses(t *testing.T) {
	text, _ := layout.Encode(sample(t))
	for name, c := range map[string]struct{ old, new, want string }{
		"missing":         {`  "size": 16,` + "\n", "", "field size is missing"},
		"missing inside":  {`"method": "genetic",`, "", "field found_by.method is missing"},
		"twice":           {`"size": 16,`, `"size": 16, "size": 16,`, "5:20: field size is repeated"},
		"twice, unknown":  {`"size": 16,`, `"size": 16, "x": {"y": 1, "y": 1},`, "field x.y is repeated"},
		"twice, escaped":  {`"size": 16,`, `"size": 16, "s\u0069ze": 16,`, "field size is repeated"},
		"case":            {`"size": 16,`, `"size": 16, "Size": 17,`, "must be written size"},
		"case inside":     {`"method": "genetic",`, `"method": "genetic", "METHOD": "x",`, "must be written method"},
		"case, unicode":   {`"size": 16,`, `"size": 16, "` + "\u017f" + `ize": 17,`, "must be written size"},
		"null":            {`"size": 16,`, `"size": null,`, "field size is null"},
		"null coordinate": {"[0,4]", "[0,null]", "field nodes[][] is null"},
		"null node":       {"[0,4]", "null", "field nodes[] is null"},
		"text for number": {`"size": 16,`, `"size": "16",`, "field size: string where a whole number is needed"},
		"fractional size": {`"size": 16,`, `"size": 16.0,`, "a whole number is needed"},
		"huge size":       {`"size": 16,`, `"size": 99999999999999999999,`, "a whole number is needed"},
		"negative seed":   {`"seed": 18446744073709551615,`, `"seed": -1,`, "at least 0 is needed"},
		"number for text": {`"max_load": "4"`, `"max_load": 4`, "field max_load: number where a text is needed"},
		"list for object": {`"baseline": {`, `"baseline": [], "b": {`, "an object is needed"},
		"version":         {"leeway/record/1", "leeway/record/9", `unknown schema "leeway/record/9"`},
		"schema a number": {`"leeway/record/1"`, "1", "field schema is not a text"},
		"schema's case":   {`"schema"`, `"Schema"`, "field schema is missing"},
		"syntax":          {`"size": 16,`, `"size": 16,,`, "5:14: not JSON"},
	} {
		spoiled := strings.Replace(string(text), c.old, c.new, 1)
		if spoiled == string(text) {
			t.Fatalf("%s: nothing was changed", name)
		}
		_, err := results.ReadRecord([]byte(spoiled))
		refused(t, name, err, c.want)
	}
	_, err := results.ReadRecord(append(text, '1'))
	refused(t, "trailing data", err, "not JSON")
	_, err = results.ReadRecord(bytes.Repeat([]byte("["), 5_000_000))
	refused(t, "bomb", err, "not JSON")
	_, err = results.ReadRecord(make([]byte, results.MaxFileBytes+1))
	refused(t, "size", err, "most that is read")
}

// FuzzRead holds that reading never panics and that what was read is read again from what is written.
func FuzzRead(f *testing.F) {
	files, _ := filepath.Glob("check/testdata/*/*.json")
	for _, file := range files {
		if text, err := os.ReadFile(file); err == nil {
			f.Add(text)
		}
	}
	text, _ := layout.Encode(sample(f))
	f.Add(text)
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := results.ReadRecord(data)
		var unreadable *results.ReadError
		if err != nil {
			if !errors.As(err, &unreadable) {
				t.Fatalf("untyped error %v", err)
			}
			return
		}
		text := coretest.Must(layout.Encode(r))
		again, err := results.ReadRecord(text)
		if err != nil || !reflect.DeepEqual(again, r) {
			t.Fatalf("read %+v, then %+v, %v from\n%s", r, again, err, text)
		}
	})
}
