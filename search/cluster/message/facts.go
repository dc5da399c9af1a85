package message

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"leeway/core"
	"leeway/objective"
)

// Protocol is the version of what goes between coordinator and workers.
const Protocol = 3

// The keys under which a queue keeps facts.
const (
	KeyJob      = "job"      // a Job
	KeyQuestion = "question" // the Question under way
	KeyBest     = "best"     // an Incumbent
)

// A Job tells workers what they join.
type Job struct {
	Protocol int    `json:"protocol"`
	Program  string `json:"program"` // version
	Job      string `json:"job"`     // for people
}

// A Question tells workers which units are of use.
type Question struct {
	ID string `json:"id"` // "" between questions
}

// Wants reports whether a unit is of use.
func (q Question) Wants(u Unit) bool { return u.Question() == q.ID }

// An Incumbent is the best placement that somebody has posted.
type Incumbent struct {
	Nodes  []int  `json:"nodes"`
	Value  string `json:"value"`
	Worker string `json:"worker"`
}

// ParseIncumbent reads an incumbent and evaluates its placement from the definition, so that the
// value returned is true. An empty text gives an empty placement.
func ParseIncumbent(p objective.Problem, text []byte) (i Incumbent, s core.Placement, v *big.Rat, err error) {
	if len(text) == 0 {
		return i, s, nil, nil
	}
	if len(text) > MaxText || json.Unmarshal(text, &i) != nil || len(i.Worker) > 200 {
		return i, s, nil, errors.New("not an incumbent")
	}
	if s, err = Placement(p, i.Nodes); err != nil {
		return i, core.Placement{}, nil, fmt.Errorf("not a placement: %w", err)
	}
	claimed, err := ParseValue(i.Value)
	if err != nil {
		return i, s, nil, err
	}
	if v, _ = p.Naive(s).Max(); v.Cmp(claimed) != 0 {
		return i, s, nil, fmt.Errorf("it claims E_max %s and has %s", claimed.RatString(), v.RatString())
	}
	return i, s, v, nil
}

// A Hello is what a worker sends every few seconds. It holds no time: clocks differ.
type Hello struct {
	Name    string  `json:"name"`
	Host    string  `json:"host"`
	Cores   int     `json:"cores"`
	Running int     `json:"running"` // units
	Done    int     `json:"done"`    // units
	Rate    float64 `json:"rate"`    // bytes of proofs and evaluations per second
	Leaving bool    `json:"leaving,omitempty"`
}

// MaxCores is how many cores and running units of one worker are believed.
const MaxCores = 4096

// ParseHello reads a hello and brings its numbers within bounds. It reports false unless the names can be shown.
func ParseHello(text []byte) (h Hello, ok bool) {
	if len(text) > 4096 || json.Unmarshal(text, &h) != nil || h.Name == "" ||
		slices.ContainsFunc([]string{h.Name, h.Host}, func(s string) bool { return !plain(s) }) {
		return Hello{}, false
	}
	h.Cores, h.Running = min(max(h.Cores, 0), MaxCores), min(max(h.Running, 0), MaxCores)
	return h, true
}
