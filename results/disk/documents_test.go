package disk_test

import (
	"errors"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/results"
	"leeway/results/compose"
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

func sample(t *testing.T) results.Record {
	t.Helper()
	torus := core.MustTorus(8, 8)
	return coretest.Must(compose.New(compose.Values{Routing: routing.NewUDR(torus, routing.TieBoth),
		Placement: coretest.Must(family.Parse(torus, "spaced:t=2")), MaxLoad: big.NewRat(4, 1)}))
}

func TestReadFileNamesTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cut.json")
	_, err := disk.ReadRecordFile(t.Context(), path)
	refused(t, "no file", err, path+": no such file")
	coretest.Try(os.WriteFile(path, []byte("{\n\"schema\":"), 0o600))
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

func TestReadTableFileNamesTheFile(t *testing.T) {
	table := coretest.Must(layout.Encode(compose.NewTable(coretest.Table(coretest.Rng(1, 1), core.MustTorus(3, 2), true))))
	path := filepath.Join(t.TempDir(), "table.json")
	_, err := disk.ReadTableFile(t.Context(), path, core.MustTorus(3, 2))
	refused(t, "no file", err, path+": no such file")
	coretest.Try(os.WriteFile(path, table, 0o600))
	_, err = disk.ReadTableFile(t.Context(), path, core.MustTorus(3, 3))
	refused(t, "torus", err, path+`: "table": it is for torus 3x2`)
	if _, err := disk.ReadTableFile(t.Context(), path, core.MustTorus(3, 2)); err != nil {
		t.Error(err)
	}
}
