package cluster

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strings"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
)

// UnitSchema is the version of the text of units.
const UnitSchema = "leeway/unit/1"

// Limits of what is read as a unit.
const (
	maxText     = 1 << 20 // bytes
	maxStarts   = 16
	maxMethods  = 32
	maxPrefixes = 1 << 40
)

// A Unit is a piece of work: either some prefixes of a census or one search. Its
// text is compact JSON.
type Unit struct {
	Schema  string  `json:"schema"`
	Torus   string  `json:"torus"`
	Routing string  `json:"routing"` // canonical
	Size    int     `json:"size"`
	Census  *Census `json:"census,omitempty"`
	Search  *Search `json:"search,omitempty"`
	// Issue tells units of the same work apart: one that is handed out again is
	// another unit.
	Issue int64 `json:"issue"`
}

// A Census is a range of the prefixes of a tree.
type Census struct {
	Below    string `json:"below"`
	Engine   string `json:"engine"`
	Split    int    `json:"split"`
	Prefixes int    `json:"prefixes"` // of the whole tree
	From     int    `json:"from"`     // number of the first prefix
	Count    int    `json:"count"`
}

// A Search is one run of a portfolio with a budget of evaluations.
type Search struct {
	Number      int            `json:"number"` // of the unit in the row
	Seed        uint64         `json:"seed,string"`
	Methods     []string       `json:"methods"`         // of every unit of the row
	Exact       []string       `json:"exact,omitempty"` // of this one besides
	Parts       map[string]int `json:"parts,omitempty"`
	Evaluations int64          `json:"evaluations"`
	Starts      [][]int        `json:"starts,omitempty"`
	Goal        string         `json:"goal,omitempty"`
}

// Text returns the unit as one line, the form in which it travels.
func (u Unit) Text() []byte { return mustEncode(u) }

// ID returns 32 hexadecimal digits of the SHA-256 of the text.
func (u Unit) ID() string { return idOf(u.Text()) }

// Question returns what units of one census, or of one search, have in common, as
// an ID.
func (u Unit) Question() string {
	u.Issue = 0
	if u.Census != nil {
		c := *u.Census
		c.From, c.Count = 0, 0
		u.Census = &c
	}
	if u.Search != nil {
		u.Search = &Search{Methods: u.Search.Methods, Goal: u.Search.Goal}
	}
	return u.ID()
}

// Problem returns the problem that the unit is about.
func (u Unit) Problem() (objective.Problem, error) {
	t, err := core.ParseTorus(u.Torus)
	if err != nil {
		return objective.Problem{}, err
	}
	r, err := routing.Parse(t, u.Routing)
	if err != nil {
		return objective.Problem{}, err
	}
	return objective.NewProblem(r, u.Size)
}

// unitOf returns a unit of a problem, without work in it. Routings without a text
// form of their own are refused with an *core.InputError.
func unitOf(p objective.Problem) (Unit, error) {
	u := Unit{Schema: UnitSchema, Torus: p.Torus().String(), Routing: p.Routing.String(), Size: p.Size}
	if _, err := u.Problem(); err != nil {
		return u, &core.InputError{Text: u.Routing, Problem: "a routing table does not travel to other machines", Hint: "leave --cluster away"}
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
	switch {
	case err != nil:
		return err
	case p.Torus().String() != u.Torus || p.Routing.String() != u.Routing:
		return errors.New("torus or routing is not in canonical form")
	case u.Issue < 0 || (u.Census == nil) == (u.Search == nil):
		return errors.New("it is not one census or one search")
	case u.Census != nil:
		return u.Census.validate()
	}
	return u.Search.validate(p)
}

func (c Census) validate() error {
	if _, err := parseValue(c.Below); err != nil {
		return err
	}
	if c.Prefixes < 1 || c.Prefixes > maxPrefixes || c.From < 0 || c.Count < 1 || c.From >= c.Prefixes || c.Count > c.Prefixes-c.From || c.Split < 0 {
		return fmt.Errorf("prefixes %d and %d more do not lie in a tree of %d", c.From, c.Count, c.Prefixes)
	}
	return nil
}

func (s Search) validate(p objective.Problem) error {
	if s.Goal != "" {
		if _, err := parseValue(s.Goal); err != nil {
			return err
		}
	}
	if s.Number < 0 || s.Evaluations < 1 || len(s.Methods) == 0 || len(s.Methods)+len(s.Exact) > maxMethods || len(s.Starts) > maxStarts {
		return errors.New("its number, evaluations, methods or starts are out of range")
	}
	for _, nodes := range s.Starts {
		if _, err := placementOf(p, nodes); err != nil {
			return err
		}
	}
	return nil
}

// placementOf returns the placement of some nodes if it is one of the problem.
func placementOf(p objective.Problem, nodes []int) (core.Placement, error) {
	s, err := core.NewPlacement(p.Torus(), nodes)
	if err == nil && s.Size() != p.Size {
		err = fmt.Errorf("%d nodes are no placement of %d processors", s.Size(), p.Size)
	}
	return s, err
}

// parseValue reads a fraction in lowest terms.
func parseValue(text string) (*big.Rat, error) {
	if len(text) > 1<<12 || strings.Trim(text, "-0123456789/") != "" { // an exponent would make a long number of a short text
		return nil, fmt.Errorf("%.40q is no fraction in lowest terms", text)
	}
	v, ok := new(big.Rat).SetString(text)
	if !ok || v.RatString() != text {
		return nil, fmt.Errorf("%.40q is no fraction in lowest terms", text)
	}
	return v, nil
}

// decode reads one JSON document without unknown fields.
func decode(text []byte, v any) error {
	if len(text) > maxText {
		return fmt.Errorf("%d bytes are more than %d", len(text), maxText)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("something stands behind it")
	}
	return nil
}

// mustEncode returns v as compact JSON. The types of this package always have one.
func mustEncode(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic("cluster: " + err.Error())
	}
	return text
}

func idOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}
