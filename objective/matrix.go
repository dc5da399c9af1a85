package objective

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"leeway/core"
)

// A Matrix is what labelled tasks send each other. A solution of a problem with a matrix as its traffic is a placement
// that says where each task is (core.PlaceTasks).
type Matrix struct {
	Tasks   int      // which are numbered from 0
	Demands []Demand // ascending by From and To, each pair once, no amount 0
	Den     int64    // amounts are in units of 1/Den, the least there is
}

// A Demand is what a task sends another.
type Demand struct {
	From, To int
	Amount   int64
}

// Limits of a matrix. The sums of amounts keep within a word when they are multiplied by shares of paths.
const (
	MaxTasks   = 1 << 16
	maxAmounts = 1 << 40 // all amounts together, in units
)

// MatrixSchema is the schema version of matrices as JSON.
const MatrixSchema = "leeway/matrix/1"

// NewMatrix returns the matrix with some amounts; at says where a demand was read, for errors, which are
// *core.InputError: a task outside of 0..tasks-1, a demand of a task on itself, a negative amount, a pair that is
// repeated, or numbers that are too large. Amounts of 0 are left out.
func NewMatrix(tasks int, pairs [][2]int, amounts []*big.Rat, at func(i int) string) (*Matrix, error) {
	if tasks < 1 || tasks > MaxTasks {
		return nil, core.Invalid(strconv.Itoa(tasks), "a matrix has 1..%d tasks", MaxTasks)
	}
	den, sum := big.NewInt(1), new(big.Rat)
	first := map[[2]int]int{}
	for i, p := range pairs {
		fail := func(problem, hint string) (*Matrix, error) {
			return nil, core.Invalid(at(i), "%s", problem).Hinted(hint)
		}
		before, twice := first[p]
		switch first[p] = i; {
		case min(p[0], p[1]) < 0 || max(p[0], p[1]) >= tasks:
			return fail(fmt.Sprintf("tasks are 0..%d", tasks-1), "number the tasks from 0, or give more tasks")
		case p[0] == p[1]:
			return fail(fmt.Sprintf("task %d sends to itself", p[0]), "leave the diagonal out: it loads no link")
		case amounts[i].Sign() < 0:
			return fail("the amount is negative", "write an amount of at least 0, as 2, 0.5 or 1/3")
		case twice:
			return fail(fmt.Sprintf("the demand of task %d on task %d is repeated; first in %s", p[0], p[1], at(before)),
				"add the amounts up")
		}
		core.FoldLCM(den, amounts[i].Denom())
		sum.Add(sum, amounts[i])
	}
	if total := new(big.Rat).Mul(sum, new(big.Rat).SetInt(den)); total.Cmp(big.NewRat(maxAmounts, 1)) > 0 {
		return nil, core.Invalid(sum.RatString(),
			"all amounts together, over their common denominator %s, pass 2^40", den).Hinted("round the amounts")
	}
	m := &Matrix{Tasks: tasks, Den: den.Int64()}
	for i, p := range pairs {
		units := new(big.Int).Mul(amounts[i].Num(), new(big.Int).Div(den, amounts[i].Denom()))
		if units.Sign() > 0 {
			m.Demands = append(m.Demands, Demand{p[0], p[1], units.Int64()})
		}
	}
	slices.SortFunc(m.Demands, func(a, b Demand) int { return cmp.Or(a.From-b.From, a.To-b.To) })
	return m, nil
}

// Demands are the demands of a matrix that is read.
type Demands struct {
	Most    int // the largest number of a task
	pairs   [][2]int
	amounts []*big.Rat
	places  []string
}

// Matrix returns the matrix with some tasks. Errors are those of NewMatrix.
func (d *Demands) Matrix(tasks int) (*Matrix, error) {
	return NewMatrix(tasks, d.pairs, d.amounts, func(i int) string { return d.places[i] })
}

// maxDigits is how long an amount may be written.
const maxDigits = 40

// Add adds the demand of three words, which stand at a place that errors name, *core.InputError.
func (d *Demands) Add(words []string, place string) error {
	fail := func(format string, args ...any) error {
		return core.Invalid(place, format, args...).
			Hinted("a demand is from,to,amount: two tasks, numbered from 0, and a number or fraction")
	}
	if len(words) != 3 {
		return fail("there are %d values, not 3", len(words))
	}
	var pair [2]int
	for j, word := range words[:2] {
		task, err := strconv.Atoi(word)
		if err != nil || !core.Plain(word) || task >= MaxTasks {
			return fail("%.40q is not the number of a task in 0..%d", word, MaxTasks-1)
		}
		pair[j] = task
		d.Most = max(d.Most, task)
	}
	amount, ok := new(big.Rat).SetString(words[2])
	if !ok || len(words[2]) > maxDigits || strings.ContainsAny(words[2], "eEpPxX_") {
		return fail("%.40q is not an amount", words[2])
	}
	d.pairs, d.amounts, d.places = append(d.pairs, pair), append(d.amounts, amount), append(d.places, place)
	return nil
}

// String returns the matrix as one text, "matrix:tasks=3:demands=0-1*1/2,1-2": amounts are 1 where there is none. It is
// what questions and keys have, and ParseTraffic reads.
func (m *Matrix) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:tasks=%d", MatrixTraffic, m.Tasks)
	for i, d := range m.Demands {
		if i == 0 {
			b.WriteString(":demands=")
		} else {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%d-%d", d.From, d.To)
		if d.Amount != m.Den {
			b.WriteString("*" + big.NewRat(d.Amount, m.Den).RatString())
		}
	}
	return b.String()
}

// Title returns the matrix as people read it: "9 tasks, 12 demands, matrix 0123456789ab", the beginning of its hash.
func (m *Matrix) Title() string {
	return core.Count(m.Tasks, "task") + ", " + core.Count(len(m.Demands), "demand") + ", matrix " + m.SHA256()[:12]
}

// parseMatrix reads the options of String. Errors are *core.InputError.
func parseMatrix(options *core.Text) (*Matrix, error) {
	part, ok := options.Take("tasks")
	if !ok {
		return nil, options.FailWhole("the number of tasks is missing")
	}
	tasks, err := options.Int(part)
	if err != nil {
		return nil, err
	}
	var list Demands
	if part, ok = options.Take("demands"); ok {
		for _, item := range part.Split(",") {
			ends, amount, times := strings.Cut(item.Text, "*")
			from, to, _ := strings.Cut(ends, "-")
			if !times {
				amount = "1"
			}
			if err := list.Add([]string{from, to, amount}, item.Text); err != nil {
				return nil, core.InText(err, item, options.Whole)
			}
		}
	}
	if err := options.Unused(); err != nil {
		return nil, err
	}
	return list.Matrix(tasks)
}

// Text returns the matrix as compact JSON, {"schema":"leeway/matrix/1","tasks":2,"demands":[[0,1,"1/2"]]}: demands
// ascending, amounts in lowest terms.
func (m *Matrix) Text() []byte {
	demands := make([][3]any, len(m.Demands))
	for i, d := range m.Demands {
		demands[i] = [3]any{d.From, d.To, big.NewRat(d.Amount, m.Den).RatString()}
	}
	text, err := json.Marshal(struct {
		Schema  string   `json:"schema"`
		Tasks   int      `json:"tasks"`
		Demands [][3]any `json:"demands"`
	}{MatrixSchema, m.Tasks, demands})
	if err != nil {
		panic("objective: numbers and text always encode")
	}
	return text
}

// MaxMatrixBytes is how long the text of a matrix may be that records hold.
const MaxMatrixBytes = 1 << 20

// Fits returns nil where a record holds the matrix, otherwise an *core.InputError.
func (m *Matrix) Fits() error {
	n := len(m.Text())
	if n <= MaxMatrixBytes {
		return nil
	}
	return &core.InputError{Text: core.Count(len(m.Demands), "demand"), Problem: fmt.Sprintf(
		"the matrix takes %d bytes, more than the %d that a record holds", n, MaxMatrixBytes),
		Hint: "leave small demands out, or round the amounts; eval also takes a larger pattern"}
}

// SHA256 returns the hexadecimal hash of the text, by which a matrix is known.
func (m *Matrix) SHA256() string { return fmt.Sprintf("%x", sha256.Sum256(m.Text())) }

// Room returns how many tasks a node may have.
func (t Traffic) Room() int { return max(1, t.PerNode) }

// Place returns the placement that a list says: with a matrix the nodes of the tasks in turn, else those of processors.
// Errors are *core.InputError. Whether the problem admits it is not looked at.
func (p Problem) Place(list []int) (core.Placement, error) {
	if p.Traffic.Matrix != nil {
		return core.PlaceTasks(p.Torus(), list)
	}
	return core.NewPlacement(p.Torus(), list)
}

// Refusal says why a placement of tasks does not solve the problem, whose traffic is a matrix, "" if it does.
func (p Problem) Refusal(s core.Placement) string {
	a := s.Tasks()
	if len(a) != p.Traffic.Matrix.Tasks {
		return fmt.Sprintf("there are %d tasks, and nodes for %d", p.Traffic.Matrix.Tasks, len(a))
	}
	on := map[int]int{}
	for task, v := range a {
		switch on[v]++; {
		case on[v] > p.Traffic.Room():
			return fmt.Sprintf("node %s has more than %s", NodesText(p.Torus(), []int{v}),
				core.Count(p.Traffic.Room(), "task"))
		case !p.MayHave(v):
			return fmt.Sprintf("the forbidden node %s has task %d", NodesText(p.Torus(), []int{v}), task)
		}
	}
	for _, f := range p.Pinned {
		if a[f.Task] != f.Node {
			return fmt.Sprintf("task %d is not on node %s, which is fixed", f.Task, NodesText(p.Torus(), []int{f.Node}))
		}
	}
	return ""
}

// A Pin says that a task is on a node.
type Pin struct{ Task, Node int }

const pinsHint = "write which task is on which node: 0=0,0+5=1,3"

// parsePins reads "0=0,0+5=1,3". Errors are *core.InputError.
func parsePins(p Problem, text string) (pins []Pin, err error) {
	whole := &core.Text{Whole: text, Hint: pinsHint}
	seen := map[int]bool{}
	for _, part := range (core.Part{Text: text}).Split("+") {
		task, node, ok := strings.Cut(part.Text, "=")
		if !ok {
			return nil, whole.Fail(part, "with a traffic matrix a task is fixed on a node")
		}
		at := core.Part{Text: task, Offset: part.Offset}
		n, err := whole.Int(at)
		switch {
		case err != nil:
			return nil, err
		case n < 0 || n >= p.Traffic.Matrix.Tasks:
			return nil, whole.Fail(at, fmt.Sprintf("tasks are 0..%d", p.Traffic.Matrix.Tasks-1))
		case seen[n]:
			return nil, whole.Fail(at, "the task is fixed twice")
		}
		seen[n] = true
		nodes, err := core.ParseNodes(p.Torus(), node)
		if err != nil {
			return nil, core.InText(err, core.Part{Text: node, Offset: part.Offset + len(task) + 1}, text)
		}
		pins = append(pins, Pin{n, nodes[0]})
	}
	slices.SortFunc(pins, func(a, b Pin) int { return a.Task - b.Task })
	return pins, nil
}

// pinsText returns pins as parsePins reads them.
func pinsText(t *core.Torus, pins []Pin) string {
	parts := make([]string, len(pins))
	for i, f := range pins {
		parts[i] = strconv.Itoa(f.Task) + "=" + NodesText(t, []int{f.Node})
	}
	return strings.Join(parts, "+")
}

// CheckRoom returns nil if there is an assignment of the problem that a record holds, otherwise an *core.InputError: a
// matrix that is too long, more tasks than there is room for, or a task that is fixed on a node that is forbidden or
// full.
func (p Problem) CheckRoom() error {
	t := p.Traffic
	if p.Near.Asked() || p.Fixed != nil {
		return core.Invalid(strings.TrimSpace(p.TermsText()), "conditions on processors do not go with a matrix").
			Hinted(pinsHint)
	}
	if room := (p.Torus().N() - p.Forbidden.Count()) * t.Room(); t.Matrix.Tasks > room {
		return core.Invalid(core.Count(t.Matrix.Tasks, "task"), "%s has room for %s",
			p.Torus().Title(), core.Count(room, "task")).
			Hinted("allow several on a node with --per-node, or take a larger network")
	}
	if err := t.Matrix.Fits(); err != nil {
		return err
	}
	on := map[int]int{}
	for _, f := range p.Pinned {
		problem, hint := "", ""
		if on[f.Node]++; on[f.Node] > t.Room() {
			problem = "more tasks are fixed on the node than it has room for, " + strconv.Itoa(t.Room())
			hint = "fix the task on another node, or allow several on a node with --per-node"
		} else if !p.MayHave(f.Node) {
			problem, hint = "the node is forbidden", "fix the task on another node, or allow this one"
		}
		if problem != "" {
			return core.Invalid(pinsText(p.Torus(), []Pin{f}), "%s", problem).Hinted(hint)
		}
	}
	return nil
}

// withMatrix is WithTraffic for a matrix. It refuses what has no meaning for one.
func (p Problem) withMatrix(t Traffic) (Problem, error) {
	fail := func(text, problem, hint string) (Problem, error) {
		return p, core.Invalid(text, "%s", problem).Hinted(hint)
	}
	switch {
	case t.PerNode < 0 || t.PerNode > MaxTasks:
		return fail(strconv.Itoa(t.PerNode), fmt.Sprintf("not a number of tasks in 1..%d", MaxTasks), "")
	case p.Free != nil || p.Limit != nil:
		return fail(t.String(), "a matrix goes with a given routing and no limit", "name a routing, as xy")
	case p.Routing.DependsOnPlacement():
		return fail(p.Routing.String(), "its paths depend on the placement, which a matrix does not have",
			"take udr, whose paths avoid chooses from")
	case p.Near.Asked() || p.Fixed != nil:
		return fail(t.String(), "conditions on processors do not go with a matrix", pinsHint)
	}
	if t.PerNode == 1 {
		t.PerNode = 0 // the default
	}
	p.Traffic, p.Size = t, t.Matrix.Tasks
	return p, nil
}
