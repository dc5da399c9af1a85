package message

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func sampleUnits() []Unit {
	c := Unit{Schema: UnitSchema, Torus: "8x8", Routing: "odr:tie=plus", Size: 15, Census: &Range{Below: "13/2",
		Engine: "margin", Prefixes: 100, From: 3, Count: 7}, Issue: 12}
	s := Unit{Schema: UnitSchema, Torus: "3x3", Routing: "udr:tie=both", Size: 2,
		Search: &Search{Number: 4, Seed: 1<<64 - 1, Methods: []string{"local"}, Exact: []string{"census"},
			Evaluations: 5000, Starts: [][]int{{0, 4}}, Goal: "1/2"}}
	return []Unit{c, s}
}

func TestUnitText(t *testing.T) {
	for _, u := range sampleUnits() {
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
	texts := []string{string(sampleUnits()[0].Text()), string(sampleUnits()[1].Text())}
	for _, c := range []struct {
		text     int
		old, new string
	}{
		{0, `unit/1`, `unit/2`}, {0, `"8x8"`, `"08x8"`}, {0, `"8x8"`, `"8^2"`}, {0, `:tie=plus`, ``}, {0, `"size":15`,
			`"size":65`}, {0, `"size":15`, `"size":0`},
		{0, `13/2`, `26/4`}, {0, `13/2`, `x`}, {0, `"from":3`, `"from":-1`}, {0, `"from":3`, `"from":94`}, {0, `"count":7`,
			`"count":0`}, {0, `"count":7`, `"count":9223372036854775807`},
		{0, `"issue":12`, `"issue":-1`}, {0, `"issue":12`, `"issue":12,"more":1`}, {0, `"issue":12}`, `"issue":12}{}`}, {0,
			`{"schema"`, ` {"schema"`},
		{1, `"local"`, ``}, {1, `[0,4]`, `[0]`}, {1, `[0,4]`, `[0,9]`}, {1, `[0,4]`, `[0,0]`}, {1, `5000`, `0`}, {1,
			`"goal":"1/2"`, `"goal":"1/0"`}, {1, `"search"`, `"census"`},
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

func FuzzParseUnit(f *testing.F) {
	for _, u := range sampleUnits() {
		f.Add(u.Text())
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if u, err := ParseUnit(text); err == nil && !bytes.Equal(u.Text(), text) {
			t.Errorf("%s becomes %s", text, u.Text())
		}
	})
}

func FuzzParseResult(f *testing.F) {
	f.Add(Result{Unit: "ab", Worker: "w", Done: 3, Nodes: 9, Sum: "00000000000000ff", Seconds: 0.5}.Text())
	f.Add(Result{Unit: "ab", Worker: "w", Best: []int{0, 1}, Value: "5/2", Method: "local", Refuted: true}.Text())
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := ParseResult(text)
		if err != nil {
			return
		}
		if back, err := ParseResult(r.Text()); err != nil || !reflect.DeepEqual(back, r) {
			t.Errorf("%s becomes %+v, %v", text, back, err)
		}
	})
}

// TestResultChecksum changes every byte of a result.
func TestResultChecksum(t *testing.T) {
	r := Result{Unit: "0123", Worker: "w", Done: 3, Nodes: 9, Sum: "00000000000000ff"}
	text := r.Text()
	for i := range text {
		wrong := bytes.Clone(text)
		wrong[i] ^= 1
		if got, err := ParseResult(wrong); err == nil {
			t.Errorf("%s is read as %+v", wrong, got)
		}
	}
	var loose map[string]any
	if err := json.Unmarshal(text, &loose); err != nil || len(loose["check"].(string)) != 32 {
		t.Error(loose, err)
	}
}
