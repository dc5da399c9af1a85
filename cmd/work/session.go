package work

import (
	"context"
	"encoding/json"
	"errors"
	"math/big"
	"runtime"
	"sync"
	"time"

	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/compose"
	"leeway/results/store"
	"leeway/search"
	"leeway/search/portfolio"
	"leeway/search/refuters"
)

// ErrNoPlacement says that a budget was spent before anything was evaluated.
var ErrNoPlacement = errors.New("no placement was found before the end")

// Grace is how long work that cannot look at its context may go on after the context has ended.
const Grace = 50 * time.Millisecond

// A Session works on tasks, one after the other. Its fields are set before the first.
type Session struct {
	Version string   // of the program, for records
	Command []string // that made the records
	Workers int      // at least 1
	Store   *store.Store
	Known   *Known // proofs about other sizes, to be used and added to; nil: none
	// Atlas returns what is known of networks of a number of nodes, where tasks start from; nil: tasks start from nothing.
	Atlas  func(nodes int) (*atlas.Atlas, error)
	Head   Head // shares the work with other machines; nil: this machine alone
	Before int  // tasks of the same list that were done before
	Observer
}

// An Observer sees how tasks go. Each function may be nil. Next is called before each of a list of tasks
// with its place in the list, those done before among them, and their number; Begin with a lower bound on E_max that
// has a proof, nil for a problem with a limit; Bound with that bound
// and a larger one while the checker repeats that, and with what holds and nil when it has; Bound and
// Event from any goroutine; End when the last of both is over.
type Observer struct {
	Next   func(place, of int)
	Begin  func(t Task, lower *big.Rat)
	Bound  func(lower, checking *big.Rat)
	Event  func(search.Event)
	End    func()
	Remark func(format string, args ...any) // for the person who watches
}

// A Head hands out work to other machines: the coordinator of a cluster.
type Head interface {
	// Prove has others write the slices of a proof until it is settled or the context ends.
	Prove(ctx context.Context, p refuters.Shared) error
	Search(ctx context.Context, l portfolio.Portfolio, p search.Params) (search.Outcome, error)
	Know(best, lower string)
}

// An Answer is what came of a task: a record, or, where only a value was asked about, the
// document about that. Neither is there where nothing was found.
type Answer struct {
	Record *results.Record
	Below  *results.Below
	Before bool // it is what the store had: nothing was left to do
	// Proof is the time that went to a proof: to the bounds, and to all after the placement was found; 0 without one.
	Proof time.Duration
}

// onMachine says whether there are files and other programs. A browser has none of them, and what needs them is not
// part of the program there.
const onMachine = runtime.GOOS != "js"

// stored reports whether there is a store.
func (s *Session) stored() bool { return onMachine && s.Store != nil }

func (s *Session) remark(format string, args ...any) {
	if s.Remark != nil {
		s.Remark(format, args...)
	}
}

// Quiet returns the session without its observer.
func (s *Session) Quiet() *Session {
	quiet := *s
	quiet.Observer = Observer{}
	return &quiet
}

// All works on tasks in turn until the context ends or take, which is shown each answer with its
// error, returns one. A method or engine that was named and cannot treat a task is refused before
// any work begins.
func (s *Session) All(ctx context.Context, tasks []Task, take func(Task, Answer, error) error) error {
	for _, t := range tasks {
		if err := s.Supports(t); err != nil {
			return err
		}
	}
	if s.stored() && len(tasks) > 1 {
		runs := make([]store.Run, len(tasks))
		for i, t := range tasks {
			runs[i] = t.storeKey()
		}
		if err := s.Store.Plan(runs); err != nil { // what is stopped goes on with all
			return err
		}
	}
	for i, t := range tasks {
		if of := s.Before + len(tasks); s.Next != nil && of > 1 {
			s.Next(s.Before+i+1, of)
		}
		answer, err := s.Solve(ctx, t)
		if err = take(t, answer, err); err == nil && ctx.Err() == nil {
			continue
		}
		if left := len(tasks) - i - 1; left > 0 && s.stored() {
			s.remark("stopped before %d of %d problems had begun; leeway resume goes on with them", left, len(tasks))
		}
		return err
	}
	return nil
}

// Solve works on one task. A search is passed over, with what the store has as its answer, where
// the store makes it needless. An error that comes with an answer says why the store does not
// take it; it may be ErrNoPlacement, and is a *search.UnsupportedError for a method or engine that
// cannot treat the problem, and a *MemoryError where the machine has too little for it. When the context ends the
// answer is the best so far.
func (s *Session) Solve(ctx context.Context, t Task) (Answer, error) {
	if err := Enough(t.Torus(), "searching under "+t.RoutingText(), SearchBytes(t.Problem)); err != nil {
		return Answer{}, err
	}
	r := &run{Session: s, Task: t, started: time.Now()}
	switch {
	case t.Proof != nil && t.Proof.Symmetry != "":
		return r.symmetric(ctx)
	case t.Proof != nil && t.Proof.Below != nil:
		return r.answerBelow(ctx)
	case t.Proof == nil && s.stored():
		if answer, done, err := r.takeUp(); done || err != nil {
			return answer, err
		}
	}
	if err := r.recollect(ctx); err != nil {
		return Answer{}, err
	}
	return r.solve(ctx)
}

// A run is a task under way.
type run struct {
	*Session
	Task
	started  time.Time
	key      store.Run                // in a store
	state    json.RawMessage          // to go on from
	lower    *lowerBound              // once it is derived
	baseline func() *results.Baseline // waits for it
	recalled *search.Outcome          // the placement that an atlas had, nil if it had none

	mu        sync.Mutex
	kept      *big.Rat     // the best value that went into the store
	walked    search.Event // how far the last engine of a proof is
	searching bool         // for a start of the next attempt to prove
	began     time.Time    // when the bounds were derived, and the methods began
	best      *big.Rat     // the best value by now
	improved  time.Time    // when it was found
}

// takeUp looks what the store knows of a search: nothing is left to do where the problem is known
// to be solved, or the same was done before. Else the search begins there, or goes on.
func (r *run) takeUp() (Answer, bool, error) {
	r.key = r.Task.storeKey()
	var err error
	if r.state, _, err = r.Store.Resume(r.key); err != nil {
		return Answer{}, false, err
	}
	best, known, err := r.Store.Best(r.key.Problem)
	if err != nil {
		return Answer{}, false, err
	}
	if r.Limit == nil && known && best.Status == results.StatusOptimal && !r.Nearest { // another may be nearer
		r.remark("%s: known to be optimal, E_max %s", r.Problem, best.MaxLoad)
		return Answer{Record: &best, Before: true}, true, r.Store.Finish(r.key)
	}
	done, err := r.Store.Finished(r.key)
	if err != nil {
		return Answer{}, false, err
	}
	if done && (known || r.Limit != nil) {
		r.remark("%s: was searched before with this seed and budget", r.Problem)
		if known {
			return Answer{Record: &best, Before: true}, true, nil
		}
		return Answer{Before: true}, true, nil
	} // what was finished and is not there any more is begun again
	if r.state != nil {
		r.remark("%s: going on from the last checkpoint", r.Problem)
	}
	nulls, err := r.Store.Nulls(r.key.Problem)
	if err != nil {
		return Answer{}, false, err
	}
	for _, n := range nulls {
		r.remark("%s: %s saw no less than %s in %d evaluations (seed %d)", r.Problem, n.Method, n.Best, n.Evaluations, n.Seed)
	}
	return Answer{}, false, r.Store.Checkpoint(r.key, r.state)
}

// wantsCertificate reports whether a certificate is asked for.
func (r *run) wantsCertificate() bool {
	return onMachine && r.Proof != nil && r.Proof.Certificate != nil
}

// answer returns the answer that a record is.
func (r *run) answer(record results.Record) Answer {
	answer := Answer{Record: &record}
	r.mu.Lock()
	defer r.mu.Unlock()
	if record.Proof != nil && r.best != nil {
		all := time.Duration(record.FoundBy.Seconds * float64(time.Second))
		answer.Proof = max(0, all-r.improved.Sub(r.began))
	}
	return answer
}

// noteImprovement notes when the best value was found. It may be called from any goroutine.
func (r *run) noteImprovement(e search.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e.Improved && (r.best == nil || e.Value.Cmp(r.best) < 0) {
		r.best, r.improved = e.Value, time.Now()
	}
}

// startMethod returns the method that found the placement from which the task starts.
func (r *run) startMethod() string {
	if r.recalled != nil {
		return r.recalled.Method
	}
	return recalledMethod
}

// options returns how the portfolio runs a search: where it puts its state and goes on from.
func (r *run) options() (portfolio.Options, error) {
	o := portfolio.Options{Parts: sharesOf, StartMethod: r.startMethod()}
	if r.Limit != nil && r.Free == nil {
		o.Parts = nil // every size begins anew: small parts find out sooner that one is out of reach
	}
	if !r.stored() {
		return o, nil
	}
	o.Checkpoint = func(state portfolio.State) error {
		data, err := json.Marshal(state)
		if err != nil {
			return err
		}
		return r.Store.Checkpoint(r.key, data)
	}
	if r.state != nil {
		o.Resume = new(portfolio.State)
		if err := json.Unmarshal(r.state, o.Resume); err != nil {
			r.remark("%s: the state in the store cannot be read, the search begins anew: %v", r.Problem, err)
			o.Resume = nil
		}
	}
	return o, nil
}

// keep puts an improvement of a search into the store at once.
func (r *run) keep(e search.Event) {
	if !r.stored() || r.Proof != nil || !e.Improved || e.Best.Size() != r.Size {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.kept != nil && e.Value.Cmp(r.kept) >= 0 {
		return
	}
	result := search.Outcome{Best: e.Best, Table: e.Table, Value: e.Value, Evaluations: e.Evaluations,
		Method: e.Method}
	plain := &lowerBound{best: r.lower.fallback, fallback: r.lower.fallback}
	claim, err := r.claim(context.Background(), r.Problem, result, plain)
	if err == nil {
		claim.Then = "" // that comes at the end
		var record results.Record
		if record, err = compose.New(claim); err == nil {
			_, err = r.Store.AddInterim(record)
		}
	}
	if err != nil {
		r.remark("%s: E_max %s is not in the store: %v", r.Problem, e.Value.RatString(), err)
		return
	}
	r.kept = e.Value
}

// addStoredProof gives a record without a proof the one that the store has for its value, with the list of all optima.
func (r *run) addStoredProof(record results.Record) (results.Record, error) {
	if !r.stored() || r.Limit != nil || !r.Nearest || record.Proof != nil {
		return record, nil
	}
	best, known, err := r.Store.Best(r.key.Problem)
	if err == nil && known && best.Proof != nil && best.MaxLoad == record.MaxLoad {
		record.Status, record.Proof, record.Certificate = best.Status, best.Proof, best.Certificate
		record.LowerBound, record.BoundReason, record.BoundProof = best.LowerBound, best.BoundReason, best.BoundProof
		record.Optima, record.Orbits, record.Labelled = best.Optima, best.Orbits, best.Labelled
		record.OptimaOrbits, record.SolverClaim = best.OptimaOrbits, best.SolverClaim
	}
	return record, err
}

// finish puts the record into the store and closes the run of a search, unless it was
// interrupted; what the methods did not find stays as null results. An optimum leaves nothing to
// look for, and so no null results: a run that is killed between its record and its end is not
// taken up again.
func (r *run) finish(ctx context.Context, record results.Record, state portfolio.State) error {
	if !r.stored() {
		return nil
	}
	kept, err := r.Store.AddRecord(record)
	if err != nil || r.Proof != nil {
		return err
	}
	if ctx.Err() != nil {
		r.remark("%s: interrupted; leeway resume goes on", r.Problem)
		return nil
	}
	var nulls []store.Null
	for _, m := range state.Methods {
		if record.Status == results.StatusOptimal || m.Method == record.FoundBy.Method || r.Free != nil && kept {
			continue
		}
		null := store.Null{Goal: r.key.Goal, Method: m.Method, Seed: r.Seed, Budget: r.key.Budget, Evaluations: m.Evaluations}
		if m.Best != nil {
			null.Best = m.Best.RatString()
		}
		nulls = append(nulls, null)
	}
	return r.Store.Finish(r.key, nulls...)
}

// WithStore opens the store of a file for the time of some work, and joins the error of closing it to that of the work.
// It fails with an *OpenError where the file is not a store that can be used.
func (s *Session) WithStore(file string, work func() error) error {
	opened, err := store.Open(file)
	if err != nil {
		return &OpenError{err}
	}
	s.Store = opened
	return errors.Join(work(), opened.Close())
}

// An OpenError says why a store could not be opened.
type OpenError struct{ Err error }

// Error says what is wrong with the file.
func (e *OpenError) Error() string { return e.Err.Error() }

// Unwrap returns the error of the store.
func (e *OpenError) Unwrap() error { return e.Err }
