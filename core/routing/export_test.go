package routing

// LargeFlow is Flow by numbers of any size.
func (r *Minimal) LargeFlow(p, q int) Flow {
	f := r.Flow(p, q, nil)
	f, _ = r.boxFlow(r.boxes(p, q), p, f.Den, false, nil) // no watch, no error
	return f
}
