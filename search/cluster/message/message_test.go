package message

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/objective/texts"
)

// conditionedUnit is a unit of a network, with conditions.
func conditionedUnit() Unit {
	key := texts.Key{Torus: "4x4:open=0:bandwidth=1,2:fixed=0,0+3,3:forbidden=1,1", Routing: "udr:tie=both", Size: 3}
	return Unit{Schema: UnitSchema, Key: key, Search: &Search{Methods: []string{"local"}, Evaluations: 50,
		Starts: [][]int{{0, 7, 15}}}}
}

func sampleUnits() []Unit {
	c := Unit{Schema: UnitSchema, Key: texts.Key{Torus: "8x8", Routing: "odr:tie=plus", Size: 15},
		Proof: &Slice{Below: "13/2", Engine: "counts", Name: []int{3, 0, 7}}, Issue: 12}
	s := Unit{Schema: UnitSchema, Key: texts.Key{Torus: "3x3", Routing: "udr:tie=both", Size: 2},
		Search: &Search{Number: 4, Seed: 1<<64 - 1, Methods: []string{"local"},
			Evaluations: 5000, Starts: [][]int{{0, 4}}, Goal: "1/2"}}
	return []Unit{c, s}
}

func TestUnitText(t *testing.T) {
	for _, u := range append(sampleUnits(), conditionedUnit()) {
		back, err := ParseUnit(u.Text())
		if err != nil || !reflect.DeepEqual(u, back) {
			t.Errorf("%s: %+v, %v", u.Text(), back, err)
		}
	}
	c, s := sampleUnits()[0], sampleUnits()[1]
	other := c
	other.Issue++
	if c.ID() == other.ID() || c.Question() != other.Question() || c.Question() == s.Question() {
		t.Error("IDs tell issues apart, questions do not")
	}
}

// TestUnitRefused changes one thing after the other.
func TestUnitRefused(t *testing.T) {
	var texts []string
	for _, u := range append(sampleUnits(), conditionedUnit()) {
		texts = append(texts, string(u.Text()))
	}
	for _, c := range []struct {
		text     int
		old, new string
	}{
		{0, `unit/1`, `unit/2`}, {0, `"8x8"`, `"08x8"`}, {0, `"8x8"`, `"8^2"`}, {0, `:tie=plus`, ``}, {0, `"size":15`,
			`"size":65`}, {0, `"size":15`, `"size":0`},
		{0, `13/2`, `26/4`}, {0, `13/2`, `x`}, {0, `[3,0,7]`, `[3,-1,7]`}, {0, `[3,0,7]`, `[3,0,9223372036854775807]`},
		{0, `[3,0,7]`, `[3,0,7,]`}, {0, `"proof"`, `"search"`},
		{0, `"issue":12`, `"issue":-1`}, {0, `"issue":12`, `"issue":12,"more":1`}, {0, `"issue":12}`, `"issue":12}{}`}, {0,
			`{"schema"`, ` {"schema"`},
		{1, `"local"`, ``}, {1, `[0,4]`, `[0]`}, {1, `[0,4]`, `[0,9]`}, {1, `[0,4]`, `[0,0]`}, {1, `5000`, `0`}, {1,
			`"goal":"1/2"`, `"goal":"1/0"`}, {1, `"search"`, `"proof"`},
		{2, `:open=0`, `:open=0,0`}, {2, `=1,2`, `=1,1`}, {2, `0,0+3,3`, `3,3+0,0`}, {2, `=1,1"`, `=3,3"`},
		{2, `=1,1"`, `=4,1"`},
		{2, `"size":3`, `"size":1`}, {2, `"size":3`, `"size":16`}, {2, `[0,7,15]`, `[0,5,15]`}, {2, `[0,7,15]`, `[0,7,14]`},
		{2, `:forbidden=1,1`, `:forbidden=`},
	} {
		text := strings.Replace(texts[c.text], c.old, c.new, 1)
		if text == texts[c.text] {
			t.Fatalf("%s does not occur", c.old)
		}
		if u, err := ParseUnit([]byte(text)); err == nil {
			t.Errorf("%s is read as %+v", text, u)
		}
	}
}

// TestNewUnit goes from problems to units and back: plain tori are written as before, and networks and conditions with
// all that they are.
func TestNewUnit(t *testing.T) {
	for where, want := range map[string]string{
		"8x8": "8x8", "4x4:open=0,1": "4x4:open=0,1", "2x4:open=0:bandwidth=3,3": "2x4:bandwidth=3,3",
		"4x4:bandwidth=2,1:fixed=3,3+0,0": "4x4:bandwidth=2,1:fixed=0,0+3,3", "4x4:forbidden=1,2": "4x4:forbidden=1,2",
	} {
		p := coretest.Must(texts.ParseProblem(where, "odr", 3))
		u, err := NewUnit(p)
		if err != nil || u.Torus != want {
			t.Errorf("%s: %q, %v, want %q", where, u.Torus, err, want)
			continue
		}
		if back, err := u.Problem(); err != nil || back.String() != p.String() {
			t.Errorf("%s: %s, %v", where, back, err)
		}
	}
	free := coretest.Must(texts.ParseProblem("4x4", "free", 3))
	var input *core.InputError
	if u, err := NewUnit(free); !errors.As(err, &input) {
		t.Errorf("a free routing makes the unit %s, %v", u.Text(), err)
	}
}

func FuzzParseUnit(f *testing.F) {
	for _, u := range append(sampleUnits(), conditionedUnit()) {
		f.Add(u.Text())
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if u, err := ParseUnit(text); err == nil && !bytes.Equal(u.Text(), text) {
			t.Errorf("%s becomes %s", text, u.Text())
		}
	})
}

func FuzzParseReport(f *testing.F) {
	f.Add(Report{Unit: "ab", Worker: "w", Stream: Compress([]byte("steps")), Seconds: 0.5}.Text())
	f.Add(Report{Unit: "ab", Worker: "w", Best: []int{0, 1}, Value: "5/2", Method: "local"}.Text())
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := ParseReport(text)
		if err != nil {
			return
		}
		if back, err := ParseReport(r.Text()); err != nil || !bytes.Equal(back.Text(), r.Text()) {
			t.Errorf("%s becomes %+v, %v", text, back, err)
		}
	})
}

// TestStream compresses streams and reads them again; what is longer than streams are is cut.
func TestStream(t *testing.T) {
	for _, size := range []int{0, 1, 1 << 20, maxStream + 5} {
		stream := bytes.Repeat([]byte{7}, size)
		got, err := io.ReadAll(Report{Stream: Compress(stream)}.Steps())
		if err != nil || !bytes.Equal(got, stream[:min(size, maxStream)]) {
			t.Errorf("%d bytes become %d, %v", size, len(got), err)
		}
	}
	if _, err := io.ReadAll(Report{Stream: []byte("none")}.Steps()); err == nil {
		t.Error("a stream that is not compressed is read")
	}
}
