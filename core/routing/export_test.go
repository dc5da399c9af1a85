package routing

// LargeFlow is Flow by numbers of any size.
func (r *Minimal) LargeFlow(p, q int) Flow {
	f := r.Flow(p, q, nil)
	f, _ = r.largeFlow(r.boxes(p, q), p, f.Den, nil) // no watch, no error
	return f
}
