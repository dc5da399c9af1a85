package main

import (
	"context"
	"fmt"
	"math/big"
	"path/filepath"
	"slices"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results"
	"leeway/results/check"
)

// A neighbour is a proof that no placement of a size has E_max below a value. It
// holds for every larger size too, unless the paths depend on the processors,
// since dropping a processor raises no load, and for every routing with the same
// loads.
type neighbour struct {
	routing routing.Routing
	size    int
	below   *big.Rat
	proof   results.Proof
	sure    bool // the proof was found or repeated by this run
}

// neighbours are what a run of proofs knows.
type neighbours []neighbour

// best returns the neighbour that says most about a problem, nil if none does.
func (list neighbours) best(p objective.Problem) *neighbour {
	var best *neighbour
	for i, n := range list {
		fits := n.size == p.Size || n.size < p.Size && !p.Routing.DependsOnPlacement()
		if fits && (best == nil || n.below.Cmp(best.below) > 0) && objective.SameLoads(p.Routing, n.routing) {
			best = &list[i]
		}
	}
	return best
}

// learn takes in the proof of a record.
func (list *neighbours) learn(r routing.Routing, record results.Record) error {
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
	n := neighbour{routing: r, size: record.Size, below: below, proof: *proof}
	if proof.Kind == results.ProofMonotone { // a neighbour of a neighbour is one
		n.size = *proof.Size
		n.proof.Kind, n.proof.Basis, n.proof.Size, n.proof.Routing = proof.Basis, "", nil, ""
		if proof.Routing != "" {
			if n.routing, err = routing.Parse(r.Torus(), proof.Routing); err != nil {
				return err
			}
		}
	}
	*list = append(*list, n)
	return nil
}

// trust repeats the proof that says most about a problem, and forgets those that prove nothing, until
// one is right. When the context ends first, those in doubt are kept but none is returned by best
// for sure: it reports false.
func (list *neighbours) trust(ctx context.Context, p objective.Problem, folder string, workers int) bool {
	for {
		n := list.best(p)
		if n == nil || n.sure {
			return true
		}
		d := results.Below{Schema: results.BelowSchema, Torus: p.Torus().Dims(), Routing: n.routing.String(), Size: n.size, Below: n.below.RatString()}
		d.Infeasible(n.proof)
		data, err := results.Encode(d)
		if err != nil {
			return false
		}
		v := check.Document(ctx, data, folder, check.Options{Workers: workers})
		if ctx.Err() != nil {
			return false
		}
		if n.sure = v.ProofVerdict == check.Verified; !n.sure {
			at := n.below
			*list = slices.DeleteFunc(*list, func(o neighbour) bool { return o.size == n.size && o.below == at })
		}
	}
}

// proofOf returns the neighbour's proof as one about a problem.
func (n *neighbour) proofOf(p objective.Problem) *results.Proof {
	proof := n.proof
	proof.Kind, proof.Basis, proof.Size, proof.Below = results.ProofMonotone, n.proof.Kind, &n.size, n.below.RatString()
	if n.routing.String() != p.Routing.String() {
		proof.Routing = n.routing.String()
	}
	return &proof
}

// reason says why nothing is below the neighbour's value.
func (n *neighbour) reason(p objective.Problem) string {
	text := fmt.Sprintf("monotone: %s at size %d", n.proof.Kind, n.size)
	if n.routing.String() != p.Routing.String() {
		text += " under " + n.routing.String()
	}
	return text
}

// readNeighbours reads records with proofs, and checks them.
func (a *app) readNeighbours(ctx context.Context, files []string, workers int) (neighbours, error) {
	var list neighbours
	for _, file := range files {
		data, err := results.ReadFile(ctx, file)
		if err != nil {
			return nil, inFlag("known", err)
		}
		record, err := results.ReadRecord(data)
		if err != nil {
			return nil, inFlag("known", err)
		}
		v := check.Document(ctx, data, filepath.Dir(file), check.Options{Workers: workers})
		if v.Verdict != check.Valid || record.Proof == nil && record.BoundProof == nil {
			return nil, &usageError{err: usagef("--known %q: no valid record with a proof", file), hint: "leeway check " + file}
		}
		if record.Proof.NamesFile() || record.BoundProof.NamesFile() {
			return nil, usagef("--known %q: its proof is in another file; only proofs within the record can be passed on", file)
		}
		t, err := core.NewTorus(record.Torus...)
		if err != nil {
			return nil, inFlag("known", err)
		}
		r, err := record.ReadRouting(t)
		if err == nil {
			err = list.learn(r, record)
		}
		if err != nil {
			return nil, inFlag("known", fmt.Errorf("%s: %w", file, err))
		}
	}
	return list, nil
}
