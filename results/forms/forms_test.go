package forms_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"text/template"

	"leeway/core/coretest"
	"leeway/results/forms"
)

const lists = `{{/* A list of names. */}}

{{define "list"}}
{{$last := ""}}
{{len .}} names:
{{range $i, $name := .}}
  {{if gt (len $name) 1}}
  {{$i}} {{upper $name}}
  {{else}}
  {{$i}} {{$name}}{{if eq $i 0}} first{{end}}
  {{end}}
{{$last = $name}}
{{end}}
last {{$last}}
{{end}}
`

// TestWrite: lines with an action alone leave nothing behind, the others stay as they stand.
func TestWrite(t *testing.T) {
	made := forms.Parse(lists, template.FuncMap{"upper": strings.ToUpper})
	var b strings.Builder
	coretest.Try(forms.Write(&b, made, "list", []string{"a", "bc"}))
	if want := "2 names:\n  0 a first\n  1 BC\nlast bc\n"; b.String() != want {
		t.Errorf("%q, not %q", b.String(), want)
	}
	if err := forms.Write(full{}, made, "list", []string{"a"}); !errors.Is(err, errFull) {
		t.Errorf("the error of the writer is %v", err)
	}
}

// TestOf: what a definition uses comes with it, also by others and when it uses itself, and no more.
func TestOf(t *testing.T) {
	const text = `{{define "a"}}
one {{template "b" .}} {{template "c" .}}
{{end}}

{{define "ab"}}
other
{{end}}

{{define "b"}}
two {{template "c" .}}
{{end}}
{{/* The last. */}}

{{define "c"}}
{{if false}}
{{template "a" .}}
{{end}}
{{end}}
`
	var names []string
	for _, part := range forms.Parse(forms.Of(text, "a"), nil).Templates() {
		if part.Name() != "" {
			names = append(names, part.Name())
		}
	}
	slices.Sort(names)
	if want := []string{"a", "b", "c"}; !slices.Equal(names, want) {
		t.Errorf("%q, not %q", names, want)
	}
}

var errFull = errors.New("full")

// A full is a writer that takes nothing.
type full struct{}

// Write fails.
func (full) Write([]byte) (int, error) { return 0, errFull }
