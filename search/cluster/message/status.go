package message

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Status is how a job stands.
type Status struct {
	Job         string   `json:"job"`
	Problem     string   `json:"problem"`
	Below       string   `json:"below,omitempty"`  // of a proof: the question under way
	Engine      string   `json:"engine,omitempty"` // of a proof
	Incumbent   string   `json:"incumbent,omitempty"`
	Bound       string   `json:"bound,omitempty"`
	Units       Units    `json:"units"`
	SecondsLeft float64  `json:"seconds_left"` // an estimate, 0 if there is none
	Refused     int      `json:"refused"`      // reports and incumbents
	Workers     []Worker `json:"workers"`
}

// Units counts units of the question under way.
type Units struct {
	Done        int `json:"done"`
	Out         int `json:"out"`     // in the queue, or being worked on
	Running     int `json:"running"` // being worked on
	Open        int `json:"open"`    // slices of a proof that are known and not in the queue
	Quarantined int `json:"quarantined"`
}

// A Worker is a process that takes units.
type Worker struct {
	Name    string  `json:"name"`
	Host    string  `json:"host"`
	Cores   int     `json:"cores"`
	Running int     `json:"running"`
	Done    int     `json:"done"`    // units
	Rate    float64 `json:"rate"`    // bytes of proofs and evaluations per second
	Seconds float64 `json:"seconds"` // since it was heard of
}

// maxStatus is the length of the longest status that is read.
const maxStatus = 16 << 20

// ParseStatus reads a status. It fails on names that cannot be shown.
func ParseStatus(text []byte) (Status, error) {
	var s Status
	if len(text) > maxStatus {
		return s, fmt.Errorf("cluster: a status of %d bytes is not read", len(text))
	}
	if err := json.Unmarshal(text, &s); err != nil {
		return s, fmt.Errorf("cluster: not a status: %w", err)
	}
	names := []string{s.Problem, s.Below, s.Engine, s.Incumbent, s.Bound}
	for _, w := range s.Workers {
		names = append(names, w.Name, w.Host)
	}
	for _, n := range names {
		if strings.ContainsFunc(n, func(r rune) bool { return !unicode.IsPrint(r) }) {
			return Status{}, errors.New("cluster: not a status: it has names that cannot be shown")
		}
	}
	if strings.ContainsFunc(s.Job, unicode.IsControl) {
		return Status{}, errors.New("cluster: not a status: its job cannot be shown")
	}
	return s, nil
}

// plain reports whether a name is a short one that a terminal shows as it is.
func plain(name string) bool {
	unprintable := func(r rune) bool { return r == utf8.RuneError || !unicode.IsPrint(r) }
	return len(name) <= 200 && !strings.ContainsFunc(name, unprintable)
}
