// Package refuters lists the engines that write their proofs as steps, in the order in which they have their turn.
//
// What they write is a proof only where a checker of docs/steps.md accepts it.
package refuters

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/big"
	"slices"

	"leeway/core/routing"
	"leeway/encode/steps"
	"leeway/objective"
	"leeway/search"
	"leeway/search/counts"
	"leeway/search/cuts"
	"leeway/search/learn"
	"leeway/search/orderly"
	"leeway/search/slabs"
)

// A Refuter is an engine that writes, as steps, that no placement of a problem has E_max below a value.
type Refuter struct {
	Name string // by which records call it
	// Refutes returns nil for problems that Refute takes, otherwise an *search.UnsupportedError.
	Refutes func(p objective.Problem) error
	// Refute writes the proof while it is found, a step after bounded work, so that what bounds the steps bounds the work.
	// It fails where a placement is below the value, when the context ends, and with the error of writing.
	Refute Writing
	// List is Refute for the placements that have at most the value: each is placed, up to symmetry; nil: it cannot.
	List Writing
	// Decides reports whether it refutes, in time, every question without an answer, and finds one to every other: it is
	// a Method then.
	Decides bool
	// Slices reports whether its proofs can be cut into slices that others write.
	Slices bool
	// Free reports whether it takes free routings: its proof is then about every choice of paths.
	Free bool
	// Spend is what the check of its steps may take, as kernel.Spender counts, where there is another proof already.
	Spend int64
}

// A Writing writes steps about a problem and a value.
type Writing func(ctx context.Context, p objective.Problem, value *big.Rat, to *steps.Writer) error

// All returns the refuters in their order.
func All() []Refuter {
	return []Refuter{
		{Name: cuts.Name, Refutes: cuts.Refutes, Refute: cuts.Refute, Free: true, Spend: 1 << 32},
		{Name: slabs.Name, Refutes: slabs.Refutes, Refute: slabs.Refute, Free: true, Spend: 1 << 32},
		{Name: counts.Name, Refutes: counts.Refutes, Refute: counts.Refute, Decides: true, Slices: true, Spend: 1 << 28},
		{Name: learn.Name, Refutes: learn.Refutes, Refute: learn.Refute, Decides: true, Spend: 1 << 30},
		{Name: orderly.Name, Refutes: orderly.Refutes, Refute: orderly.Refute, List: orderly.List, Decides: true,
			Slices: true, Spend: 1 << 27},
	}
}

// Slicing returns those of some refuters that decide by proofs in slices.
func Slicing(list []Refuter) []Refuter {
	return slices.DeleteFunc(list, func(r Refuter) bool { return !r.Decides || !r.Slices })
}

// Deciding returns those of some refuters that decide.
func Deciding(list []Refuter) []Refuter {
	return slices.DeleteFunc(list, func(r Refuter) bool { return !r.Decides })
}

// Names returns the names of some refuters.
func Names(list []Refuter) (names []string) {
	for _, r := range list {
		names = append(names, r.Name)
	}
	return names
}

// Supporting returns the refuters that take a problem, and for each other an *search.UnsupportedError. Of those that
// decide orderly is the first where it goes ByNodes, else learn where placements cannot be translated: the cases of
// counts are up to the symmetries, and there are few then.
func Supporting(p objective.Problem) (list []Refuter, others []error) {
	first, decides := "", -1 // which is the first that decides, and at which place
	switch {
	case ByNodes(p):
		first = orderly.Name
	case !p.Translatable():
		first = learn.Name
	}
	for _, r := range All() {
		switch err := r.takes(p); {
		case err != nil:
			others = append(others, err)
			continue
		case r.Decides && decides < 0:
			decides = len(list)
		case r.Name == first:
			list = slices.Insert(list, decides, r)
			continue
		}
		list = append(list, r)
	}
	return list, others
}

// mostSmall is up to how many nodes of more than two dimensions orderly mostly comes to an end before counts.
const mostSmall = 128

// ByNodes reports whether orderly is likely to come to an end long before others: on small networks of more than two
// dimensions, where slabs have few nodes, and where what lines carry hardly follows from the counts of slabs, under
// minimal and on twisted tori.
func ByNodes(p objective.Problem) bool {
	_, minimal := p.Routing.(*routing.Minimal)
	t := p.Torus()
	return minimal || t.Twisted() || t.D() > 2 && t.N() <= mostSmall || narrow(p)
}

// narrow reports whether one side of the network is three times as long as another.
func narrow(p objective.Problem) bool {
	sides := p.Torus().Dims()
	return slices.Max(sides) >= 3*slices.Min(sides)
}

// takes returns nil for problems that the refuter takes, otherwise an *search.UnsupportedError.
func (r Refuter) takes(p objective.Problem) error {
	if p.Traffic.Matrix != nil {
		return search.Unsupported(r.Name, p, "its steps are about processors, not about the tasks of a matrix")
	}
	if p.Free != nil && !r.Free || p.Limit != nil {
		return search.Unsupported(r.Name, p, "its steps are about a given routing and size")
	}
	return r.Refutes(p)
}

// Write writes the part of the proof of a refuter that a cut says to any writer: with listing, which goes in one stream
// only, that all placements of at most the value are placed.
func (r Refuter) Write(ctx context.Context, p objective.Problem, value *big.Rat, listing bool, cut steps.Cut,
	to io.Writer) error {
	write := r.Refute
	if listing {
		if write = r.List; write == nil {
			return search.Unsupported(r.Name, p, "its steps list no placements")
		}
	}
	w := steps.NewWriter(to, steps.Sets(p))
	w.Cut(cut)
	return w.Finish(write(ctx, p, value, w))
}

// Produce has the refuter of a name write its proof, or without a name the first that can, as a check.Producer does:
// where a record says that the steps of an engine prove it, they are written again. The error is
// *search.UnsupportedError for names and problems without steps, else that of Refuter.Write.
func Produce(ctx context.Context, name string, p objective.Problem, value *big.Rat, listing bool, cut steps.Cut,
	to io.Writer) error {
	var others []error
	for _, r := range All() {
		if name != "" && name != r.Name || name == "" && listing && r.List == nil {
			continue
		}
		if err := r.takes(p); err != nil {
			others = append(others, err)
			continue
		}
		if name != "" || r.Decides {
			return r.Write(ctx, p, value, listing, cut, to)
		}
		var whole bytes.Buffer // what does not finish is left out
		if err := r.Write(ctx, p, value, listing, cut, &whole); err == nil {
			_, err := whole.WriteTo(to)
			return err
		}
	}
	if others == nil {
		return search.Unsupported(name, p, "no engine of this name writes steps")
	}
	return errors.Join(others...)
}
