package check_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/core/symmetry"
	"leeway/encode"
	"leeway/encode/dimacs"
	"leeway/encode/lrat"
	"leeway/encode/steps"
	"leeway/objective"
	"leeway/objective/bound"
	"leeway/objective/lowerbound"
	"leeway/results"
	"leeway/results/answers"
	. "leeway/results/check"
	"leeway/results/check/documents"
	"leeway/results/check/kernel"
	"leeway/results/check/sat"
	"leeway/results/compose"
	"leeway/results/layout"
	"leeway/search/refute"
	"leeway/search/refuters"
	"leeway/search/searchtest"
)

// The forger writes documents whose claims are as often false as true, each in the best dress it can give them: right
// hashes, right counts, streams written for the very value that is claimed. What is true comes from listing all
// placements with the naive evaluator. Whatever the checker calls valid must be true in every field that is not marked
// as unchecked.

// A truth knows the least E_max of every size on a tiny torus, by listing placements.
type truth struct {
	torus   *core.Torus
	routing routing.Routing
	free    *routing.Free
	least   map[int]*big.Rat // by size; nil: no placement has a load
	optima  map[int][]core.Placement
}

func newTruth(r routing.Routing) *truth {
	return &truth{torus: r.Torus(), routing: r, least: map[int]*big.Rat{}, optima: map[int][]core.Placement{}}
}

// min returns the least E_max of n processors, nil if there is no such placement or none whose pairs all have paths:
// then every bound holds.
func (u *truth) min(n int) *big.Rat {
	if v, ok := u.least[n]; ok || n < 0 || n > u.torus.N() {
		return v
	}
	var best *big.Rat
	var optima []core.Placement
	for set := uint64(0); set < 1<<u.torus.N(); set++ {
		s := core.Set{set}
		if s.Count() != n {
			continue
		}
		p := core.MustPlacement(u.torus, s.Nodes())
		v := u.load(p)
		switch {
		case v == nil:
		case best == nil || v.Cmp(best) < 0:
			best, optima = v, []core.Placement{p}
		case v.Cmp(best) == 0:
			optima = append(optima, p)
		}
	}
	u.least[n], u.optima[n] = best, optima
	return best
}

// load returns the E_max of a placement, nil if it has none; with a free routing the least under any table.
func (u *truth) load(p core.Placement) *big.Rat {
	if u.free != nil {
		return searchtest.LeastOfTables(p, objective.Traffic{}, *u.free, true, nil)
	}
	if routing.Covers(u.routing, p) != nil {
		return nil
	}
	v, _ := objective.Naive(u.routing, p).Max()
	return v
}

// A forger writes documents about one problem.
type forger struct {
	*truth
	rng    *rand.Rand
	others []*truth // other routings of the same torus
	folder string
}

// newForger returns a forger on a torus of at most so many nodes.
func newForger(rng *rand.Rand, nodes int, folder string) *forger {
	f := &forger{rng: rng, folder: folder}
	if rng.IntN(8) == 0 { // tables of all choices are few on these
		t := [][]int{{2, 2}, {4}, {5}, {2, 3}}[rng.IntN(4)]
		torus := core.MustTorus(t...)
		f.truth = newTruth(coretest.TableOf(routing.NewUDR(torus, routing.TieBoth)))
		if f.free = &(routing.Free{MinPaths: 1 + rng.IntN(2)}); rng.IntN(2) == 0 {
			*f.free = routing.Free{Single: true, MinPaths: 1}
			f.routing = coretest.TableOf(must(routing.NewODR(torus, rng.Perm(torus.D()), routing.TiePlus)))
		}
		return f
	}
	torus := coretest.Torus(rng, nodes)
	if rng.IntN(2) == 0 {
		torus = coretest.Opened(rng, torus)
	}
	for range 3 {
		r := coretest.Routing(rng, torus)
		if rng.IntN(6) == 0 {
			r = coretest.Table(rng, torus, rng.IntN(2) == 0 || !torus.Closed())
		}
		f.others = append(f.others, newTruth(r))
	}
	f.truth = f.others[0]
	return f
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// pick returns one of some values.
func pick[T any](f *forger, list ...T) T { return list[f.rng.IntN(len(list))] }

// value returns a value to claim for n processors: the truth, a little more or less, between multiples, of another size
// or routing, or far off.
func (f *forger) value(n int) *big.Rat {
	of := f.truth
	switch f.rng.IntN(12) {
	case 0:
		n += 1 - 2*f.rng.IntN(2)
	case 1:
		if len(f.others) > 0 {
			of = pick(f, f.others...)
		}
	case 2:
		return new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(int64(1+f.rng.IntN(40))), uint(50+f.rng.IntN(30))))
	case 3:
		return big.NewRat(int64(f.rng.IntN(60)-2), int64(1+f.rng.IntN(13)))
	}
	v := of.min(n)
	if v == nil {
		v = big.NewRat(int64(f.rng.IntN(5)), 2)
	}
	d := objective.Denominator(f.routing)
	if d == nil {
		d = big.NewInt(int64(1 + f.rng.IntN(12)))
	}
	step := new(big.Rat).SetFrac(big.NewInt(1), d)
	step.Mul(step, pick(f, big.NewRat(0, 1), big.NewRat(0, 1), big.NewRat(1, 2), big.NewRat(1, 1), big.NewRat(1, 1000),
		big.NewRat(999, 1000),
		big.NewRat(-1, 2), big.NewRat(-1, 1), big.NewRat(-1, 1000), big.NewRat(3, 2), big.NewRat(2, 1)))
	return step.Add(step, v)
}

// placement returns n random nodes, sometimes the best.
func (f *forger) placement(n int) core.Placement {
	if f.free == nil && f.rng.IntN(2) == 0 && f.min(n) != nil {
		return pick(f, f.optima[n]...)
	}
	return core.MustPlacement(f.torus, f.rng.Perm(f.torus.N())[:n])
}

// proof returns a proof that n processors under a routing need a value, whether they do or not.
func (f *forger) proof(r routing.Routing, n int, value *big.Rat) *results.Proof {
	if f.rng.IntN(4) > 0 {
		return f.plainProof(r, n, value)
	}
	of, size := r, max(1, n-f.rng.IntN(4)+f.rng.IntN(2))
	name := ""
	if f.rng.IntN(3) == 0 && len(f.others) > 0 {
		if other := pick(f, f.others...); other.routing.String() != results.TableRouting {
			of, name = other.routing, other.routing.String()
		}
	}
	p := f.plainProof(of, min(size, f.torus.N()), value)
	p.Kind, p.Basis, p.Size, p.Routing, p.Below = results.ProofMonotone, p.Kind, &size, name, value.RatString()
	return p
}

func (f *forger) plainProof(r routing.Routing, n int, value *big.Rat) *results.Proof {
	p := &results.Proof{Kind: results.ProofBound, Engine: "forger", Below: value.RatString()}
	switch kind := f.rng.IntN(10); {
	case kind < 3:
	case kind < 7 || f.torus.N() > 8 || f.free != nil && kind < 9:
		p.Kind, p.Engine = results.ProofSteps, pick(f, "orderly", "orderly", "counts", "counts", "", "", "margin")
		if f.rng.IntN(3) == 0 {
			steps, bytes := int64(1+f.rng.IntN(1000)), int64(1+f.rng.IntN(1000))
			p.Steps, p.Bytes, p.SHA256 = &steps, &bytes, strings.Repeat("0", 64)
		}
		if f.rng.IntN(4) == 0 {
			f.streamFile(r, n, value, p)
		}
	default:
		symmetric := f.rng.IntN(2) == 0
		p.Kind, p.Format, p.Symmetry = results.ProofUnsat, sat.FormatLRAT, &symmetric
		p.File, p.SHA256 = f.refutation(r, n, value, symmetric)
	}
	return p
}

// streamFile has a proof name a file of what the engine writes, or what produce makes of that.
func (f *forger) streamFile(r routing.Routing, n int, value *big.Rat, p *results.Proof) {
	var stream bytes.Buffer
	q := objective.Problem{Routing: r, Size: n, Free: f.free}
	if f.produce(context.Background(), p.Engine, q, value, false, steps.Cut{}, &stream) != nil {
		return
	}
	count, size := int64(1+f.rng.IntN(9)), int64(stream.Len())
	read, err := kernel.Check(StepsQuestion(q, value, false), bytes.NewReader(stream.Bytes()), false,
		func(int64) error { return nil })
	if err == nil {
		count = read.Steps
	}
	sum := sha256.Sum256(stream.Bytes())
	p.Steps, p.Bytes, p.SHA256 = &count, &size, hex.EncodeToString(sum[:])
	p.File = p.SHA256[:16] + ".steps"
	if err := os.WriteFile(filepath.Join(f.folder, p.File), stream.Bytes(), 0o644); err != nil {
		panic(err)
	}
}

// produce writes the steps of an engine as it does, as it does about a smaller value, or with a byte changed.
func (f *forger) produce(ctx context.Context, engine string, p objective.Problem, value *big.Rat, listing bool,
	cut steps.Cut, to io.Writer) error {
	lie := f.rng.IntN(4)
	if lie == 0 {
		value = new(big.Rat).Mul(value, big.NewRat(1, 2))
	}
	var stream bytes.Buffer
	err := refuters.Produce(ctx, engine, p, value, listing, cut, &stream)
	if err == nil && lie == 1 && stream.Len() > 0 {
		stream.Bytes()[f.rng.IntN(stream.Len())] ^= byte(1 << f.rng.IntN(8))
	}
	to.Write(stream.Bytes())
	return err
}

// refutation writes a proof that no placement is below a value or, where some is, below a part of it, or claims the end
// at once.
func (f *forger) refutation(r routing.Routing, n int, value *big.Rat, symmetric bool) (file, hash string) {
	text := "999999 0 0\n"
	for tries := f.rng.IntN(4); tries > 0; tries-- {
		if steps, err := refutedBelow(r, n, value, symmetric); err == nil {
			text = steps
			break
		}
		value = new(big.Rat).Mul(value, big.NewRat(1, 2))
	}
	sum := sha256.Sum256([]byte(text))
	hash = hex.EncodeToString(sum[:])
	file = hash[:16] + ".lrat"
	if err := os.WriteFile(filepath.Join(f.folder, file), []byte(text), 0o644); err != nil {
		panic(err)
	}
	return file, hash
}

// refutedBelow returns a proof in LRAT that no placement has E_max below a value.
func refutedBelow(r routing.Routing, n int, value *big.Rat, symmetric bool) (string, error) {
	p, err := objective.NewProblem(r, n)
	if err != nil {
		return "", err
	}
	model, err := encode.NewModel(context.Background(), p, encode.Options{BreakSymmetry: symmetric})
	if err != nil {
		return "", err
	}
	formula, err := model.Formula(context.Background(), dimacs.Limit(p, value))
	if err != nil {
		return "", err
	}
	var text strings.Builder
	w := lrat.NewWriter(&text, formula.Clauses())
	if err := refute.Refute(context.Background(), formula, w); err != nil {
		return "", err
	}
	err = w.Close()
	return text.String(), err
}

// record returns a record that is right but for what it may claim.
func (f *forger) record() results.Record {
	n := 1 + f.rng.IntN(f.torus.N())
	p := f.placement(n)
	for routing.Covers(f.routing, p) != nil {
		p = f.placement(n)
	}
	load, _ := objective.Naive(f.routing, p).Max()
	claim := compose.Values{Routing: f.routing, Free: f.free, Placement: p, MaxLoad: load, BoundReason: "forged",
		Provenance: results.Provenance{Version: "0.1.0", Started: "2026-01-02T03:04:05Z"}}
	if name, ok := family.Baseline(f.torus, n); ok &&
		routing.Covers(f.routing, coretest.Must(family.Parse(f.torus, name))) == nil {
		most := f.baseline(name)
		claim.Baseline = &results.Baseline{Placement: name, MaxLoad: most.RatString()}
	}
	switch f.rng.IntN(3) {
	case 0:
		claim.LowerBound, claim.Proof = load, f.proof(f.routing, n, load)
	case 1:
		if v := f.value(n); v.Cmp(load) <= 0 && v.Sign() >= 0 {
			claim.LowerBound, claim.BoundProof = v, f.proof(f.routing, n, v)
		}
	default:
		if v := f.value(n); v.Cmp(load) <= 0 && v.Sign() >= 0 {
			claim.LowerBound = v
		}
	}
	r := must(compose.New(claim))
	if f.rng.IntN(4) == 0 {
		f.addUpper(&r, load)
	}
	if r.Status == results.StatusOptimal && f.rng.IntN(2) == 0 {
		f.addOptima(&r)
	}
	if f.rng.IntN(8) == 0 {
		r.SolverClaim = &results.SolverClaim{Engine: "forger", Below: f.value(n).RatString()}
	}
	return r
}

// total returns the sum of a list.
func total(list []int) (sum int) {
	for _, v := range list {
		sum += v
	}
	return sum
}

// baseline returns the E_max of a placement with a name, its nodes found by hand.
func (f *forger) baseline(name string) *big.Rat {
	t := 1
	if name != "linear" {
		t, _ = strconv.Atoi(strings.TrimPrefix(name, "multilinear:t="))
	}
	var nodes []int
	for v := range f.torus.N() {
		if total(f.torus.Coords(v))%f.torus.Side(0) < t {
			nodes = append(nodes, v)
		}
	}
	v, _ := objective.Naive(f.routing, core.MustPlacement(f.torus, nodes)).Max()
	return v
}

func (f *forger) addUpper(r *results.Record, load *big.Rat) {
	limit := load
	if v := f.value(r.Size); v.Cmp(load) >= 0 {
		limit = v
	}
	text := limit.RatString()
	if f.rng.IntN(3) == 0 {
		text = new(big.Rat).Quo(limit, big.NewRat(int64(r.Size), 1)).RatString() + "n"
	}
	upper := r.Size + f.rng.IntN(f.torus.N()-r.Size+1)/2
	r.LoadLimit, r.UpperBound = &text, &upper
	for size := upper + 1; size <= f.torus.N() && f.rng.IntN(3) > 0; size++ {
		v := f.value(size)
		if f.rng.IntN(2) == 0 {
			v = new(big.Rat).Add(limit, big.NewRat(1, int64(1+f.rng.IntN(1000))))
		}
		p := f.plainProof(f.routing, size, v)
		p.Kind, p.Basis, p.Size, p.Below = results.ProofMonotone, p.Kind, &size, v.RatString()
		r.UpperProofs = append(r.UpperProofs, *p)
	}
}

func (f *forger) addOptima(r *results.Record) {
	labelled, list := int64(1), [][][]int{r.Nodes}
	if group, err := symmetry.GroupOf(f.routing); err == nil && f.free == nil && f.min(r.Size) != nil {
		forms := map[string]bool{}
		list, labelled = nil, int64(len(f.optima[r.Size]))
		for _, p := range f.optima[r.Size] {
			form, _ := group.Canonical(p.Nodes())
			if !forms[fmt.Sprint(form)] {
				forms[fmt.Sprint(form)] = true
				list = append(list, p.Coords())
			}
		}
	}
	orbits := len(list)
	switch f.rng.IntN(6) {
	case 0:
		labelled += int64(f.rng.IntN(5) - 2)
	case 1:
		orbits += f.rng.IntN(3) - 1
	case 2:
		list = list[1:]
		orbits--
	}
	r.Orbits, r.Labelled = &orbits, &labelled
	if p := r.Proof; p != nil && p.Engine == "orderly" && p.File == "" && f.rng.IntN(4) > 0 {
		placed := int64(f.rng.IntN(4))
		p.Placed = &placed
	}
	if f.rng.IntN(2) == 0 {
		r.Optima = &list
	}
}

// makeBelow returns an answer to "is E_max below a value possible".
func (f *forger) makeBelow() results.Below {
	n := 1 + f.rng.IntN(f.torus.N())
	v := f.value(n)
	d := compose.NewBelow(must(objective.NewProblem(f.routing, n)), v)
	switch f.rng.IntN(8) {
	case 0:
	case 1, 2:
		p := f.placement(n)
		if f.free != nil || routing.Covers(f.routing, p) != nil {
			break
		}
		load, _ := objective.Naive(f.routing, p).Max()
		d.Feasible(p, load)
	default:
		d.Infeasible(*f.proof(f.routing, n, v))
	}
	if f.rng.IntN(8) == 0 {
		d.SolverClaim = &results.SolverClaim{Engine: "forger", Below: f.value(n).RatString()}
	}
	return d
}

// bounds returns a list of bounds with the witnesses that the forger can think of.
func (f *forger) bounds() answers.Bounds {
	n := 1 + f.rng.IntN(f.torus.N())
	var list []lowerbound.Bound
	if p := f.placement(n); f.rng.IntN(2) == 0 && routing.Covers(f.routing, p) == nil { // right, to be changed
		if list = coretest.Must(bound.PlacementBounds(context.Background(), f.routing, p)); f.rng.IntN(3) == 0 {
			list = bound.SizeBounds(f.routing, n)
			return compose.NewBounds(f.routing, n, nil, list, bound.Best(list))
		}
		return compose.NewBounds(f.routing, n, &p, list, bound.Best(list))
	}
	for _, name := range []string{"degree", "margin", "granularity"} {
		b := lowerbound.Bound{Name: name, Value: f.value(n)}
		switch name {
		case "degree":
			b.Witness.Set, b.Witness.Links = [][]int{make([]int, f.torus.D())}, f.torus.Degree()
		case "margin":
			b.Witness.Refuted, b.Witness.Denominator = f.value(n).RatString(), "2"
		default:
			b.Witness.From, b.Witness.Denominator = "degree", "2"
		}
		if b.Value.Sign() >= 0 {
			list = append(list, b)
		}
	}
	if list == nil {
		list = []lowerbound.Bound{{Name: "margin", Value: new(big.Rat)}}
	}
	best := slices.MaxFunc(list, func(a, b lowerbound.Bound) int { return a.Value.Cmp(b.Value) })
	return compose.NewBounds(f.routing, n, nil, list, best)
}

// A harvest counts documents: all, called valid, with a false claim, and refused of these.
type harvest struct {
	all, valid, false, refused int
	verified                   map[string]int // valid documents by what they have
}

// note counts a valid document under what it has that is hard to get.
func (h *harvest) note(text []byte) {
	h.valid++
	network := strings.Contains(string(text), `"network":`)
	count := func(name string, there bool) {
		if there {
			h.verified[name]++
		}
		if there && network {
			h.verified["network "+name]++
		}
	}
	proof := func(p *results.Proof) {
		if p != nil {
			count(strings.TrimSuffix(p.Kind+" "+p.Basis, " "), true)
			count("placed", p.Placed != nil)
			count("a file of steps", p.Kind == results.ProofSteps && p.File != "")
		}
	}
	switch schema, _ := results.SchemaOf(text); schema {
	case results.RecordSchema:
		r := must(results.ReadRecord(text))
		proof(r.Proof)
		proof(r.BoundProof)
		count("bound without proof", r.LowerBound != "0" && r.Proof == nil && r.BoundProof == nil)
		count("upper_bound", r.UpperBound != nil)
		count("upper_proofs", len(r.UpperProofs) > 0)
		count("optima", r.Optima != nil)
		count("placed optima", r.Orbits != nil && r.Proof != nil && r.Proof.Placed != nil)
		count("orbits alone", r.Optima == nil && r.Orbits != nil)
		count("routing_choice", r.RoutingChoice != "")
	case results.BelowSchema:
		d := must(results.ReadBelow(text))
		proof(d.Proof)
		count("below "+d.Status, true)
	case answers.BoundsSchema:
		count("bounds", true)
	}
}

// judgeForged checks a document and fails if it is called valid and a claim in it is false.
func (f *forger) judgeForged(t testing.TB, text []byte, count *harvest) (valid bool) {
	t.Helper()
	v := documents.Document(context.Background(), text, f.folder, Options{Produce: f.produce})
	problem := f.falsehood(text, v)
	count.all++
	if v.Verdict == Valid {
		count.note(text)
	}
	if problem != "" {
		if count.false++; v.Verdict != Valid {
			count.refused++
		} else {
			t.Errorf("%s is called valid, proof %s, notes %v: %s\n%s", f.routing, v.ProofVerdict, v.Reasons, problem, text)
		}
	}
	return v.Verdict == Valid
}

// falsehood says which claim of a document about the problem of the forger is false, "" if none is or none can be made
// out. Claims that a note marks as unchecked do not count.
func (f *forger) falsehood(text []byte, v Verdict) string {
	marked := func(field string) bool {
		return slices.ContainsFunc(v.Reasons,
			func(s string) bool { return strings.HasPrefix(s, "note: "+field+" is not checked") })
	}
	switch schema, _ := results.SchemaOf(text); schema {
	case results.RecordSchema:
		if r, err := results.ReadRecord(text); err == nil {
			return f.falseRecord(r, marked)
		}
	case results.BelowSchema:
		if d, err := results.ReadBelow(text); err == nil {
			return f.falseBelow(d, marked)
		}
	case answers.BoundsSchema:
		if d, err := answers.ReadBounds(text); err == nil {
			return f.falseBounds(d)
		}
	}
	return ""
}

// truthOf returns the truth about a document's network and routing, nil if they are nothing or too large for it.
func (f *forger) truthOf(g results.Grid, text string, table *results.Table) *truth {
	t, err := g.ReadGrid()
	if err != nil || t.N() > 12 {
		return nil
	}
	r, err := results.Record{Routing: text, Table: table}.ReadRouting(t)
	switch {
	case err != nil:
		return nil
	case t.Equal(f.torus) && f.free != nil:
		u := *f.truth
		u.routing = r
		return &u
	case t.Equal(f.torus):
		for _, u := range f.others {
			if u.routing.String() == r.String() && text != results.TableRouting {
				return u
			}
		}
		if want, err := layout.Encode(compose.NewBounds(f.routing, 0, nil, nil,
			lowerbound.Bound{Value: new(big.Rat)})); err == nil && table != nil {
			have, _ := layout.Encode(compose.NewBounds(r, 0, nil, nil, lowerbound.Bound{Value: new(big.Rat)}))
			if string(have) == string(want) {
				return f.truth
			}
		}
	}
	return newTruth(r)
}

// exceeds says that a value is more than the least E_max of n processors, "" if not.
func (u *truth) exceeds(what, text string, n int) string {
	v, err := results.ParseFraction(text)
	if err != nil {
		return what + " is no fraction"
	}
	if n < 0 || n > u.torus.N() || v.Sign() < 0 {
		return fmt.Sprintf("%s %s of %d processors", what, text, n)
	}
	if least := u.min(n); least != nil && v.Cmp(least) > 0 {
		return fmt.Sprintf("%s %s, but %d processors have %s at best", what, text, n, least.RatString())
	}
	return ""
}

// falseProof says what is false in a proof about n processors.
func (f *forger) falseProof(u *truth, p *results.Proof, n int) string {
	if p.Kind == results.ProofMonotone {
		if p.Size == nil || *p.Size < 0 || *p.Size > n {
			return "the size of the neighbour is made up"
		}
		n = *p.Size
	}
	return u.exceeds("a proof of", p.Below, n)
}

func (f *forger) falseRecord(r results.Record, marked func(string) bool) string {
	u := f.truthOf(r.Grid, r.Routing, r.Table)
	if u == nil {
		return ""
	}
	if f.free != nil { // the choice may have been changed, or taken away
		u = newTruth(u.routing)
		if free, ok, err := routing.ParseFree(r.RoutingChoice); ok && err == nil {
			u.free = &free
		}
	}
	p, err := core.PlacementFromCoords(u.torus, r.Nodes)
	if err != nil || p.Size() != r.Size || routing.Covers(u.routing, p) != nil {
		return "no placement"
	}
	load, _ := objective.Naive(u.routing, p).Max()
	if load.RatString() != r.MaxLoad {
		return "max_load is " + load.RatString()
	}
	if problem := u.exceeds("lower_bound", r.LowerBound, r.Size); problem != "" {
		return problem
	}
	least := u.min(r.Size)
	switch {
	case r.Status == results.StatusOptimal && load.Cmp(least) != 0:
		return "optimal is " + least.RatString()
	case (r.Status == results.StatusOptimal) != (r.Proof != nil):
		return "proof and status"
	case r.FoundBy.Evaluations < 0 || r.FoundBy.Seconds < 0 || r.Budget.Evaluations != nil && *r.Budget.Evaluations < 0:
		return "a count below 0"
	case r.SolverClaim != nil && !marked("solver_claim"):
		return "a solver is believed"
	}
	if r.SolverClaim != nil {
		if v, err := results.ParseFraction(r.SolverClaim.Below); err != nil || load.Cmp(v) < 0 {
			return "a solver did not find the placement of the record"
		}
	}
	for _, proof := range []*results.Proof{r.Proof, r.BoundProof} {
		if proof != nil {
			if problem := f.falseProof(u, proof, r.Size); problem != "" {
				return problem
			}
		}
	}
	if problem := f.falseUpper(u, r, load); problem != "" {
		return problem
	}
	return f.falseOptima(u, r)
}

func (f *forger) falseUpper(u *truth, r results.Record, load *big.Rat) string {
	if r.UpperBound == nil || r.LoadLimit == nil {
		if r.UpperBound != nil || r.LoadLimit != nil || r.UpperProofs != nil {
			return "a limit without an upper bound"
		}
		return ""
	}
	for i := range r.UpperProofs {
		if r.UpperProofs[i].Size == nil {
			return "an upper proof of no size"
		}
		if problem := f.falseProof(u, &r.UpperProofs[i], *r.UpperProofs[i].Size); problem != "" {
			return problem
		}
	}
	text, each := strings.CutSuffix(*r.LoadLimit, "n")
	limit, err := results.ParseFraction(text)
	if err != nil || limit.Sign() < 0 {
		return "no limit"
	}
	within := func(v *big.Rat, n int) bool {
		if each {
			return v.Cmp(new(big.Rat).Mul(limit, big.NewRat(int64(n), 1))) <= 0
		}
		return v.Cmp(limit) <= 0
	}
	if !within(load, r.Size) || *r.UpperBound < r.Size {
		return "the placement passes its limit"
	}
	for n := *r.UpperBound + 1; n <= u.torus.N(); n++ {
		if least := u.min(n); least != nil && within(least, n) {
			return fmt.Sprintf("upper_bound %d, but %d have E_max %s", *r.UpperBound, n, least.RatString())
		}
	}
	return ""
}

func (f *forger) falseOptima(u *truth, r results.Record) string {
	if r.Optima == nil && r.Orbits == nil && r.Labelled == nil {
		return ""
	}
	group, err := symmetry.GroupOf(u.routing)
	if err != nil || u.free != nil {
		return "optima of what has none"
	}
	if r.Orbits == nil || r.Labelled == nil || r.Status != results.StatusOptimal {
		return "optima without counts or proof"
	}
	u.min(r.Size)
	forms := map[string]bool{}
	for _, p := range u.optima[r.Size] {
		form, _ := group.Canonical(p.Nodes())
		forms[fmt.Sprint(form)] = true
	}
	if *r.Orbits != len(forms) || *r.Labelled != int64(len(u.optima[r.Size])) {
		return fmt.Sprintf("there are %d optima in %d orbits", len(u.optima[r.Size]), len(forms))
	}
	if r.Optima == nil {
		return ""
	}
	for _, coords := range *r.Optima {
		p, err := core.PlacementFromCoords(u.torus, coords)
		if err != nil || u.load(p).Cmp(u.min(r.Size)) != 0 || p.Size() != r.Size {
			return "an optimum is none"
		}
		form, _ := group.Canonical(p.Nodes())
		delete(forms, fmt.Sprint(form))
	}
	if len(forms) > 0 || len(*r.Optima) != *r.Orbits {
		return "an optimum is missing"
	}
	return ""
}

func (f *forger) falseBelow(d results.Below, marked func(string) bool) string {
	u := f.truthOf(d.Grid, d.Routing, d.Table)
	if u == nil {
		return ""
	}
	if f.free != nil { // an answer is about the table itself
		u = newTruth(u.routing)
	}
	below, err := results.ParseFraction(d.Below)
	switch {
	case err != nil || below.Sign() < 0:
		return "below is no load"
	case d.SolverClaim != nil && !marked("solver_claim"):
		return "a solver is believed"
	case (d.Status == results.StatusInfeasible) != (d.Proof != nil):
		return "proof and status"
	case (d.Status == results.StatusFeasible) != (d.Nodes != nil) || (d.Nodes != nil) != (d.MaxLoad != nil):
		return "nodes, max_load and status"
	case d.Nodes != nil:
		p, err := core.PlacementFromCoords(u.torus, *d.Nodes)
		if err != nil || p.Size() != d.Size || routing.Covers(u.routing, p) != nil {
			return "no placement"
		}
		if load, _ := objective.Naive(u.routing, p).Max(); load.RatString() != *d.MaxLoad || load.Cmp(below) >= 0 {
			return "the placement has " + load.RatString()
		}
	case d.Proof != nil:
		if problem := u.exceeds("below", d.Below, d.Size); problem != "" {
			return problem
		}
		return f.falseProof(u, d.Proof, d.Size)
	}
	return ""
}

func (f *forger) falseBounds(d answers.Bounds) string {
	u := f.truthOf(d.Grid, d.Routing, d.Table)
	if u == nil {
		return ""
	}
	if f.free != nil || d.Nodes != nil {
		u = newTruth(u.routing)
	}
	if d.Nodes != nil { // then the bounds are about one placement
		p, err := core.PlacementFromCoords(u.torus, *d.Nodes)
		if err != nil || p.Size() != d.Size {
			return "no placement"
		}
		u.least[d.Size] = u.load(p)
	}
	best := "0"
	for _, b := range d.Bounds {
		if problem := u.exceeds("bound "+b.Name, b.Value, d.Size); problem != "" {
			return problem
		}
		if v, now := must(results.ParseFraction(b.Value)), must(results.ParseFraction(best)); v.Cmp(now) > 0 {
			best = b.Value
		}
	}
	if best != d.Best {
		return "best is " + best
	}
	return ""
}

// forge writes one document.
func (f *forger) forge() any {
	switch f.rng.IntN(8) {
	case 0, 1:
		return f.makeBelow()
	case 2:
		return f.bounds()
	}
	return f.record()
}

// TestForgeriesAreRefused judges documents as the forger writes them, and each again with one leaf of its JSON changed.
func TestForgeriesAreRefused(t *testing.T) {
	coretest.Alone(t)
	seeds, nodes := coretest.Cases(600, 120), 8
	if coretest.Long() {
		nodes = 10
	}
	count := &harvest{verified: map[string]int{}}
	for i := range seeds {
		forgeries(t, coretest.Rng(26, i), nodes, 12, count)
	}
	t.Logf("%d documents, %d with a false claim, %d of these refused; %d called valid: %v",
		count.all, count.false, count.refused, count.valid, count.verified)
	if count.false < count.all/5 || count.valid < count.all/20 {
		t.Errorf("too few documents are false or too few are valid: %+v", *count)
	}
	for _, name := range []string{"bound", "unsat", "steps", "a file of steps", "monotone bound",
		"monotone steps", "placed", "placed optima", "bound without proof",
		"upper_bound", "upper_proofs", "optima",
		"orbits alone", "routing_choice", "below infeasible", "below feasible", "bounds", "network bound",
		"network bound without proof", "network monotone bound", "network upper_bound", "network below infeasible",
		"network below feasible", "network bounds", "network unsat"} {
		if count.verified[name] == 0 {
			t.Errorf("no valid document has %s: what is false in it is refused for nothing", name)
		}
	}
}

// FuzzForged looks for a seed whose forgeries pass.
func FuzzForged(f *testing.F) {
	f.Add(uint64(1), uint64(2))
	f.Fuzz(func(t *testing.T, a, b uint64) {
		forgeries(t, rand.New(rand.NewPCG(a, b)), 9, 4, &harvest{verified: map[string]int{}})
	})
}

// forgeries judges so many documents about one problem, and changes of each.
func forgeries(t testing.TB, rng *rand.Rand, nodes, documents int, count *harvest) {
	t.Helper()
	f := newForger(rng, nodes, t.TempDir())
	for range documents {
		text := must(layout.Encode(f.forge()))
		f.judgeForged(t, text, count)
		for range 3 {
			if changed := f.changeLeaf(text); changed != nil {
				f.judgeForged(t, changed, count)
			}
		}
	}
}

// changeLeaf changes one number, text or null of a document and repairs its hash, as a forger would. It returns nil if
// nothing came of it.
func (f *forger) changeLeaf(text []byte) []byte {
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.UseNumber()
	var document map[string]any
	if err := decoder.Decode(&document); err != nil {
		return nil
	}
	var set []func(any)
	var leaves []any
	var walk func(v any, put func(any))
	walk = func(v any, put func(any)) {
		switch v := v.(type) {
		case map[string]any:
			keys := make([]string, 0, len(v))
			for k := range v {
				keys = append(keys, k)
			}
			slices.Sort(keys)
			for _, k := range keys {
				if k != "table" || f.rng.IntN(8) == 0 {
					walk(v[k], func(n any) { v[k] = n })
				}
			}
		case []any:
			for i := range v {
				walk(v[i], func(n any) { v[i] = n })
			}
			set, leaves = append(set, put), append(leaves, v)
		default:
			set, leaves = append(set, put), append(leaves, v)
		}
	}
	walk(document, func(any) {})
	i := f.rng.IntN(len(set))
	switch v := leaves[i].(type) {
	case []any:
		if len(v) == 0 {
			return nil
		}
		set[i](append(slices.Clone(v[:len(v)-1]), pick(f, v[len(v)-1:], nil, []any{v[0], v[0]})...))
	case json.Number:
		n, err := v.Int64()
		if err != nil {
			n = 0
		}
		set[i](pick(f, n+1, n-1, -n, 0, n+1<<40, -1))
	case string:
		set[i](pick(f, f.value(1+f.rng.IntN(f.torus.N())).RatString(), f.value(1+f.rng.IntN(f.torus.N())).RatString(), "x",
			"", "-1", "margin", "optimal", "feasible"))
	case nil:
		set[i](pick[any](f, "x", 1, []any{}, map[string]any{"engine": "x", "below": "99"}))
	case bool:
		set[i](!v)
	}
	out, err := json.Marshal(document)
	if err != nil {
		return nil
	}
	if r, err := results.ReadRecord(out); err == nil && f.rng.IntN(8) > 0 {
		r.ClaimSHA256 = r.Hash()
		out = must(layout.Encode(r))
	}
	return out
}
