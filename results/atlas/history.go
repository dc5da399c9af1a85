package atlas

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"leeway/objective/texts"
	"leeway/results"
)

// HistorySchema is the version of the file that holds what the atlas once said.
const HistorySchema = "leeway/history/1"

// A Past is what an atlas said of a cell before it knew better.
type Past struct {
	texts.Key
	MaxLoad    string `json:"max_load"`         // fraction; "" where no placement was known
	LowerBound string `json:"lower_bound"`      // fraction
	Method     string `json:"method,omitempty"` // that had found the placement
	Until      string `json:"until"`            // the day on which it was superseded: 2026-11-22, UTC
}

// historyHeader is the first line of the file.
type historyHeader struct {
	Schema string `json:"schema"`
}

// ReadHistory reads a file that EncodeHistory wrote. Errors are *results.ReadError.
func ReadHistory(data []byte) ([]Past, error) {
	var h historyHeader
	var list []Past
	err := readLines(data, &h, func(int) error {
		if h.Schema != HistorySchema {
			return fmt.Errorf("the schema is %q, and %s is read", h.Schema, HistorySchema)
		}
		return nil
	}, func(p Past) error {
		_, err := p.Problem()
		if err == nil {
			_, err = results.ParseFraction(p.LowerBound)
		}
		if err == nil && p.MaxLoad != "" {
			_, err = results.ParseFraction(p.MaxLoad)
		}
		if err == nil {
			_, err = time.Parse(time.DateOnly, p.Until)
		}
		list = append(list, p)
		return err
	})
	return list, err
}

// EncodeHistory returns the file of what an atlas once said: JSON lines, in the order given, the first with the schema.
func EncodeHistory(list []Past) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	if err := e.Encode(historyHeader{HistorySchema}); err != nil {
		return nil, err
	}
	for _, p := range list {
		if err := e.Encode(p); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

// Superseded returns what another atlas, an earlier one, said of cells of which this one has a smaller load or a larger
// bound, as superseded on a day. Cells with a fault are left out: what is wrong was never known.
func (a *Atlas) Superseded(before *Atlas, day string) []Past {
	var list []Past
	cells, _ := before.Cells(Filter{})
	for _, old := range cells {
		c, ok := a.Cell(old.Key())
		if !ok || old.Fault != "" || c.Fault != "" {
			continue
		}
		if value, bound := c.Improves(old); value || bound {
			list = append(list, Past{old.Key(), old.MaxLoad, old.LowerBound, old.Method, day})
		}
	}
	return list
}

// Remember returns the history with what else was superseded; what it has of a cell with the same values already is not
// taken twice.
func Remember(history, superseded []Past) []Past {
	type said struct {
		texts.Key
		load, bound string
	}
	has := map[said]bool{}
	for _, p := range history {
		has[said{p.Key, p.MaxLoad, p.LowerBound}] = true
	}
	for _, p := range superseded {
		if !has[said{p.Key, p.MaxLoad, p.LowerBound}] {
			history = append(history, p)
		}
	}
	return history
}

// shippedHistory is what the atlas of the program once said.
//
//go:embed history.jsonl
var shippedHistory []byte

var historyOnce = sync.OnceValues(func() (map[texts.Key][]Past, error) {
	list, err := ReadHistory(shippedHistory)
	byKey := map[texts.Key][]Past{}
	for _, p := range list {
		byKey[p.Key] = append(byKey[p.Key], p)
	}
	for _, past := range byKey {
		slices.SortStableFunc(past, func(a, b Past) int { return strings.Compare(a.Until, b.Until) })
	}
	return byKey, err
})

// ShippedPast returns what the atlas of the program said of a cell before it knew better, the oldest first.
func ShippedPast(k texts.Key) ([]Past, error) {
	byKey, err := historyOnce()
	return byKey[k], err
}
