package work_test

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"leeway/cmd/work"
	"leeway/core"
	"leeway/core/coretest"
	"leeway/encode/cnf/cnftest"
	"leeway/objective"
	"leeway/search/searchtest"
)

// TestFormulasOnNetworksEqualDefinition reads the text of a formula in each format as any solver would and goes through
// all sets of nodes: it holds for those that are placements of the problem with E_max below the value, as the naive
// evaluator has it, and for no others, under client traffic too; where symmetry is broken, for some of them if there
// are any.
func TestFormulasOnNetworksEqualDefinition(t *testing.T) {
	yes, no, asked := 0, 0, 0
	for i := range coretest.Cases(300, 45) {
		rng := coretest.Rng(880, i)
		p := searchtest.ConditionedOn(rng, coretest.AnyNetwork(rng, 8))
		clients := rng.IntN(3) == 0
		if clients {
			p = searchtest.Clients(rng, 8)
			asked++
		}
		if p.Routing.DependsOnPlacement() {
			continue
		}
		right, below := placementsBelow(p, rng)
		f := work.Formula{Problem: p, Below: below, Format: work.FormulaFormats[i%3], BreakSymmetry: rng.IntN(3) == 0,
			Strengthen: i%3 != 0 && !clients && rng.IntN(2) == 0}
		var text strings.Builder
		coretest.Try(coretest.Must(f.Writer(context.Background()))(&text))
		holds, kept := reader(t, f, text.String()), 0
		for x := range uint64(1) << p.Torus().N() {
			got := holds(x)
			if got {
				kept++
			}
			if got != right[x] && !(f.BreakSymmetry && right[x]) {
				t.Fatalf("%s %s below %s: %v holds %v", f.Format, p, below.RatString(), core.Set{x}.Nodes(), got)
			}
		}
		if len(right) > 0 && kept == 0 {
			t.Fatalf("%s %s below %s: no placement is left of %d", f.Format, p, below.RatString(), len(right))
		}
		if yes += kept; len(right) == 0 {
			no++
		}
	}
	if yes == 0 || no == 0 || asked == 0 {
		t.Errorf("%d placements, %d formulas without any, %d of client traffic", yes, no, asked)
	}
}

// placementsBelow returns a value, most often about the optimum, and all placements of the problem with E_max below it,
// as words with a bit for each node.
func placementsBelow(p objective.Problem, rng *rand.Rand) (right map[uint64]bool, below *big.Rat) {
	below = new(big.Rat).Add(searchtest.Optimum(p), big.NewRat(rng.Int64N(4), 7))
	right = map[uint64]bool{}
	for s, v := range searchtest.Placements(p) {
		if v.Cmp(below) < 0 {
			right[s.Set()[0]] = true
		}
	}
	return right, below
}

// reader returns whether the formula of a text holds for a set of nodes: for some values of its other variables if
// these are clauses, for those that pairs have as products otherwise, and for some of those that break symmetry.
func reader(t *testing.T, f work.Formula, text string) func(x uint64) bool {
	t.Helper()
	nodes := map[int]int{} // by variable
	var clauses cnftest.Formula
	var rows []linearRow
	started := f.Format == "opb"
	for line := range strings.Lines(text) {
		words := strings.Fields(strings.TrimSuffix(strings.TrimSpace(line), ";"))
		if len(words) == 6 && words[1] == "leeway" && words[2] == "var" {
			c := strings.Split(words[5], ",")
			coords := make([]int, len(c))
			for j := range c {
				coords[j] = coretest.Must(strconv.Atoi(c[j]))
			}
			nodes[variable(words[3])] = coretest.Must(f.Problem.Torus().Node(coords...))
		}
		switch {
		case len(words) == 0 || strings.Contains("c * p \\", words[0]):
		case f.Format == "dimacs":
			var clause []int
			for _, w := range words[:len(words)-1] {
				clause = append(clause, coretest.Must(strconv.Atoi(w)))
			}
			_ = clauses.Add(clause)
		case f.Format == "lp" && !started:
			started = words[0] == "Subject"
		case words[0] == "Binaries":
			started = false
		case started && len(words) > 1:
			switch named := strings.HasSuffix(words[0], ":"); {
			case named:
				rows, words = append(rows, linearRow{}), words[1:]
			case f.Format == "opb":
				rows = append(rows, linearRow{})
			}
			rows[len(rows)-1].read(words)
		}
	}
	if len(nodes) != f.Problem.Torus().N() {
		t.Fatalf("%d nodes have a variable", len(nodes))
	}
	if f.Format != "dimacs" {
		return func(x uint64) bool { return holdRows(rows, nodes, f.Problem, x) }
	}
	return func(x uint64) bool {
		var assumed []int
		for v, node := range nodes {
			assumed = append(assumed, v*(2*int(x>>node&1)-1))
		}
		return clauses.Satisfiable(assumed)
	}
}

// variable returns the number of a variable, 7 or x7.
func variable(text string) int { return coretest.Must(strconv.Atoi(strings.TrimPrefix(text, "x"))) }

// A linearRow is a sum of terms and what it must come to.
type linearRow struct {
	coefs []int64
	vars  []int
	equal bool
	bound int64
}

// read takes in words: "+ 3 x1 - 2 x2 >= 4", or the same with signs at the numbers.
func (r *linearRow) read(words []string) {
	words = strings.Fields(strings.NewReplacer("+ ", "+", "- ", "-").Replace(strings.Join(words, " ")))
	for i := 0; i+1 < len(words); i += 2 {
		switch words[i] {
		case ">=", "=":
			r.equal, r.bound = words[i] == "=", coretest.Must(strconv.ParseInt(words[i+1], 10, 64))
		default:
			r.coefs = append(r.coefs, coretest.Must(strconv.ParseInt(words[i], 10, 64)))
			r.vars = append(r.vars, variable(words[i+1]))
		}
	}
}

// holdRows reports whether rows hold for a set of nodes. A variable of a pair, numbered after the nodes in the order of
// the larger node, is the product; the rows over further variables are clauses, which a solver looks at.
func holdRows(rows []linearRow, nodes map[int]int, p objective.Problem, x uint64) bool {
	value := map[int]int64{}
	for v, node := range nodes {
		value[v] = int64(x >> node & 1)
	}
	if n := p.Torus().N(); !p.Traffic.Clients() {
		next := n
		for q := range n {
			for p := range q {
				next++
				value[next] = int64(x >> q & (x >> p) & 1)
			}
		}
	}
	var rest cnftest.Formula
	for _, r := range rows {
		sum, clause, further := int64(0), []int(nil), false
		for i, v := range r.vars {
			if _, ok := value[v]; !ok {
				further = true
			}
			sum += r.coefs[i] * value[v]
			clause = append(clause, v*int(r.coefs[i]))
		}
		switch {
		case further:
			_ = rest.Add(clause)
		case sum < r.bound || r.equal && sum != r.bound:
			return false
		}
	}
	var assumed []int
	for v, x := range value {
		assumed = append(assumed, v*int(2*x-1))
	}
	return rest.Satisfiable(assumed)
}

// TestFormulaTitleSaysTheQuestion: the first comment is a command line that writes the file again.
func TestFormulaTitleSaysTheQuestion(t *testing.T) {
	p := coretest.Must(searchtest.Problem("3x3:open=0:bandwidth=2,1", "udr", 4).WithNodes([]int{0}, []int{4, 8}))
	var text strings.Builder
	f := work.Formula{Problem: p, Below: big.NewRat(7, 2), Format: "lp", Strengthen: true}
	coretest.Try(coretest.Must(f.Writer(context.Background()))(&text))
	want := fmt.Sprintf("\\ leeway export --formula lp %s --below 7/2 --strengthen\n",
		"--torus 3x3:open=0:bandwidth=2,1 --size 4 --routing udr:tie=plus --fixed 0,0 --forbidden 1,1+2,2")
	if got, _, _ := strings.Cut(text.String(), "\n"); !strings.Contains(text.String(), want) {
		t.Errorf("the first line is %q", got)
	}
}
