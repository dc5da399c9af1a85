package opb

import (
	"errors"
	"fmt"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/encode"
	"leeway/encode/cnf"
	"leeway/objective"
	"leeway/objective/texts"
)

func problem(torus, text string, size int) objective.Problem {
	return coretest.Must(texts.ParseProblem(torus, text, size))
}

// parsed is an OPB file: what a strict reader of the format sees.
type parsed struct {
	vars  int
	names map[string]string // by node: the variable
	rows  []Row
}

func parse(t *testing.T, text string) parsed {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	p := parsed{names: map[string]string{}}
	constraints := 0
	if _, err := fmt.Sscanf(lines[0], "* #variable= %d #constraint= %d", &p.vars, &constraints); err != nil {
		t.Fatalf("%q: %v", lines[0], err)
	}
	for _, line := range lines[1:] {
		f := strings.Fields(line)
		if f[0] == "*" {
			if len(f) == 6 && f[1] == "leeway" && f[2] == "var" && f[4] == "node" {
				p.names[f[5]] = f[3]
			}
			continue
		}
		n := len(f)
		if n < 5 || n%2 == 0 || f[n-1] != ";" || f[n-3] != "=" && f[n-3] != ">=" {
			t.Fatalf("no row: %q", line)
		}
		row := Row{Equal: f[n-3] == "=", Bound: number(t, f[n-2])}
		for i := 0; i+1 < n-3; i += 2 {
			v := number(t, strings.TrimPrefix(f[i+1], "x"))
			if f[i][0] != '+' && f[i][0] != '-' || f[i+1][0] != 'x' || v < 1 || v > int64(p.vars) {
				t.Fatalf("no term: %q %q", f[i], f[i+1])
			}
			row.Terms = append(row.Terms, Term{number(t, f[i]), int(v)})
		}
		p.rows = append(p.rows, row)
	}
	if len(p.rows) != constraints {
		t.Fatalf("%d rows, announced %d", len(p.rows), constraints)
	}
	return p
}

func number(t *testing.T, text string) int64 {
	t.Helper()
	return coretest.Must(strconv.ParseInt(text, 10, 64))
}

// holds reports whether the rows hold for the placement of a set of nodes, every
// pair variable being what its three product rows leave it.
func (p parsed) holds(t *testing.T, m *Model, x uint64) bool {
	t.Helper()
	n := m.Problem().Torus().N()
	value := make([]int64, p.vars+1)
	for v := range n {
		value[m.nodeVar(v)] = int64(x >> v & 1)
	}
	for q := range n {
		for r := range q {
			value[m.pairVar(r, q)] = int64(x >> q & 1 & (x >> r))
		}
	}
	for _, row := range p.rows {
		sum := int64(0)
		for _, term := range row.Terms {
			sum += term.Coef * value[term.Var]
		}
		if sum < row.Bound || row.Equal && sum > row.Bound {
			return false
		}
	}
	return true
}

func text(t *testing.T, m *Model) string {
	t.Helper()
	var b strings.Builder
	coretest.Try(Write(&b, []string{"a question"}, m))
	return b.String()
}

var cases = []struct{ torus, routing string }{{"2", "odr"}, {"5", "udr"}, {"8", "minimal:tie=plus"}, {"2x3", "odr"},
	{"3x3", "udr"}, {"2x4", "udr:tie=both"},
	{"3x3", "minimal"}, {"2x2x2", "orders:012+120+201"}, {"4x2", "odr:tie=both"}}

// TestRowsEqualDefinition: the text holds exactly for the placements of the size
// whose naive E_max is below the value, with and without the strengthening.
func TestRowsEqualDefinition(t *testing.T) {
	for i, c := range cases {
		rng := rand.New(rand.NewPCG(5, uint64(i)))
		nodes := problem(c.torus, c.routing, 1).Torus().N()
		for range 3 {
			p := problem(c.torus, c.routing, 1+rng.IntN(nodes))
			for _, below := range values(rng, p) {
				for _, strengthen := range []bool{false, true} {
					m := coretest.Must(New(t.Context(), p, below, Options{Strengthen: strengthen}))
					compare(t, m, parse(t, text(t, m)), below)
				}
			}
		}
	}
}

// values returns the E_max of a random placement, a little more, and 0.
func values(rng *rand.Rand, p objective.Problem) []*big.Rat {
	v, _ := objective.Naive(p.Routing, core.MustPlacement(p.Torus(), rng.Perm(p.Torus().N())[:p.Size])).Max()
	return []*big.Rat{v, new(big.Rat).Add(v, big.NewRat(1, 100)), new(big.Rat)}
}

func compare(t *testing.T, m *Model, file parsed, below *big.Rat) {
	t.Helper()
	p := m.Problem()
	for x := range uint64(1) << p.Torus().N() {
		want := bits.OnesCount64(x) == p.Size
		if want {
			v, _ := objective.Naive(p.Routing, core.MustPlacement(p.Torus(), core.Set{x}.Nodes())).Max()
			want = v.Cmp(below) < 0
		}
		if got := file.holds(t, m, x); got != want {
			t.Fatalf("%s below %s, nodes %v: rows hold %v, want %v", p, below.RatString(), core.Set{x}.Nodes(), got, want)
		}
	}
}

// TestDroppedLinkIsCaught takes away one row of a link and expects the
// comparison to have something to see.
func TestDroppedLinkIsCaught(t *testing.T) {
	p := problem("3x3", "odr", 3)
	below := big.NewRat(2, 1)
	m := coretest.Must(New(t.Context(), p, below, Options{}))
	full := parse(t, text(t, m))
	broken := full
	broken.rows = full.rows[:len(full.rows)-1]
	differ := 0
	for x := range uint64(1) << 9 {
		if full.holds(t, m, x) != broken.holds(t, m, x) {
			differ++
		}
	}
	if differ == 0 {
		t.Error("nothing shows without the row of the last link")
	}
}

// TestProductRows: the three rows leave a pair variable its product only.
func TestProductRows(t *testing.T) {
	p := problem("2", "odr", 1)
	m := coretest.Must(New(t.Context(), p, big.NewRat(9, 1), Options{}))
	rows := parse(t, text(t, m)).rows[1:4]
	for x := range 8 {
		a, b, y := int64(x&1), int64(x>>1&1), int64(x>>2&1)
		value, all := map[int]int64{1: a, 2: b, 3: y}, true
		for _, r := range rows {
			sum := int64(0)
			for _, term := range r.Terms {
				sum += term.Coef * value[term.Var]
			}
			all = all && sum >= r.Bound
		}
		if all != (y == a*b) {
			t.Errorf("x1=%d x2=%d y=%d: the rows hold: %v", a, b, y, all)
		}
	}
}

func TestNamesAndSymmetry(t *testing.T) {
	p := problem("3x3", "udr", 3)
	plain := coretest.Must(New(t.Context(), p, big.NewRat(2, 1), Options{}))
	m := coretest.Must(New(t.Context(), p, big.NewRat(2, 1), Options{BreakSymmetry: true}))
	file := parse(t, text(t, m))
	if len(file.names) != 9 || file.names["1,2"] != "x6" {
		t.Errorf("names %v", file.names)
	}
	if m.Vars() <= plain.Vars() || m.rows <= plain.rows || plain.Vars() != 9+36 {
		t.Errorf("%d variables and %d rows, without symmetry %d and %d", m.Vars(), m.rows, plain.Vars(), plain.rows)
	}
}

func TestNewRefuses(t *testing.T) {
	var unsupported *encode.UnsupportedError
	if _, err := New(t.Context(), problem("3x3", "avoid", 3), big.NewRat(1, 1), Options{}); !errors.As(err, &unsupported) {
		t.Errorf("avoid: %v", err)
	}
	huge := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), 80))
	if _, err := New(t.Context(), problem("3x3", "odr", 3), huge, Options{}); !errors.As(err, &unsupported) {
		t.Errorf("a huge limit: %v", err)
	}
}

// TestTooManyPairs: beyond maxTerms pairs nothing is set aside for the links of a torus.
func TestTooManyPairs(t *testing.T) {
	p := problem("2^26", "udr", 20)
	var large *cnf.SizeError
	if _, err := New(t.Context(), p, big.NewRat(3, 1), Options{}); !errors.As(err, &large) {
		t.Error(err)
	}
}

func TestReadAnswer(t *testing.T) {
	m := coretest.Must(New(t.Context(), problem("2x2", "odr", 1), big.NewRat(1, 1), Options{}))
	a, err := ReadAnswer(strings.NewReader("s SATISFIABLE\nv -x1 x2\n"), m)
	if err != nil || a.Value(1) || !a.Value(2) {
		t.Errorf("%+v, %v", a, err)
	}
}

// TestClauseRows: the row of a clause holds exactly where the clause does.
func TestClauseRows(t *testing.T) {
	for _, clause := range [][]int{{1}, {-1}, {1, -2, 3}, {-1, -2, -3}, {}, {2, 3}} {
		var row Row
		coretest.Try((clauseRows{func(r Row) bool { row = r; return true }}).Add(clause))
		for x := range 8 {
			want := false
			for _, l := range clause {
				want = want || (x>>(max(l, -l)-1)&1 == 1) == (l > 0)
			}
			sum := int64(0)
			for _, term := range row.Terms {
				sum += term.Coef * int64(x>>(term.Var-1)&1)
			}
			if got := sum >= row.Bound && !row.Equal; got != want {
				t.Errorf("clause %v at %b: row %+v holds %v", clause, x, row, got)
			}
		}
	}
	if err := (clauseRows{func(Row) bool { return false }}).Add([]int{1}); err == nil {
		t.Error("a reader that wants no more does not stop the clauses")
	}
}

// TestRowsStop: whoever stops after any row gets no other.
func TestRowsStop(t *testing.T) {
	m := coretest.Must(New(t.Context(), problem("2x3", "udr", 2), big.NewRat(1, 1),
		Options{Strengthen: true, BreakSymmetry: true}))
	for stop := int64(1); stop <= m.rows; stop++ {
		got := int64(0)
		m.Rows(func(Row) bool { got++; return got < stop })
		if got != stop {
			t.Fatalf("stopped after %d rows of %d, wanted %d", got, m.rows, stop)
		}
	}
}
