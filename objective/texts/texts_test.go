package texts_test

import (
	"errors"
	"strings"
	"testing"

	"leeway/core"
	"leeway/objective/texts"
)

// TestPlaces: an error about a text points at what is wrong in it, whatever stands before.
func TestPlaces(t *testing.T) {
	for _, c := range []struct{ text, part string }{
		{"4x1", "1"},
		{"4x4:open=7", "7"},
		{"4x4:traffic=client", "client"},
		{"4x4:traffic=clients:request=-1", "-1"},
		{"4x4:traffic=clients:request=1:reply=x", "x"},
		{"4x4:fixed=0,0:traffic=clients:answer=2", "answer"},
		{"4x4:reply-routing=odr", "odr"},
		{"4x4:traffic=clients:reply-routing=odr:order=2,0", "2,0"},
		{"4x4:traffic=clients:reply-routing=@a.json", "@a.json"},
		{"4x4:traffic=clients:reply=0:reply-routing=odr:order=1,0", "odr:order=1,0"},
		{"4x4:fixed=0,0+4,1:forbidden=1,1", "4,1"},
		{"4x4:fixed=0,0+1,1:forbidden=2,2+1,1", "2,2+1,1"},
		{"4x4:fixed=0,0:fixed=1,1", "fixed"},
		{"4x4:forbidden=0,0+0,0", "0,0"},
		{"4x4:radius=0", "0"},
		{"4x4:fixed=0,0:radius=-1:distance=3", "-1"},
		{"4x4:distance=x", "x"},
	} {
		_, err := texts.ParseWhere(c.text)
		var e *core.InputError
		if !errors.As(err, &e) {
			t.Errorf("%q: %v, want an error about it", c.text, err)
			continue
		}
		if e.Text != c.text || e.Part != c.part || e.Offset != strings.LastIndex(c.text, c.part) {
			t.Errorf("%q: %v, want it to point at %q", c.text, err, c.part)
		}
	}
}

// TestCanonicalRouting: without a network that of the first tori for which a text is valid.
func TestCanonicalRouting(t *testing.T) {
	for text, want := range map[string]string{"xy": "odr:order=1,0:tie=plus", "orders:012": "odr:tie=plus",
		"free:min-paths=1": "free"} {
		if got, err := texts.CanonicalRouting(nil, text); got != want || err != nil {
			t.Errorf("%s is %q, error %v", text, got, err)
		}
	}
}
