package atlas

import (
	"encoding/hex"
	"fmt"
	"reflect"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results"
	"leeway/results/store"
)

// Schema is the version of the files that hold an atlas.
const Schema = "leeway/atlas/1"

// A header is the first line of a file.
type header struct {
	Schema string `json:"schema"`
	Cells  int    `json:"cells"` // lines that follow
	Runs   []run  `json:"runs"`  // what cells have in common
}

// A run is where records come from.
type run struct {
	Version string         `json:"version"`
	Command []string       `json:"command"`
	Budget  results.Budget `json:"budget"`
}

// A line is a cell of a file: its best record, short.
type line struct {
	Torus       string          `json:"torus"`
	Routing     string          `json:"routing"`
	Size        int             `json:"size"`
	MaxLoad     string          `json:"max_load"`
	Nodes       string          `json:"nodes"`                 // a set, see packNodes
	LowerBound  string          `json:"lower_bound,omitempty"` // absent if it is max_load
	BoundReason string          `json:"bound_reason,omitempty"`
	Proof       *results.Proof  `json:"proof,omitempty"`       // see fold
	BoundProof  *results.Proof  `json:"bound_proof,omitempty"` // likewise
	FoundBy     results.FoundBy `json:"found_by"`
	Started     string          `json:"started"`
	Run         int             `json:"run,omitempty"` // in the list of the header

	SolverClaim   *results.SolverClaim   `json:"solver_claim,omitempty"`
	SymmetryClaim *results.SymmetryClaim `json:"symmetry_claim,omitempty"`
	Optima        []string               `json:"optima,omitempty"` // sets
	Orbits        *int                   `json:"orbits,omitempty"` // absent if optima are listed
	Labelled      *int64                 `json:"labelled,omitempty"`
	Nulls         []null                 `json:"nulls,omitempty"`
}

// A null is a search that found nothing better.
type null struct {
	Goal        string          `json:"goal,omitempty"`
	Method      string          `json:"method"`
	Seed        uint64          `json:"seed"`
	Budget      *results.Budget `json:"budget,omitempty"` // absent if it is that of the run
	Evaluations int64           `json:"evaluations"`
	Best        string          `json:"best,omitempty"`
	Added       string          `json:"added"`
}

// nullOf returns a null result as a line has it.
func nullOf(n store.Null, r run) null {
	out := null{Goal: n.Goal, Method: n.Method, Seed: n.Seed, Evaluations: n.Evaluations, Best: n.Best, Added: n.Added}
	if !reflect.DeepEqual(n.Budget, r.Budget) {
		out.Budget = &n.Budget
	}
	return out
}

// full is the reverse of nullOf.
func (n null) full(r run) store.Null {
	out := store.Null{Goal: n.Goal, Method: n.Method, Seed: n.Seed, Budget: r.Budget, Evaluations: n.Evaluations, Best: n.Best, Added: n.Added}
	if n.Budget != nil {
		out.Budget = *n.Budget
	}
	return out
}

// packNodes returns a set of nodes as hexadecimal digits: digit i, from the left, has
// the nodes 4i to 4i+3, the first of them as its 8.
func packNodes(t *core.Torus, coords [][]int) (string, error) {
	digits := make([]byte, (t.N()+3)/4)
	for _, c := range coords {
		v, err := t.Node(c...)
		if err != nil {
			return "", err
		}
		digits[v/4] |= 8 >> (v % 4)
	}
	text := make([]byte, len(digits))
	for i, d := range digits {
		text[i] = "0123456789abcdef"[d]
	}
	return string(text), nil
}

// unpackNodes is the reverse of packNodes. Its errors say what is wrong with the
// text.
func unpackNodes(t *core.Torus, text string) (core.Placement, error) {
	if len(text) != (t.N()+3)/4 {
		return core.Placement{}, fmt.Errorf("a set of nodes of %s has %d digits, not %d", t, (t.N()+3)/4, len(text))
	}
	even := text
	if len(even)%2 == 1 {
		even += "0"
	}
	bytes, err := hex.DecodeString(even)
	if err != nil {
		return core.Placement{}, fmt.Errorf("%q is no set of nodes: %w", results.Shorten(text), err)
	}
	var nodes []int
	for i, b := range bytes {
		for j := range 8 {
			if b&(0x80>>j) != 0 {
				nodes = append(nodes, 8*i+j)
			}
		}
	}
	return core.NewPlacement(t, nodes) // refuses nodes past the last
}

// fold returns a proof as a line has it. A monotone proof is left with size and
// routing if the line of that cell has the proof of which it speaks: it stands there
// once.
func fold(k Key, p *results.Proof, of map[Key]*results.Proof) *results.Proof {
	at := &Key{}
	if p != nil {
		at = basis(k, p)
	}
	if p == nil || at == nil {
		return p
	}
	own := of[*at]
	if own == nil || !sameProof(inherit(p, own), p) {
		return p
	}
	return &results.Proof{Kind: p.Kind, Engine: p.Engine, Size: p.Size, Routing: p.Routing}
}

// unfold is the reverse of fold.
func unfold(k Key, p *results.Proof, of map[Key]*results.Proof) (*results.Proof, error) {
	if p == nil || p.Kind != results.ProofMonotone || p.Basis != "" {
		return p, nil
	}
	at := basis(k, p)
	if at == nil {
		return nil, fmt.Errorf("a monotone proof of %s names no size", k)
	}
	own := of[*at]
	if own == nil || own.Kind == results.ProofMonotone {
		return nil, fmt.Errorf("the proof of %s is that of %s, which has none of its own", k, at)
	}
	return inherit(p, own), nil
}

// inherit returns the monotone proof p that speaks of the proof own.
func inherit(p, own *results.Proof) *results.Proof {
	out := *own
	out.Kind, out.Basis, out.Size, out.Routing = p.Kind, own.Kind, p.Size, p.Routing
	if own.Kind == results.ProofBound {
		out.Below = own.Value
	}
	return &out
}

// problemCache reads torus and routing once for the lines that share them.
type problemCache struct {
	torus, way string
	routing    routing.Routing
	err        error
}

func (c *problemCache) read(torus, way string, size int) (objective.Problem, error) {
	if c.routing == nil && c.err == nil || c.torus != torus || c.way != way {
		c.torus, c.way = torus, way
		var t *core.Torus
		if t, c.err = core.ParseTorus(torus); c.err == nil && t.M() > maxLinks {
			c.err = fmt.Errorf("torus %s has more than %d links, too many for the atlas", t, maxLinks)
		}
		if c.err == nil {
			c.routing, c.err = routing.Parse(t, way)
		}
	}
	if c.err != nil {
		return objective.Problem{}, c.err
	}
	p, err := objective.NewProblem(c.routing, size)
	if err == nil && (p.Torus().String() != torus || p.Routing.String() != way) {
		err = fmt.Errorf("%s %s is written %s %s", torus, way, p.Torus(), p.Routing)
	}
	return p, err
}
