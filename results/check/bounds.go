package check

import (
	"context"

	"leeway/results"
	"leeway/results/check/bounds"
	"leeway/results/check/meter"
)

// Bounds returns the verdict about a list of bounds: every witness is looked at
// and every value recomputed from it, with code of the checker only.
func Bounds(data []byte) Verdict {
	m := meter.New(context.Background(), int64(len(data)), 0)
	return judged(m, func() Verdict { return boundsVerdict(data, &verifier{meter: m}) })
}

func boundsVerdict(data []byte, verify *verifier) Verdict {
	var d results.Bounds
	var err error
	verify.meter.Foreign(parseSteps(data), func() { d, err = results.ReadBounds(data) })
	if err != nil {
		return unreadable(err)
	}
	faults, notes, ended := bounds.List(verify.meter, d)
	if ended != nil && len(faults) == 0 {
		return unreadable(ended)
	}
	v := Verdict{Verdict: Valid, ProofVerdict: Absent, Reasons: faults}
	if len(faults) > 0 {
		v.Verdict = Wrong
	} else {
		v.Reasons = []string{} // a list is never null
	}
	for _, text := range notes {
		v.note(text)
	}
	if ended != nil { // what was found before stays wrong
		v.note(ended.Error())
	}
	return v
}
