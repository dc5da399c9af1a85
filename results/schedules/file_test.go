package schedules

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/objective/exchange"
	"leeway/results"
	"leeway/results/disk"
)

const smallSchedule = `{"schema":"leeway/schedule/1","name":"small","model":"wormhole","axes":[` +
	`{"kind":"ring","nodes":3},{"kind":"graph","nodes":2,"edges":[[0,1]]}],"participants":[0,5],"phases":[
[{"from":0,"to":2,"axis":0,"dir":"-","blocks":[[0,5],[5,0]]},` +
	`{"from":1,"to":3,"path":[[0,1],[1,-1]],"blocks":[]},{"from":2,"to":4,"blocks":[]}],
[]
]}
`

// wholeSchedule reads everything.
func wholeSchedule(text string) (exchange.Head, []exchange.Phase, error) {
	r, err := Read(strings.NewReader(text))
	if err != nil {
		return exchange.Head{}, nil, err
	}
	var phases []exchange.Phase
	for phase, err := range r.Phases() {
		if err != nil {
			return r.Head, phases, err
		}
		var kept exchange.Phase
		for _, s := range phase {
			s.Blocks = append([]exchange.Block{}, s.Blocks...)
			kept = append(kept, s)
		}
		phases = append(phases, kept)
	}
	return r.Head, phases, nil
}

func phasesOf(list []exchange.Phase, last error) Phases {
	return func(yield func(exchange.Phase, error) bool) {
		for _, p := range list {
			if !yield(p, nil) {
				return
			}
		}
		if last != nil {
			yield(nil, last)
		}
	}
}

func TestScheduleIsRead(t *testing.T) {
	head, phases, err := wholeSchedule(smallSchedule)
	if err != nil {
		t.Fatal(err)
	}
	wantHead := exchange.Head{Name: "small", Model: exchange.Wormhole, Participants: []int{0, 5},
		Axes: []exchange.Axis{{Kind: exchange.Ring, Nodes: 3},
			{Kind: exchange.Graph, Nodes: 2, Edges: [][]int{{0, 1}}}}}
	want := []exchange.Phase{{
		{From: 0, To: 2, Axis: 0, Dir: core.Minus, Blocks: []exchange.Block{{From: 0, To: 5}, {From: 5, To: 0}}},
		{From: 1, To: 3, Axis: -1, Path: []exchange.Leg{{Axis: 0, Links: 1}, {Axis: 1, Links: -1}},
			Blocks: []exchange.Block{}},
		{From: 2, To: 4, Axis: -1, Blocks: []exchange.Block{}}}, nil}
	if !reflect.DeepEqual(head, wantHead) || !reflect.DeepEqual(phases, want) {
		t.Errorf("read %+v %+v", head, phases)
	}
	var out bytes.Buffer
	if err := write(&out, head, phasesOf(phases, nil)); err != nil || out.String() != smallSchedule {
		t.Errorf("written as %s, %v", out.String(), err)
	}
}

// TestAnyReads: what is read, and the place of an error, do not depend on how much comes at once.
func TestAnyReads(t *testing.T) {
	blocks := "[" + strings.Repeat("[0,5],\n", 40_000) + "[5,0]]"
	long := strings.Replace(smallSchedule, "[[0,5],[5,0]]", blocks, 1)
	for _, text := range []string{long, strings.Replace(long, `"path"`, `"PATH"`, 1),
		strings.Replace(long, `"to":4`, `"to":4,"é":["ü\u0041",1e3],"to":4`, 1), long[:len(long)-3]} {
		read := func(in io.Reader) (n int, err error) {
			r, err := Read(in)
			if err != nil {
				return 0, err
			}
			for phase, err := range r.Phases() {
				if err != nil {
					return n, err
				}
				for _, send := range phase {
					n += 1 + len(send.Blocks)
				}
			}
			return n, nil
		}
		whole, wholeErr := read(strings.NewReader(text))
		bytewise, bytewiseErr := read(iotest.OneByteReader(strings.NewReader(text)))
		if whole != bytewise || fmt.Sprint(wholeErr) != fmt.Sprint(bytewiseErr) || (wholeErr == nil) != (text == long) {
			t.Errorf("%d, %v, and byte by byte %d, %v", whole, wholeErr, bytewise, bytewiseErr)
		}
	}
}

// TestScheduleErrors changes the small schedule in one place and says what is to be told, and where.
func TestScheduleErrors(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`"from":0`, `"from":0.5`, `2:11: '.' where ',' or '}' is needed`},
		{`"from":0`, `"from":00`, `2:11: a whole number in 32 bits is needed`},
		{`"from":0`, `"from":2147483648`, `a whole number in 32 bits`},
		{`"from":0`, `"From":0`, `2:8: field From must be written from`},
		{`"from":0,`, ``, `field from is missing`},
		{`"from":0`, `"from":null`, `a whole number`},
		{`"dir":"-"`, `"dir":"*"`, `field dir is "*", not "+" or "-"`},
		{`[0,5],[5,0]`, `[0,5,5]`, `more than two ends`},
		{`[0,5],[5,0]`, `[0,5],`, `where a block, [from,to], is needed`},
		{`[]
]`, `{}
]`, `3:1: '{' where a phase, a list of sends, is needed`},
		{`[{"from":0`, `[7,{"from":0`, `where a send, an object, is needed`},
		{"]}\n", "]}\n7", `5:1: not JSON: the file goes on after its end`},
		{`"from":0`, `"x":[[1,2],tru],"from":0`, `not JSON: "tru"`},
		{`"from":0`, `"x":` + strings.Repeat("[", 40) + strings.Repeat("]", 40) + `,"from":0`,
			`nested more than 32 deep`},
		{`"from":0`, "\"\xff\":1,\"from\":0", `a text is malformed`},
		{`"name":"small",`, ``, `field name is missing`},
		{`"name":"small"`, `"name":"small","name":"small"`, `field name is repeated`},
		{`"wormhole"`, `"teleport"`, `is not store-and-forward, wormhole or all-port`},
		{`"participants":[0,5]`, `"participants":null`, `field participants is null`},
		{`,"edges":[[0,1]]`, ``, `a graph needs its edges`},
		{`[[0,1]]`, `[[0,1,2,3]]`, `edge 0 has 4 numbers`},
		{`"nodes":3`, `"nodes":3,"edges":[[0,1]]`, `a ring has no list of edges`},
	} {
		text := strings.Replace(smallSchedule, c.old, c.new, 1)
		_, _, err := wholeSchedule(text)
		var e *results.ReadError
		if text == smallSchedule || !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q: %v, want %q", c.new, c.old, err, c.want)
		}
	}
}

func TestScheduleFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.json")
	head, phases, err := wholeSchedule(smallSchedule)
	if err != nil {
		t.Fatal(err)
	}
	coretest.Try(WriteFile(path, head, phasesOf(phases, nil)))
	broken := errors.New("broken")
	if err := WriteFile(path, head, phasesOf(phases, broken)); !errors.Is(err, broken) {
		t.Errorf("a schedule that breaks off is written: %v", err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != smallSchedule || !IsFile(t.Context(), path) {
		t.Errorf("the file holds %s, %v", text, err)
	}
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) != 1 {
		t.Errorf("the folder holds %v, %v", left, err)
	}
	var where *disk.TargetError
	if err := WriteFile(filepath.Join(path, "b.json"), head, phasesOf(nil, nil)); !errors.As(err, &where) {
		t.Errorf("a file as a folder: %v", err)
	}
	r, err := Open(t.Context(), path)
	if err != nil || r.Head.Name != "small" || r.Close() != nil {
		t.Errorf("opened: %v", err)
	}
	if _, err := Open(t.Context(), path+".gone"); err == nil || !strings.Contains(err.Error(), "a.json.gone") {
		t.Errorf("a file that is not there: %v", err)
	}
	other := filepath.Join(filepath.Dir(path), "record.json")
	coretest.Try(os.WriteFile(other, []byte(`{"schema":"leeway/record/1","phases":[]}`), 0o600))
	if IsFile(t.Context(), other) || IsFile(t.Context(), path+".gone") {
		t.Error("a record or nothing is taken for a schedule")
	}
}

// FuzzFile: whatever is read is written again and read as the same; what is not read gives a *ReadError.
func FuzzFile(f *testing.F) {
	f.Add(smallSchedule)
	f.Add(`{"schema":"leeway/schedule/1","name":"","model":"store-and-forward",` +
		`"axes":[{"kind":"path","nodes":1}],"phases":[]}`)
	f.Add(`{"phases":[]}`)
	f.Add(`{"schema":"leeway/schedule/1","name":"","model":"all-port","axes":[{"kind":"ring","nodes":3}],` +
		`"demand":[[0,1,2]],"traffic":"matrix","placement":[0,1],"matrix":{"schema":"leeway/matrix/1","tasks":2,` +
		`"demands":[[0,1,"2"]]},"proof":{"kind":"bound","engine":"bound","below":2,"bound":"degree"},` +
		`"phases":[[{"from":0,"to":1,"blocks":[[0,1]]}]]}`)
	f.Add(strings.Replace(smallSchedule, `"from":0`, `"x":{"y":[-1.5e3,"\u0041"]},"from":-0`, 1))
	f.Fuzz(func(t *testing.T, text string) {
		head, phases, err := wholeSchedule(text)
		if err != nil {
			var e *results.ReadError
			if !errors.As(err, &e) {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		var out bytes.Buffer
		coretest.Try(write(&out, head, phasesOf(phases, nil)))
		again, same, err := wholeSchedule(out.String())
		texts := [2][]byte{coretest.Must(json.Marshal(head)), coretest.Must(json.Marshal(again))}
		if err != nil || !bytes.Equal(texts[0], texts[1]) || fmt.Sprint(phases) != fmt.Sprint(same) {
			t.Fatalf("%v: %+v %+v, then %+v %+v", err, head, phases, again, same)
		}
	})
}
