// Package engine answers questions in JSON: it is what a page in a browser has of the program. It asks the
// application, so that a page and the command line say the same.
package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"sync"
	"time"

	"leeway/cmd/work"
	"leeway/core"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/check"
	"leeway/results/check/documents"
	"leeway/results/compose"
	"leeway/results/disk"
	"leeway/search"
	"leeway/search/refuters"
)

// A Question is one of the commands network, eval, link, paths, bound, identify, search, prove, check and read, with
// what it needs of the rest. The command stop ends the question of the same number, whose answer is then the best so
// far.
type Question struct {
	ID      int    `json:"id"`
	Command string `json:"command"`
	// Where is a network with traffic and conditions, as objective.Problem.Where writes them.
	Where     string         `json:"where"`
	Routing   string         `json:"routing"`
	Table     *results.Table `json:"table"`     // of the routing "table"
	Placement string         `json:"placement"` // as after --placement; "" for all of Size
	Size      int            `json:"size"`
	Link      int            `json:"link"` // number of a link
	From      int            `json:"from"` // number of a node
	To        *int           `json:"to"`   // the same; nil: any

	Seed        uint64 `json:"seed"`
	Seconds     int    `json:"seconds"`     // 0: no limit
	Evaluations int64  `json:"evaluations"` // the same
	Below       string `json:"below"`       // of prove: only whether E_max below this fraction is possible
	All         bool   `json:"all"`         // of prove: list all optima
	Text        string `json:"text"`        // of check and read: a document, or a matrix
	Name        string `json:"name"`        // of read: of the file, for errors

	Records []string `json:"records"` // of identify: those of the atlas that the placement is compared with, JSON
}

// A Reply to a question is a sign of progress, or its end: an answer or an error.
type Reply struct {
	ID       int       `json:"id"`
	Progress *Progress `json:"progress,omitempty"`
	Answer   any       `json:"answer,omitempty"`
	Error    string    `json:"error,omitempty"`
	Hint     string    `json:"hint,omitempty"`
}

// Progress says how far a search, a proof or a check is.
type Progress struct {
	Method      string  `json:"method,omitempty"`
	Note        string  `json:"note,omitempty"`
	Value       string  `json:"value,omitempty"` // E_max of the best placement so far
	Nodes       [][]int `json:"nodes,omitempty"` // that placement, where it is new
	LowerBound  string  `json:"lower_bound,omitempty"`
	Evaluations int64   `json:"evaluations,omitempty"`
	Done        int64   `json:"done,omitempty"` // parts of equal standing
	Total       int64   `json:"total,omitempty"`
}

// An Engine answers questions. Its fields are set before the first; calls of Send may come from any goroutine.
type Engine struct {
	Version string
	Send    func(Reply)

	mu    sync.Mutex
	stops map[int]context.CancelFunc // by question
}

// Handle takes a question as JSON and returns at once.
func (e *Engine) Handle(text string) {
	var q Question
	if err := json.Unmarshal([]byte(text), &q); err != nil {
		e.Send(Reply{Error: "not a question: " + err.Error()})
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if q.Command == "stop" {
		if stop := e.stops[q.ID]; stop != nil {
			stop()
		}
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	if e.stops == nil {
		e.stops = map[int]context.CancelFunc{}
	}
	e.stops[q.ID] = cancel
	go func() {
		answer, err := e.Answer(ctx, q)
		cancel()
		e.mu.Lock()
		delete(e.stops, q.ID)
		e.mu.Unlock()
		if err == nil {
			e.Send(Reply{ID: q.ID, Answer: answer})
			return
		}
		hint, _ := work.HintOf(err)
		e.Send(Reply{ID: q.ID, Error: err.Error(), Hint: hint})
	}()
}

// Answer returns the answer to a question. Errors are those of the application, *core.InputError for what cannot be
// read.
func (e *Engine) Answer(ctx context.Context, q Question) (any, error) {
	switch q.Command {
	case "check":
		return e.check(ctx, q), nil
	case "read":
		return read(q)
	case "search", "prove":
		return e.solve(ctx, q)
	}
	on, err := texts.ParseWhere(q.Where)
	if err != nil {
		return nil, err
	}
	if q.Command == "network" {
		return newNetwork(on.Torus())
	}
	if q.Command == "identify" {
		return identify(ctx, on, q)
	}
	p, err := problem(on, q)
	if err != nil {
		return nil, err
	}
	if q.Command == "bound" && q.Placement == "" {
		if p, err = texts.ParseProblem(q.Where, q.Routing, q.Size); err != nil {
			return nil, err
		}
		return work.BoundsOf(ctx, p)
	}
	s, err := placed(p, q.Placement)
	if err != nil {
		return nil, err
	}
	switch q.Command {
	case "eval":
		return e.evaluate(ctx, p, s)
	case "bound":
		return work.Bounds(ctx, p, s)
	case "link":
		return usersOf(p, s, q.Link)
	case "paths":
		return pathsOf(p, s, q)
	}
	return nil, core.Invalid(q.Command, "the engine has no such command")
}

// problem returns the problem of a question without size and conditions: that of one placement.
func problem(on objective.Problem, q Question) (objective.Problem, error) {
	var p objective.Problem
	var err error
	if q.Table != nil {
		p.Routing, err = q.Table.Routing(on.Torus())
	} else {
		p.Routing, err = routing.Parse(on.Torus(), q.Routing)
	}
	if err != nil {
		return p, err
	}
	return p.WithTraffic(on.Traffic)
}

// placed reads a placement, with a matrix that of its tasks.
func placed(p objective.Problem, text string) (core.Placement, error) {
	if p.Traffic.Matrix == nil {
		s, err := family.Parse(p.Torus(), text)
		if err == nil {
			err = routing.Covers(p.Routing, s)
		}
		return s, err
	}
	s, err := family.ParseTasks(p.Torus(), text)
	if err != nil {
		return s, err
	}
	if problem := p.Refusal(s); problem != "" {
		return s, &core.InputError{Text: text, Problem: problem}
	}
	return s, nil
}

// solve searches or proves. Its answer is a record, or the document about one value.
func (e *Engine) solve(ctx context.Context, q Question) (any, error) {
	p, err := texts.ParseProblem(q.Where, q.Routing, q.Size)
	if err != nil {
		return nil, err
	}
	if p.Traffic.Matrix != nil {
		if err := p.CheckRoom(); err != nil {
			return nil, err
		}
	} else if least, most := p.Sizes(); q.Size < least || q.Size > most {
		return nil, core.Invalid(strconv.Itoa(q.Size), "with these fixed and forbidden nodes sizes are %d..%d", least, most)
	}
	t := work.Task{Problem: p, Budget: work.Budget{Seed: q.Seed, Time: time.Duration(q.Seconds) * time.Second,
		Evaluations: q.Evaluations}}
	if q.Command == "prove" {
		t.Proof = &work.Proof{Engine: work.EngineAuto, All: q.All}
		if q.Below != "" {
			if t.Proof.Below, err = results.ParseFraction(q.Below); err != nil {
				return nil, err
			}
		}
	}
	s := work.Session{Version: e.Version, Command: strings.Fields(t.String()), Workers: 1, Known: &work.Known{},
		Observer: e.observer(q.ID)}
	if err := s.Supports(t); err != nil {
		return nil, err
	}
	answer, err := s.Solve(ctx, t)
	switch {
	case answer.Record != nil:
		return answer.Record, nil
	case answer.Below != nil:
		return answer.Below, nil
	}
	return nil, cmp.Or(err, work.ErrNoPlacement)
}

// progressInterval is how often events without news are told.
const progressInterval = 200 * time.Millisecond

// observer returns what tells how the answer to a question goes.
func (e *Engine) observer(id int) work.Observer {
	var mu sync.Mutex
	var told time.Time
	var best *big.Rat
	tell := func(p Progress) { e.Send(Reply{ID: id, Progress: &p}) }
	return work.Observer{
		Begin: func(_ work.Task, lower *big.Rat) {
			if lower != nil {
				tell(Progress{LowerBound: lower.RatString()})
			}
		},
		Bound: func(lower, _ *big.Rat) { tell(Progress{LowerBound: lower.RatString()}) },
		Event: func(v search.Event) {
			mu.Lock()
			defer mu.Unlock()
			news := v.Value != nil && (best == nil || v.Value.Cmp(best) < 0)
			if now := time.Now(); news || now.Sub(told) >= progressInterval {
				told = now
				p := Progress{Method: v.Method, Note: v.Note, Evaluations: v.Evaluations, Done: int64(v.Done),
					Total: int64(v.Total)}
				if news {
					best = v.Value
				}
				if best != nil {
					p.Value = best.RatString()
				}
				if news && v.Best.Size() > 0 {
					p.Nodes = v.Best.Coords()
				}
				if news && v.Best.Tasks() != nil {
					p.Nodes = byTask(v.Best)
				}
				tell(p)
			}
		},
		Remark: func(format string, args ...any) { tell(Progress{Note: fmt.Sprintf(format, args...)}) },
	}
}

// check returns the verdict about a document.
func (e *Engine) check(ctx context.Context, q Question) check.Verdict {
	return documents.Document(ctx, []byte(q.Text), "", check.Options{Workers: 1, Produce: refuters.Produce})
}

// A Document is what a page needs of a record or an evaluation to show it.
type Document struct {
	Where   string         `json:"where"`
	Routing string         `json:"routing"`
	Table   *results.Table `json:"table,omitempty"`
	Nodes   [][]int        `json:"nodes"`  // with a matrix those of its tasks in turn
	Record  bool           `json:"record"` // which can be checked
	Matrix  string         `json:"matrix"` // a traffic instead of all this: the document was a matrix, of some tasks
	Tasks   int            `json:"tasks"`
}

// byTask returns the coordinates of the nodes of tasks in turn.
func byTask(s core.Placement) (list [][]int) {
	for _, v := range s.Tasks() {
		list = append(list, s.Torus().Coords(v))
	}
	return list
}

// read reads a record, an evaluation, or a matrix in any of its forms.
func read(q Question) (Document, error) {
	text := strings.TrimLeft(q.Text, " \t\r\n")
	schema, err := results.SchemaOf([]byte(q.Text))
	if !strings.HasPrefix(text, "{") && !strings.HasPrefix(text, "[") || err == nil && schema == objective.MatrixSchema {
		m, err := disk.MatrixIn(q.Name, []byte(q.Text))
		if err != nil {
			return Document{}, err
		}
		return Document{Matrix: m.String(), Tasks: m.Tasks}, nil
	}
	r, err := compose.ReadPlaced([]byte(q.Text))
	if err != nil {
		return Document{}, results.InFile(err, q.Name)
	}
	d := Document{Where: r.Where(), Routing: r.Routing, Table: r.Table, Nodes: r.Nodes,
		Record: r.Schema == results.RecordSchema}
	if r.Assignment == nil {
		return d, nil
	}
	t, err := r.ReadGrid()
	if err != nil {
		return d, err
	}
	s, err := r.Placement(t, r.Nodes)
	if err == nil {
		d.Nodes = byTask(s)
	}
	return d, err
}
