package routing_test

import (
	"fmt"
	"iter"
	"math/big"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/routing"
)

// A recorder remembers why a test failed instead of failing.
type recorder struct {
	testing.TB
	why string
}

type stopped struct{}

func (r *recorder) Helper() {}

func (r *recorder) Fatalf(format string, args ...any) {
	r.why = fmt.Sprintf(format, args...)
	panic(stopped{})
}

// failure returns why a check fails, "" if it does not.
func failure(check func(testing.TB)) (why string) {
	rec := &recorder{}
	defer func() {
		if e := recover(); e != nil && e != any(stopped{}) {
			panic(e)
		}
		why = rec.why
	}()
	check(rec)
	return ""
}

// A mutant is a routing with one promise broken; what is not set stays whole.
type mutant struct {
	routing.Routing
	paths func(list [][]core.Link, p int) [][]core.Link
	flow  func(f routing.Flow, p int) routing.Flow
	den   *big.Int
	text  string
}

func (m mutant) String() string {
	if m.text != "" {
		return m.text
	}
	return m.Routing.String()
}

func (m mutant) Denominator() *big.Int {
	if m.den != nil {
		return m.den
	}
	return m.Routing.Denominator()
}

func (m mutant) Paths(p, q int, s core.Set) iter.Seq2[[]core.Link, int64] {
	if m.paths == nil {
		return m.Routing.Paths(p, q, s)
	}
	return func(yield func([]core.Link, int64) bool) {
		var list [][]core.Link
		for path := range m.Routing.Paths(p, q, s) {
			list = append(list, append([]core.Link(nil), path...))
		}
		for _, path := range m.paths(list, p) {
			if !yield(path, 1) {
				return
			}
		}
	}
}

func (m mutant) Flow(p, q int, s core.Set) routing.Flow {
	f := m.Routing.Flow(p, q, s)
	if m.flow != nil {
		f = m.flow(f, p)
	}
	return f
}

// onFirst changes only the first path of a pair.
func onFirst(change func(path []core.Link) []core.Link) func([][]core.Link, int) [][]core.Link {
	return func(list [][]core.Link, _ int) [][]core.Link {
		list[0] = change(list[0])
		return list
	}
}

// TestConformCatchesBrokenPromises breaks one promise at a time; each must be
// found, and for the reason meant.
func TestConformCatchesBrokenPromises(t *testing.T) {
	torus := core.MustTorus(4, 3)
	udr := routing.NewUDR(torus, routing.TieBoth)
	double := func(f routing.Flow, _ int) routing.Flow {
		f.Shares[0].Num = new(big.Int).Lsh(f.Shares[0].Num, 1)
		return f
	}
	repeat := func(f routing.Flow, _ int) routing.Flow { f.Shares[len(f.Shares)-1] = f.Shares[0]; return f }
	thereAndBack := func(path []core.Link) []core.Link {
		_, to := torus.LinkEnds(path[0])
		_, port := torus.LinkFrom(path[0])
		return append([]core.Link{path[0], torus.Link(to, port.Dim, -port.Dir)}, path...)
	}
	longWay := func(path []core.Link) []core.Link {
		from, port := torus.LinkFrom(path[0])
		if len(path) != 1 || torus.Side(port.Dim) != 3 {
			return path
		}
		next := torus.Shift(from, port.Dim, -int(port.Dir))
		return []core.Link{torus.Link(from, port.Dim, -port.Dir), torus.Link(next, port.Dim, -port.Dir)}
	}
	for _, c := range []struct {
		reason string
		mutant mutant
	}{
		{"", mutant{}},
		{"no path", mutant{paths: func([][]core.Link, int) [][]core.Link { return nil }}},
		{"comes twice", mutant{paths: func(l [][]core.Link, _ int) [][]core.Link { return append(l, l[0]) }}},
		{"the flow names", mutant{paths: func(l [][]core.Link, _ int) [][]core.Link { return l[:(len(l)+1)/2] }}},
		{"ends at", mutant{paths: onFirst(func(path []core.Link) []core.Link { return path[:len(path)-1] })}},
		{"jumps", mutant{paths: onFirst(func(path []core.Link) []core.Link { return append(path, path[0]) })}},
		{"visits", mutant{paths: onFirst(thereAndBack)}},
		{"the distance is", mutant{paths: onFirst(longWay)}},
		{"the flow names", mutant{flow: func(f routing.Flow, _ int) routing.Flow { f.Shares = f.Shares[1:]; return f }}},
		{"the paths give", mutant{flow: double}},
		{"is repeated", mutant{flow: repeat}},
		{"not a multiple of", mutant{den: big.NewInt(1)}},
		{"does not read back", mutant{text: "udr:tie=neither"}},
		{"reads back as", mutant{text: "udr"}},
		{"read back: ", mutant{text: "odr:tie=both"}},
	} {
		c.mutant.Routing = udr
		why := failure(func(tb testing.TB) { conform(tb, c.mutant, core.NewSet(torus.N())) })
		if !strings.Contains(why, c.reason) || (why == "") != (c.reason == "") {
			t.Errorf("broken for %q: rejected because of %q", c.reason, why)
		}
	}
}

// TestTranslationsAreChecked lets the flow depend on the source node.
func TestTranslationsAreChecked(t *testing.T) {
	torus := core.MustTorus(4, 3)
	r := mutant{Routing: routing.NewUDR(torus, routing.TieBoth)}
	r.flow = func(f routing.Flow, p int) routing.Flow {
		if p == 5 {
			f.Shares[0].Num = new(big.Int).Lsh(f.Shares[0].Num, 1)
		}
		return f
	}
	why := failure(func(tb testing.TB) { checkTranslations(tb, r, core.NewSet(torus.N())) })
	if !strings.Contains(why, "moved by [1 2]") {
		t.Errorf("a flow that depends on the source gives %q", why)
	}
}
