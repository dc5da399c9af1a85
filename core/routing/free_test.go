package routing_test

import (
	"errors"
	"testing"

	"leeway/core"
	"leeway/core/routing"
)

func TestParseFree(t *testing.T) {
	for text, want := range map[string]routing.Free{"free": {MinPaths: 1}, "free:single-path": {Single: true,
		MinPaths: 1}, "free:min-paths=2": {MinPaths: 2}} {
		if f, free, err := routing.ParseFree(text); f != want || !free || err != nil || f.String() != text {
			t.Errorf("%s: %+v, %v, %v, %s", text, f, free, err, f)
		}
	}
	for _, text := range []string{"free:", "free:min-paths=0", "free:min-paths=02", "free:min-paths=-1",
		"free:min-paths=", "free:single-path:min-paths=2"} {
		var input *core.InputError
		if _, free, err := routing.ParseFree(text); !free || !errors.As(err, &input) {
			t.Errorf("%s: %v, %v", text, free, err)
		}
	}
	for _, text := range []string{"", "udr", "freedom", "Free"} {
		if _, free, err := routing.ParseFree(text); free || err != nil {
			t.Errorf("%q: %v, %v", text, free, err)
		}
	}
}

// FuzzParseFree holds what is read against what is written.
func FuzzParseFree(f *testing.F) {
	for _, text := range []string{"free", "free:single-path", "free:min-paths=12", "free:min-paths=+1", "udr"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		free, ok, err := routing.ParseFree(text)
		if !ok || err != nil {
			return
		}
		if again, ok, err := routing.ParseFree(free.String()); again != free || !ok || err != nil {
			t.Errorf("%q gives %+v, read again %+v", text, free, again)
		}
	})
}
