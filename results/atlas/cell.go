package atlas

import (
	"cmp"
	"math/big"
	"slices"
	"strings"

	"leeway/core/family"
	"leeway/core/labels"
	"leeway/objective/texts"
	"leeway/results"
)

// What is known of a cell.
const (
	Optimal  = results.StatusOptimal  // MaxLoad is the smallest that there is, and Proof says why
	Feasible = results.StatusFeasible // a placement has MaxLoad, and none is below LowerBound
	Bounded  = "bounded"              // no placement is known, only a bound
	Wrong    = "wrong"                // what is stored is not right, see Fault
)

// A Cell says what is known of a torus or network, a routing, a size, a traffic, and fixed and forbidden nodes.
type Cell struct {
	results.Grid
	Routing string `json:"routing"` // canonical
	Size    int    `json:"size"`
	results.Setting

	MaxLoad     string         `json:"max_load"`    // fraction; "" where no placement is known
	LowerBound  string         `json:"lower_bound"` // fraction; "" with a fault
	BoundReason string         `json:"bound_reason"`
	Status      string         `json:"status"` // optimal, feasible, bounded or wrong
	Proof       *results.Proof `json:"proof"`  // null unless optimal

	Families []Family `json:"families"` // placements with a name of this size, in a fixed order
	Method   string   `json:"method"`   // that found the placement
	Seed     uint64   `json:"seed"`     // it started with
	Found    string   `json:"found"`    // when the work that found it began: RFC 3339, UTC

	Optima   int    `json:"optima"`   // optimal placements up to symmetry; 0 where not counted
	Labelled string `json:"labelled"` // all optimal placements; "" where not counted

	Credit *results.Credit `json:"credit"` // of MaxLoad: null where Method found it first

	Invariants *Invariants `json:"invariants,omitempty"` // as the program's own files have them; else nil

	Twin   string `json:"twin"`   // routing with the other tie rule where nothing ties, so that both are one; else ""
	SHA256 string `json:"sha256"` // of what the cell says; see contentHash
	Fault  string `json:"fault"`  // why the stored record is wrong; "" if it is not

	set string // the nodes of the placement, see packNodes; "" where none is known
}

// A Family is a placement with a name and its E_max in a cell.
type Family struct {
	Placement string `json:"placement"` // as the option --placement has it
	MaxLoad   string `json:"max_load"`
	Papers    bool   `json:"papers"` // one that the source papers propose for the cell: family.Proposed
}

// Key returns the key of the cell.
func (c Cell) Key() texts.Key {
	return texts.Key{Torus: c.Where(), Routing: c.Routing, Size: c.Size}
}

// Where returns network, traffic and conditions of the cell as objective.Problem.Where writes them.
func (c Cell) Where() string { return c.Setting.Where(c.Grid) }

// Gap returns how far the best load lies above the lower bound, 0 for optimal
// cells; ok is false where no placement is known.
func (c Cell) Gap() (gap *big.Rat, ok bool) {
	load, okLoad := fraction(c.MaxLoad)
	bound, okBound := fraction(c.LowerBound)
	if !okLoad || !okBound {
		return nil, false
	}
	return load.Sub(load, bound), true
}

// Improves reports whether a cell has a smaller E_max, and whether it has a larger lower bound, than it had before.
func (c Cell) Improves(before Cell) (value, bound bool) {
	load, has := fraction(c.MaxLoad)
	old, had := fraction(before.MaxLoad)
	return has && (!had || load.Cmp(old) < 0), mustFraction(c.LowerBound).Cmp(mustFraction(before.LowerBound)) > 0
}

// Papers returns the best placement that the source papers propose for the cell; ok is false if there is none.
func (c Cell) Papers() (best Family, ok bool) {
	var least *big.Rat
	for _, f := range c.Families {
		if v, readable := fraction(f.MaxLoad); f.Papers && readable && (least == nil || v.Cmp(least) < 0) {
			best, least = f, v
		}
	}
	return best, least != nil
}

// Label returns the permanent label of the cell.
func (c Cell) Label() string { return labels.Cell(c.Where(), c.Routing, c.Size) }

// credited returns whom the value of a cell is credited to: who is named with its record, else the paper that proposes
// a placement with this E_max, nil if there is none.
func (c Cell) credited(record *results.Credit) *results.Credit {
	for _, f := range c.Families {
		paper, ok := family.Source(c.Where(), c.Routing, f.Placement, c.Size)
		if ok && record == nil && f.MaxLoad == c.MaxLoad {
			record = &results.Credit{Finder: paper.Authors, Paper: paper.Title, Year: paper.Year}
		}
	}
	return record
}

// Beats reports whether the best placement is better than every one of the papers of
// its size, of which there must be one.
func (c Cell) Beats() bool {
	papers, ok := c.Papers()
	if !ok {
		return false
	}
	load, okLoad := fraction(c.MaxLoad)
	theirs, okTheirs := fraction(papers.MaxLoad)
	return okLoad && okTheirs && load.Cmp(theirs) < 0
}

// families are the names of routings in the order in which cells are listed.
var families = []string{"odr", "udr", "orders", "minimal", "avoid", "free"}

// compareTori orders tori by dimensions, then nodes, then sides.
func compareTori(a, b []int) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(nodesOf(a), nodesOf(b)), slices.Compare(a, b))
}

// compareRoutings orders routings by family, then ties plus before both.
func compareRoutings(a, b string) int {
	rank := func(s string) int {
		name, _, _ := strings.Cut(s, ":")
		return slices.Index(families, name)
	}
	tie := func(s string) int {
		if strings.HasSuffix(s, ":tie=both") {
			return 1
		}
		return 0
	}
	return cmp.Or(rank(a)-rank(b), tie(a)-tie(b), strings.Compare(a, b))
}

// compareRows orders rows by torus, what more there is to the network, routing and size.
func compareRows(a, b row) int {
	return cmp.Or(compareTori(a.sides, b.sides), strings.Compare(a.key.Torus, b.key.Torus),
		compareRoutings(a.key.Routing, b.key.Routing), cmp.Compare(a.key.Size, b.key.Size))
}

// fraction reads a fraction; ok is false for "" and for a text that is not a fraction.
func fraction(text string) (*big.Rat, bool) {
	v, err := results.ParseFraction(text)
	return v, err == nil
}

// mustFraction reads a fraction that the program itself has written.
func mustFraction(text string) *big.Rat {
	if v, ok := fraction(text); ok {
		return v
	}
	return new(big.Rat)
}
