package main

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// A fullDisk takes no bytes.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// TestLostResults holds that a command whose results did not get out has failed.
func TestLostResults(t *testing.T) {
	for _, line := range []string{"eval --torus 4x4 --placement full --routing odr", "version", "bound --torus 4x4 --size 4 --routing odr --json"} {
		var messages strings.Builder
		if status := run(context.Background(), strings.Fields(line), nil, fullDisk{}, &messages); status != 1 || !strings.Contains(messages.String(), "leeway: no space left") {
			t.Errorf("%s: status %d, %q", line, status, messages.String())
		}
	}
}
