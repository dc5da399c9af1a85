package work

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"path/filepath"
	"slices"
	"sync"

	"leeway/core"
	"leeway/core/routing"
	"leeway/core/sides"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/check"
	"leeway/results/check/documents"
	"leeway/results/compose"
	"leeway/results/disk"
	"leeway/results/layout"
	"leeway/results/store"
	"leeway/search/refuters"
)

// Known has proofs that no placement of a size has E_max below a value, of many problems. Such a
// proof holds for every larger size too, unless the paths depend on the processors or nodes are to be near,
// since dropping a processor raises no load, and for every routing with the same loads, also on another torus that is
// the same graph.
// Tasks side by side may share one.
type Known struct {
	Folder string // of the files that the proofs name
	mu     sync.Mutex
	list   map[string][]*known // by network, fixed and forbidden nodes: objective.Problem.Where
	alike  map[[4]string]bool  // whether a routing on a torus, the first two, loads links as another one does
}

// A known proof is one of Known.
type known struct {
	where   string // in the list
	routing routing.Routing
	size    int
	below   *big.Rat
	proof   results.Proof
	why     string // the bound_reason of the record about this very problem, "" if it came from another
	sure    bool   // it was found or repeated by this session
}

// best returns the proof that says most about a problem, nil if none does. One that was not made
// here is repeated first, and forgotten if it proves nothing; when the context ends meanwhile, none
// is returned. A nil Known has no proofs.
func (k *Known) best(ctx context.Context, p objective.Problem, workers int) *known {
	if k == nil {
		return nil
	}
	for {
		best, sure := k.look(p)
		if best == nil || sure {
			return best
		}
		d := results.Below{Schema: results.BelowSchema, Grid: compose.GridOf(best.routing.Torus()),
			Routing: best.routing.String(), Setting: compose.SettingOf(p), Size: best.size, Below: best.below.RatString()}
		d.Infeasible(best.proof)
		data, err := layout.Encode(d)
		if err != nil {
			return nil
		}
		v := documents.Document(ctx, data, k.Folder, check.Options{Workers: workers, Produce: refuters.Produce})
		if ctx.Err() != nil {
			return nil
		}
		if v.ProofVerdict != check.Verified {
			k.forget(best)
			continue
		}
		k.mu.Lock()
		best.sure = true
		k.mu.Unlock()
	}
}

// forget drops a proof.
func (k *Known) forget(n *known) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.list[n.where] = slices.DeleteFunc(k.list[n.where], func(o *known) bool { return o == n })
}

// look returns the proof that says most about a problem, and whether it is sure.
func (k *Known) look(p objective.Problem) (best *known, sure bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	consider := func(list []*known, alike func(routing.Routing) bool) {
		for _, n := range list {
			fits := n.size == p.Size || n.size < p.Size && !p.Routing.DependsOnPlacement() && !p.Near.Asked()
			if fits && (best == nil || n.below.Cmp(best.below) > 0) && alike(n.routing) {
				best = n
			}
		}
	}
	consider(k.list[p.Where()], func(r routing.Routing) bool { return fast.SameLoads(p.Routing, r) })
	if t := p.Torus(); t.Plain() && p.Where() == t.String() {
		for _, where := range slices.Sorted(maps.Keys(k.list)) {
			if list := k.list[where]; where != t.String() && len(list) > 0 && list[0].routing.Torus().String() == where {
				consider(list, func(r routing.Routing) bool { return k.sameGraph(r, p.Routing) })
			}
		}
	}
	return best, best != nil && best.sure
}

// sameGraph reports whether a routing loads every link of its torus as another routing does its image on a torus that
// is the same graph. It remembers what it found.
func (k *Known) sameGraph(r, other routing.Routing) bool {
	name := [4]string{r.Torus().String(), r.String(), other.Torus().String(), other.String()}
	alike, known := k.alike[name]
	if !known {
		image := sides.SameGraph(r.Torus(), other.Torus())
		alike = image != nil && fast.SameLoadsBetween(r, other, image)
		if k.alike == nil {
			k.alike = map[[4]string]bool{}
		}
		k.alike[name] = alike
	}
	return alike
}

// Learn takes in the proof of a record under a routing, if it has one; it is repeated before it is
// used, unless it is sure to be right.
func (k *Known) Learn(r routing.Routing, record results.Record, sure bool) error {
	proof, text := record.Proof, record.MaxLoad
	if proof == nil {
		proof, text = record.BoundProof, record.LowerBound
	}
	if proof == nil || record.Routing == results.TableRouting || proof.Kind == results.ProofMonotone && proof.Size == nil {
		return nil
	}
	below, err := results.ParseFraction(text)
	if err != nil {
		return err
	}
	n := &known{where: record.Where(), routing: r, size: record.Size, below: below, proof: *proof,
		why: record.BoundReason, sure: sure}
	if proof.Kind == results.ProofMonotone { // what follows from a proof about another size has that proof
		n.size, n.why = *proof.Size, ""
		n.proof.Kind, n.proof.Basis, n.proof.Size, n.proof.Routing, n.proof.Torus = proof.Basis, "", nil, "", ""
		t := r.Torus()
		if proof.Torus != "" {
			if t, err = core.ParseNetwork(proof.Torus); err != nil {
				return err
			}
			n.where = t.String()
		}
		if name := cmp.Or(proof.Routing, r.String()); name != r.String() || proof.Torus != "" {
			if n.routing, err = routing.Parse(t, name); err != nil {
				return err
			}
		}
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.list == nil {
		k.list = map[string][]*known{}
	}
	for _, o := range k.list[n.where] {
		if o.size == n.size && o.below.Cmp(n.below) == 0 && o.routing.String() == n.routing.String() && (o.sure || !sure) {
			return nil
		}
	}
	k.list[n.where] = append(k.list[n.where], n)
	return nil
}

// isAbout reports whether the proof is about a problem itself, not about another size, routing or torus.
func (n *known) isAbout(p objective.Problem) bool {
	return n.size == p.Size && n.routing.String() == p.Routing.String() && n.routing.Torus().Equal(p.Torus())
}

// proofOf returns the proof as one about a problem.
func (n *known) proofOf(p objective.Problem) *results.Proof {
	proof := n.proof
	if n.isAbout(p) {
		return &proof
	}
	return n.monotone(p)
}

// monotone returns the proof as one about a problem of any size that is not smaller, the same included.
func (n *known) monotone(p objective.Problem) *results.Proof {
	proof := n.proof
	proof.Kind, proof.Basis, proof.Size, proof.Below = results.ProofMonotone, n.proof.Kind, &n.size, n.below.RatString()
	if n.routing.String() != p.Routing.String() {
		proof.Routing = n.routing.String()
	}
	if !n.routing.Torus().Equal(p.Torus()) {
		proof.Torus = n.routing.Torus().String()
	}
	return &proof
}

// reason says why nothing is below the value.
func (n *known) reason(p objective.Problem) string {
	switch {
	case !n.isAbout(p):
	default:
		return cmp.Or(n.why, n.proof.Kind+noneBelow)
	}
	text := fmt.Sprintf("monotone: %s at size %d", n.proof.Kind, n.size)
	if n.routing.String() != p.Routing.String() {
		text += " under " + n.routing.String()
	}
	if t := n.routing.Torus(); !t.Equal(p.Torus()) {
		text += " on " + t.String()
	}
	return text
}

// ReadFile takes in the proof of a file with a record or a results.Below, which is checked first. Errors are those of
// reading, or a *results.ReadError where the file has no proof of its own that is valid.
func (k *Known) ReadFile(ctx context.Context, file string, workers int) error {
	data, err := disk.ReadFile(ctx, file)
	if err != nil {
		return err
	}
	var record results.Record
	if schema, _ := results.SchemaOf(data); schema == results.BelowSchema {
		var d results.Below
		d, err = results.ReadBelow(data)
		record = d.Record()
	} else {
		record, err = results.ReadRecord(data)
	}
	if err != nil {
		return results.InFile(err, file)
	}
	v := documents.Document(ctx, data, filepath.Dir(file), check.Options{Workers: workers, Produce: refuters.Produce})
	switch {
	case v.Verdict != check.Valid || record.Proof == nil && record.BoundProof == nil:
		return &results.ReadError{File: file, Problem: "no valid record with a proof", Hint: "leeway check " + file}
	case record.Proof.NamesFile() || record.BoundProof.NamesFile():
		return &results.ReadError{File: file,
			Problem: "its proof is in another file; only proofs within the record can be passed on"}
	}
	p, _, err := compose.Instance(record)
	if err == nil {
		err = k.Learn(p.Routing, record, true)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

// LearnAtlas takes in the lower bounds of the cells of an atlas, except wrong cells and those with a free routing.
// Their proofs are repeated before they are used, unless they are sure to be right.
func (k *Known) LearnAtlas(view *atlas.Atlas, sure bool) error {
	cells, _ := view.Cells(atlas.Filter{})
	for _, c := range cells {
		if c.Fault != "" {
			continue
		}
		p, err := c.Key().Problem()
		if err != nil {
			return err
		}
		if p.Free != nil {
			continue
		}
		record := results.Record{Grid: c.Grid, Routing: c.Routing, Size: c.Size, Setting: c.Setting,
			MaxLoad: c.MaxLoad, LowerBound: c.LowerBound, BoundReason: c.BoundReason, Proof: c.Proof}
		if c.Proof == nil {
			d, _, err := view.Detail(c.Key())
			if corrupt := (*store.CorruptError)(nil); errors.As(err, &corrupt) {
				continue // the others are not
			} else if err != nil {
				return err
			}
			record.BoundProof = d.BoundProof()
		}
		if err := k.Learn(p.Routing, record, sure); err != nil {
			return err
		}
	}
	return nil
}
