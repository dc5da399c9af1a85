package exchange

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"leeway/core"
)

// TestClassesAgainstAll compares the run of one source a class with the run of all.
func TestClassesAgainstAll(t *testing.T) {
	for _, c := range [][2]string{{"ring", "16"}, {"ring", "9"}, {"t1", "8x16"}, {"t4", "16x16"}, {"t4", "8x32"}, {"t4", "12x20"}, {"c1", "8x4x5"}, {"c64", "8x8x8"}} {
		p := planOf(t, c[0], c[1], Published)
		got, err := p.RunClasses()
		if err != nil {
			t.Error(err)
			continue
		}
		all, err := simulate(p.Schedule())
		if err != nil {
			t.Error(err)
		}
		if !slices.Equal(got.Sizes, all.sizes) {
			t.Errorf("%s on %s: sizes by classes %v, by all blocks %v", c[0], c[1], got.Sizes, all.sizes)
		}
	}
}

// TestC64OnLargestTorus runs 512 of the 32768 sources of 32x32x32.
func TestC64OnLargestTorus(t *testing.T) {
	if testing.Short() {
		t.Skip("follows 16.8 million blocks")
	}
	p := planOf(t, "c64", "32^3", Published)
	got, err := p.RunClasses()
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Period, []int{8, 8, 8}) || got.Blocks != 512*32767 || len(got.Sizes) != 25 || total(got.Sizes) != 376832 {
		t.Errorf("found %+v", got)
	}
}

func TestTooManyToFollow(t *testing.T) {
	var e *core.InputError
	if _, err := planOf(t, "c1", "30^3", Published).RunClasses(); !errors.As(err, &e) {
		t.Errorf("error %v", err)
	}
}

// TestClassRunRejects changes one thing in a correct first phase.
func TestClassRunRejects(t *testing.T) {
	p := planOf(t, "t4", "16x16", Published)
	for _, c := range []struct {
		change func(Phase) Phase
		want   string
	}{
		{func(f Phase) Phase { return f }, "<nil>"},
		{func(f Phase) Phase { return append(f, f[3]) }, "port twice"},
		{func(f Phase) Phase { f[1].To = f[0].To; return f }, "port twice"},
		{func(f Phase) Phase {
			f[0].Dir, f[16].Dir = core.Minus, core.Minus
			f[1], f[16] = f[16], f[1]
			return f
		}, "again"},
		{func(f Phase) Phase { f[21].Dir = core.Minus; return f }, "differs"},
		{func(f Phase) Phase { return f[1:] }, "only 15 nodes"},
		{func(f Phase) Phase { f[0].Blocks[0] = f[1].Blocks[0]; return f }, "which is at"},
	} {
		var phase Phase
		for first := range p.phases(p.Period()) {
			phase = slices.Clone(first)
			break
		}
		runner := newClassRunner(p)
		if err := runner.play(c.change(phase)); !strings.Contains(fmt.Sprint(err), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}
