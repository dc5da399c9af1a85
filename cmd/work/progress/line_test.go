package progress

import (
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"leeway/cmd/work"
	"leeway/search"
)

// The rate is that of late: what a search did before says nothing about a census that runs now.
func TestLineRate(t *testing.T) {
	p := NewLine("", "8x8 n=16 odr", big.NewRat(4, 1), work.Budget{})
	for _, c := range []struct {
		seconds, evaluations int64
		want                 string
	}{{1, 3_000_000, "3.0M evaluations/s"}, {11, 3_000_050, "5 evaluations/s"}, {21, 3_000_050, ""}, {31, 10, ""},
		{41, 510, "50 evaluations/s"}} {
		p.Observe(search.Event{Method: "census", Evaluations: c.evaluations})
		fields, _ := p.Fields(p.started.Add(time.Duration(c.seconds)*time.Second), false)
		line := fmt.Sprint(fields)
		if c.want == "" && strings.Contains(line, "evaluations/s") || !strings.Contains(line, c.want) {
			t.Errorf("after %d s: %q, want %q", c.seconds, line, c.want)
		}
	}
}
