// Package refutetest holds engines that write proofs as steps against the best of all placements. Only tests import it.
package refutetest

import (
	"bytes"
	"io"
	"math/big"
	"math/rand/v2"
	"testing"

	"leeway/core"
	"leeway/encode/steps"
	"leeway/objective"
	"leeway/search/refuters"
	"leeway/search/searchtest"
)

// A Judge returns nil if a stream of steps proves that no placement of a problem is below a value, or at most it.
type Judge func(p objective.Problem, value *big.Rat, atMost bool, stream io.Reader) error

// HoldRandom is Hold with a random problem on a network, at times with clients, if the engine takes it.
func HoldRandom(t *testing.T, judge Judge, rng *rand.Rand, network *core.Torus, takes func(objective.Problem) error,
	refute func(p objective.Problem, below *big.Rat, w *steps.Writer) error) {
	t.Helper()
	p := searchtest.ConditionedOn(rng, network)
	if rng.IntN(3) == 0 {
		p = searchtest.ClientsOn(rng, network)
	}
	if takes(p) == nil {
		Hold(t, judge, p, searchtest.Optimum(p), func(below *big.Rat, w *steps.Writer) error { return refute(p, below, w) })
	}
}

// Hold has a judge follow what an engine writes about a problem, see Follows; asked about a little more than the
// best, the engine finds one of the best.
func Hold(t *testing.T, judge Judge, p objective.Problem, best *big.Rat,
	refute func(below *big.Rat, w *steps.Writer) error) {
	t.Helper()
	Follows(t, judge, p, best, refute)
	above := new(big.Rat).Add(best, big.NewRat(1, 1000000))
	err := refute(above, steps.NewWriter(new(bytes.Buffer), steps.Sets(p)))
	if s, ok := refuters.Found(err); !ok {
		t.Fatalf("%s below %s: %v", p, above.RatString(), err)
	} else if most, _ := p.Naive(s).Max(); most.Cmp(best) != 0 || !p.Admits(s) {
		t.Fatalf("%s: %v has %s", p, s.Nodes(), most.RatString())
	}
}

// Follows has a judge accept from what an engine writes that no placement is below the best of all, and not that
// none is as good.
func Follows(t *testing.T, judge Judge, p objective.Problem, best *big.Rat,
	refute func(below *big.Rat, w *steps.Writer) error) {
	t.Helper()
	var stream bytes.Buffer
	w := steps.NewWriter(&stream, steps.Sets(p))
	if err := w.Finish(refute(best, w)); err != nil {
		t.Fatalf("%s below %s: %v", p, best.RatString(), err)
	}
	for _, atMost := range []bool{false, true} {
		err := judge(p, best, atMost, bytes.NewReader(stream.Bytes()))
		if (err != nil) != atMost {
			t.Fatalf("%s, at most %s: %v: %v", p, best.RatString(), atMost, err)
		}
	}
}
