package results_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"leeway/core"
	"leeway/results"
	"leeway/results/disk"
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

func TestReadFileNamesTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cut.json")
	_, err := disk.ReadRecordFile(t.Context(), path)
	refused(t, "no file", err, path+": no such file")
	if err := os.WriteFile(path, []byte("{\n\"schema\":"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = disk.ReadRecordFile(t.Context(), path)
	refused(t, "cut", err, path+":2:")
	_, err = disk.ReadRecordFile(t.Context(), filepath.Dir(path))
	refused(t, "folder", err, "is a directory")
}

func TestReadPlacement(t *testing.T) {
	torus := core.MustTorus(8, 8)
	record, _ := layout.Encode(sample(t))
	p, err := disk.ReadPlacement(record, torus)
	if err != nil || !reflect.DeepEqual(p.Coords(), sample(t).Nodes) {
		t.Errorf("record: %v, %v", p.Coords(), err)
	}
	evaluation := `{"schema":"leeway/evaluation/1","torus":[8,8],"routing":"odr:tie=plus","size":1,
		"nodes":[[7,1]],"max_load":"0",
		"mean_load":"0","links":256,"links_at_max":0,"uniform":[false,false]}`
	for name, text := range map[string]string{"evaluation": evaluation, "list": " [[7,1]]\n"} {
		p, err := disk.ReadPlacement([]byte(text), torus)
		if err != nil || !reflect.DeepEqual(p.Coords(), [][]int{{7, 1}}) {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err = disk.ReadPlacement(record, core.MustTorus(8, 9))
	refused(t, "torus", err, "on torus 8x8, not on 8x9")
	for text, want := range map[string]string{
		"[[0,8]]": "outside 0..7", "[[0,0],[0,0]]": "twice", "[[0]]": "coordinates", "[0,1]": "list of coordinate lists",
		"[[0,null]]": "null", "[[0,1.5]]": "list of coordinate lists", "[[0,0]] 1": "not JSON",
		`{"schema":"leeway/table/1"}`: "leeway/table/1", `"x"`: "not a JSON object", "null": "not a JSON object",
		"": "empty",
	} {
		_, err := disk.ReadPlacement([]byte(text), torus)
		refused(t, text, err, want)
	}
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
		text, err := layout.Encode(r)
		if err != nil {
			t.Fatal(err)
		}
		again, err := results.ReadRecord(text)
		if err != nil || !reflect.DeepEqual(again, r) {
			t.Fatalf("read %+v, then %+v, %v from\n%s", r, again, err, text)
		}
	})
}
