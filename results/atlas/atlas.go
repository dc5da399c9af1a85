package atlas

import (
	"context"
	"math/big"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"leeway/core"
	"leeway/core/parallel"
	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/store"
)

// An Atlas is a view of cells that many readers may use at once. What it returns must not be changed.
type Atlas struct {
	source source
	now    atomic.Pointer[snapshot]
}

// A source is where the cells of an atlas come from.
type source interface {
	// refresh returns the cells if they may have changed since the last call, else nil.
	refresh() ([]row, error)
	// detail adds what Cell does not hold: Record, History and Nulls.
	detail(d *Detail) error
	// folder is where the files lie that proofs name.
	folder() string
	// faults returns what is wrong with how records are kept, by cell.
	faults() (map[texts.Key]string, error)
	close() error
}

// newAtlas makes the view of a source.
func newAtlas(s source) (*Atlas, error) {
	a := &Atlas{source: s}
	a.now.Store(newSnapshot(nil))
	if err := a.Refresh(); err != nil {
		return nil, err
	}
	return a, nil
}

// Refresh takes in what others have written since. Readers go on meanwhile with
// what there was. It costs a look at every problem of a store.
func (a *Atlas) Refresh() error {
	rows, err := a.source.refresh()
	if err == nil && rows != nil {
		a.now.Store(newSnapshot(rows))
	}
	return err
}

// Close gives up the source; the cells stay readable.
func (a *Atlas) Close() error { return a.source.close() }

// A snapshot is the state of an atlas at a moment.
type snapshot struct {
	rows  []row             // in the order of compareRows
	index map[texts.Key]int // of rows
	tori  func() []Summary
	words func() Words
}

// A row is a cell, with what says which it is. The program's own are read on first use.
type row struct {
	key   texts.Key
	sides []int
	twin  func() string // as in Cell
	cell  func() *Cell
	read  func() (line, error) // of the program's own files
}

// rowOf returns the row of a cell that is there.
func rowOf(c *Cell) row {
	return row{key: c.Key(), sides: c.Torus, twin: func() string { return c.Twin }, cell: func() *Cell { return c }}
}

func newSnapshot(rows []row) *snapshot {
	s := &snapshot{rows: rows, index: make(map[texts.Key]int, len(rows))}
	slices.SortStableFunc(s.rows, compareRows)
	for i, r := range s.rows {
		s.index[r.key] = i
	}
	s.tori = sync.OnceValue(func() []Summary { return summarise(s.rows) })
	s.words = sync.OnceValue(func() Words { return newWords(s.rows) })
	return s
}

// twinReplies returns the canonical text of a network in which replies have the other tie rule, where nothing ties; ""
// elsewhere, and without a routing of the replies.
func twinReplies(where string) string {
	p, err := texts.ParseWhere(where)
	if err != nil || p.Traffic.Replies == nil {
		return ""
	}
	own := p.Traffic.ReplyText()
	twin := store.Twin(p.Torus(), own)
	if twin == "" {
		return ""
	}
	return strings.Replace(where, own, twin, 1)
}

// Cell returns a cell. Where nothing ties it is found under either tie rule, of the routing and of that of the replies.
func (a *Atlas) Cell(k texts.Key) (Cell, bool) {
	s := a.now.Load()
	i, ok := s.index[k]
	if !ok {
		if p, err := k.Problem(); err == nil {
			k = texts.KeyOf(p)
			for _, torus := range []string{k.Torus, twinReplies(k.Torus)} {
				for _, way := range []string{k.Routing, store.Twin(p.Torus(), k.Routing)} {
					if !ok {
						i, ok = s.index[texts.Key{Torus: torus, Routing: way, Size: k.Size}]
					}
				}
			}
		}
	}
	if !ok {
		return Cell{}, false
	}
	return *s.rows[i].cell(), true
}

// A Filter picks cells; its zero value picks all.
type Filter struct {
	Torus    string // canonical text, as in Key; "" is any. Where nothing ties either tie rule of replies fits
	Routing  string // canonical text; "" is any. Where nothing ties either tie rule fits
	From, To int    // sizes; To 0 is no end
	Gap      *big.Rat
	Only     map[texts.Key]bool // only these cells; nil: any
	Text     string             // words that the cells have, see Words; "" is any
	Offset   int
	Limit    int // 0 is no limit
}

// Known returns the cells of some keys, each once and in their order, leaving out keys without a cell.
func (a *Atlas) Known(keys []texts.Key) []Cell {
	list, seen := []Cell{}, map[texts.Key]bool{}
	for _, k := range keys {
		if c, ok := a.Cell(k); ok && !seen[c.Key()] {
			seen[c.Key()] = true
			list = append(list, c)
		}
	}
	return list
}

// Cells returns the cells that a filter picks, by torus, routing and size, those
// from Offset on and at most Limit; total counts all. Cost: a look at every cell.
func (a *Atlas) Cells(f Filter) (cells []Cell, total int) {
	now, twin := a.now.Load(), twinReplies(f.Torus)
	all := core.Range(len(now.rows))
	if len(split(f.Text)) > 0 {
		all, _ = now.words().Find(f.Text)
	}
	rows := now.rows
	var picked []int
	for _, i := range all {
		if !f.picks(rows[i], twin) {
			continue
		}
		if total++; total > f.Offset && (f.Limit == 0 || len(picked) < f.Limit) {
			picked = append(picked, i)
		}
	}
	cells = make([]Cell, len(picked))
	parallel.Each(context.Background(), runtime.GOMAXPROCS(0), len(picked), func(i int) {
		cells[i] = *rows[picked[i]].cell()
	})
	return cells, total
}

// picks reports whether a filter picks a row; twin is twinReplies of its torus.
func (f Filter) picks(r row, twin string) bool {
	switch {
	case f.Only != nil && !f.Only[r.key],
		f.Torus != "" && f.Torus != r.key.Torus && (twin == "" || twin != r.key.Torus),
		r.key.Size < f.From, f.To > 0 && r.key.Size > f.To,
		f.Routing != "" && f.Routing != r.key.Routing && f.Routing != r.twin():
		return false
	}
	if f.Gap != nil {
		if gap, ok := r.cell().Gap(); !ok || gap.Cmp(f.Gap) < 0 {
			return false
		}
	}
	return true
}

// A Summary counts the cells of a torus or network, with traffic and conditions, or of these under one routing.
type Summary struct {
	results.Grid
	results.Setting
	Routing  string    `json:"routing,omitempty"` // "" for all routings of the torus
	Cells    int       `json:"cells"`
	Proved   int       `json:"proved"`
	Open     int       `json:"open"`
	Beaten   int       `json:"beaten"` // cells whose best placement beats the papers'
	Faults   int       `json:"faults"`
	Routings []Summary `json:"routings,omitempty"` // the same by routing
}

// Where returns network, traffic and conditions of the cells, as in their keys.
func (s Summary) Where() string { return s.Setting.Where(s.Grid) }

// Tori returns a summary of every torus or network with cells, with one of every routing in it. Cells with conditions
// have a summary of their own.
func (a *Atlas) Tori() []Summary { return a.now.Load().tori() }

// summarise counts rows in their order.
func summarise(rows []row) []Summary {
	tori := []Summary{}
	for _, r := range rows {
		c := r.cell()
		if n := len(tori); n == 0 || tori[n-1].Where() != r.key.Torus {
			tori = append(tori, Summary{Grid: c.Grid, Setting: c.Setting})
		}
		t := &tori[len(tori)-1]
		if n := len(t.Routings); n == 0 || t.Routings[n-1].Routing != c.Routing {
			t.Routings = append(t.Routings, Summary{Grid: c.Grid, Setting: c.Setting, Routing: c.Routing})
		}
		t.count(c)
		t.Routings[len(t.Routings)-1].count(c)
	}
	return tori
}

func (s *Summary) count(c *Cell) {
	s.Cells++
	switch {
	case c.Fault != "":
		s.Faults++
		return
	case c.Status == Optimal:
		s.Proved++
	default:
		s.Open++
	}
	if c.Beats() {
		s.Beaten++
	}
}
