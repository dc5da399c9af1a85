package message

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"

	"leeway/core"
	"leeway/objective"
	"leeway/objective/texts"
)

// UnitSchema is the version of the text of units.
const UnitSchema = "leeway/unit/1"

// MaxNumber is more units than a search has.
const MaxNumber = 1 << 40

// Limits of what is read as a unit.
const (
	maxStarts  = 16
	maxMethods = 32
	maxName    = 1 << 12
)

// A Unit is a piece of work: either a slice of a proof or one search.
type Unit struct {
	Schema string `json:"schema"`
	texts.Key
	Proof  *Slice  `json:"proof,omitempty"`
	Search *Search `json:"search,omitempty"`
	// Issue tells units of the same work apart: one that is handed out again is another unit.
	Issue int64 `json:"issue"`
}

// A Slice is a branch of the proof that no placement has E_max below a value.
type Slice struct {
	Below  string `json:"below"`
	Engine string `json:"engine"`
	Name   []int  `json:"name"` // by which the engine finds it
}

// A Search is one run of a portfolio with a budget of evaluations.
type Search struct {
	Number      int            `json:"number"` // of the unit in the search
	Seed        uint64         `json:"seed,string"`
	Methods     []string       `json:"methods"` // of every unit of the search
	Parts       map[string]int `json:"parts,omitempty"`
	Evaluations int64          `json:"evaluations"`
	Starts      [][]int        `json:"starts,omitempty"`
	Goal        string         `json:"goal,omitempty"`
}

// Text returns the unit as one line, the form in which it travels.
func (u Unit) Text() []byte { return Encode(u) }

// ID returns 32 hexadecimal digits of the SHA-256 of the text.
func (u Unit) ID() string { return IDOf(u.Text()) }

// Question returns what units of one proof, or of one search, have in common, as an ID.
func (u Unit) Question() string {
	u.Issue = 0
	if u.Proof != nil {
		u.Proof = &Slice{Below: u.Proof.Below, Engine: u.Proof.Engine}
	}
	if u.Search != nil {
		u.Search = &Search{Methods: u.Search.Methods, Goal: u.Search.Goal}
	}
	return u.ID()
}

// NewUnit returns a unit of a problem, without work in it. It fails with a *core.InputError for a routing that has no
// text form of its own, and for a problem of which a unit does not say everything.
func NewUnit(p objective.Problem) (Unit, error) {
	u := Unit{Schema: UnitSchema, Key: texts.KeyOf(p)}
	back, err := u.Problem()
	switch {
	case err != nil:
		return u, core.Invalid(u.Routing, "a routing table does not travel to other machines").Hinted("omit --cluster")
	case p.Free != nil || back.String() != p.String():
		return u, core.Invalid(p.String(), "the units of a cluster do not say all of this problem").Hinted("omit --cluster")
	}
	return u, nil
}

// ParseUnit reads the text of a unit. Only what Text returns is read: unknown
// fields, other orders and values out of range are refused.
func ParseUnit(text []byte) (Unit, error) {
	var u Unit
	if err := decode(text, &u); err != nil {
		return Unit{}, fmt.Errorf("cluster: not a unit: %w", err)
	}
	if err := u.validate(); err != nil {
		return Unit{}, fmt.Errorf("cluster: not a unit: %w", err)
	}
	if !bytes.Equal(u.Text(), text) {
		return Unit{}, errors.New("cluster: not a unit: its text is not in the one form that is read")
	}
	return u, nil
}

func (u Unit) validate() error {
	if u.Schema != UnitSchema {
		return fmt.Errorf("schema %.40q is not %s", u.Schema, UnitSchema)
	}
	p, err := u.Problem()
	if err != nil {
		return err
	}
	least, most := p.Sizes()
	switch {
	case p.Free != nil || texts.KeyOf(p) != u.Key:
		return errors.New("torus or routing is not in canonical form")
	case p.Conditioned() && (p.Size < least || p.Size > most):
		return fmt.Errorf("its %d processors lie outside %d..%d, which fixed and forbidden nodes leave", p.Size, least, most)
	case u.Issue < 0 || (u.Proof == nil) == (u.Search == nil):
		return errors.New("it is not one slice of a proof or one search")
	case u.Proof != nil:
		return u.Proof.validate()
	}
	return u.Search.validate(p)
}

func (s Slice) validate() error {
	if _, err := ParseValue(s.Below); err != nil {
		return err
	}
	if len(s.Name) > maxName || slices.ContainsFunc(s.Name, func(n int) bool { return n < 0 || n > math.MaxInt32 }) {
		return errors.New("the name of its slice is out of range")
	}
	return nil
}

func (s Search) validate(p objective.Problem) error {
	if s.Goal != "" {
		if _, err := ParseValue(s.Goal); err != nil {
			return err
		}
	}
	if s.Number < 0 || s.Evaluations < 1 ||
		len(s.Methods) == 0 || len(s.Methods) > maxMethods || len(s.Starts) > maxStarts {
		return errors.New("its number, evaluations, methods or starts are out of range")
	}
	for _, nodes := range s.Starts {
		if _, err := Placement(p, nodes); err != nil {
			return err
		}
	}
	return nil
}
