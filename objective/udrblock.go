package objective

import "leeway/core"

// This file sweeps the edges of one dimension for allOrders: row by row where
// the dimension is not the last, ring by ring where it is.

// block does the rings along s through the nodes of one row of the last
// dimension.
func (e *allOrders) block(d *udrDim) {
	k, row := d.k, len(d.base)
	clear(d.base)
	clear(d.tie)
	for c := range k {
		d.addFirst(d.base, c, func(a *udrArray) []int64 { return a.kappa })
		if d.tiePlus != 0 {
			d.addFirst(d.tie, c, func(a *udrArray) []int64 { return a.across })
		}
	}
	copy(d.rows[0], d.base)
	e.emit(d, 0, d.rows[0])
	for c := 1; c < k; c++ {
		before, to := d.rows[(c-1)&1], d.rows[c&1][:row]
		d.advance(c, before, to)
		e.emit(d, c, to)
	}
}

// emit writes the loads of both links of the edges from places c to c+1.
func (e *allOrders) emit(d *udrDim, c int, edge []int64) {
	t := e.torus
	stride, n := t.Stride(d.s), t.N()
	up := e.load[t.PortIndex(d.s, core.Plus)*n+d.walk.base+c*stride:][:len(edge)]
	if d.tiePlus != 0 {
		tie := d.tie[:len(edge)]
		for i, v := range edge {
			up[i] = v + tie[i]
		}
	} else {
		copy(up, edge)
	}
	if d.k > 2 { // the - link leaves the far end of the edge
		copy(e.load[t.PortIndex(d.s, core.Minus)*n+d.walk.base+step1n(c, 1, d.k)*stride:][:len(edge)], edge)
	}
}

// at returns the part of an array that belongs to place c of the current block:
// a row, or one value if the array does not vary along the row.
func (d *udrDim) at(array int, values []int64, c int) []int64 {
	a := d.arrays[array]
	from := values[d.walk.offsets[1+array]+c*a.strides[d.s]:]
	if a.vector {
		return from[:len(d.base)]
	}
	return from[:1]
}

// addFirst adds place c's part of the load on the edge 0 -> 1, or of the ties,
// to sum; pick names the responses.
func (d *udrDim) addFirst(sum []int64, c int, pick func(*udrArray) []int64) {
	for _, p := range d.pairs {
		a, b := d.at(p.a, d.arrays[p.a].values, c), d.at(p.b, pick(d.arrays[p.b]), c)
		if len(b) == 1 {
			addRow(sum, a, p.weight*b[0])
			continue
		}
		for i := range sum {
			sum[i] += p.weight * a[i] * b[i]
		}
	}
	x := d.walk.views[0]
	here := x.values[d.walk.offsets[0]+c*x.strides[d.s]:][:len(sum)]
	var flat int64
	for _, m := range d.meets {
		if a := d.arrays[m.array]; !a.vector {
			flat += m.weight * d.at(m.array, pick(a), c)[0]
		}
	}
	for i, v := range here {
		if v == 0 {
			continue
		}
		sum[i] += flat
		for _, m := range d.meets {
			if a := d.arrays[m.array]; a.vector {
				sum[i] += m.weight * d.at(m.array, pick(a), c)[i]
			}
		}
	}
}

// advance puts the loads on the edges from place c, those before it given, into
// to.
func (d *udrDim) advance(c int, before, to []int64) {
	x := d.walk.views[0]
	at := d.walk.offsets[0] + c*x.strides[d.s]
	here, moved := x.values[at:][:len(to)], d.step[at:][:len(to)]
	var g, dg, weight int64 // weight of the array that varies, if it meets x
	for _, m := range d.meets {
		if a := d.arrays[m.array]; a.vector {
			weight = d.full * m.weight
		} else {
			g += m.weight * d.at(m.array, a.values, c)[0]
			dg += m.weight * d.at(m.array, a.d, c)[0]
		}
	}
	if len(d.vectors) > 1 {
		d.advanceGeneral(c, g, dg, before, to)
		return
	}
	g, dg = d.full*g, d.full*dg
	before = before[:len(to)]
	if len(d.vectors) == 0 { // two dimensions: nothing but x varies along the row
		for i := range to {
			to[i] = before[i] + here[i]*dg + moved[i]*g
		}
		return
	}
	// Three dimensions: one array varies along the row, and meets the others.
	single := d.vectors[0]
	v, dv := d.at(single, d.arrays[single].values, c)[:len(to)], d.at(single, d.arrays[single].d, c)[:len(to)]
	var withV, withD int64
	for _, p := range d.pairs {
		withV += d.full * p.weight * d.at(p.b, d.arrays[p.b].d, c)[0]
		withD += d.full * p.weight * d.at(p.b, d.arrays[p.b].values, c)[0]
	}
	for i := range to {
		to[i] = before[i] + here[i]*(dg+weight*dv[i]) + moved[i]*(g+weight*v[i]) + withV*v[i] + withD*dv[i]
	}
}

// advanceGeneral is advance for any number of arrays that vary along the row; g
// and dg hold the sums of those that do not.
func (d *udrDim) advanceGeneral(c int, g, dg int64, before, to []int64) {
	x := d.walk.views[0]
	at := d.walk.offsets[0] + c*x.strides[d.s]
	here, moved := x.values[at:][:len(to)], d.step[at:][:len(to)]
	for i := range to {
		d.g[i], d.dg[i], d.r[i] = g, dg, 0
	}
	for _, m := range d.meets {
		if a := d.arrays[m.array]; a.vector {
			addRow(d.g, d.at(m.array, a.values, c), m.weight)
			addRow(d.dg, d.at(m.array, a.d, c), m.weight)
		}
	}
	for _, p := range d.pairs {
		a, da := d.at(p.a, d.arrays[p.a].values, c), d.at(p.a, d.arrays[p.a].d, c)
		b, db := d.at(p.b, d.arrays[p.b].values, c), d.at(p.b, d.arrays[p.b].d, c)
		if len(b) == 1 {
			addRow(d.r, a, p.weight*db[0])
			addRow(d.r, da, p.weight*b[0])
			continue
		}
		for i := range d.r {
			d.r[i] += p.weight * (a[i]*db[i] + da[i]*b[i])
		}
	}
	for i := range to {
		to[i] = before[i] + d.full*(here[i]*d.dg[i]+moved[i]*d.g[i]+d.r[i])
	}
}

// ring does one ring along the last dimension, where all arrays run along it.
func (e *allOrders) ring(d *udrDim) {
	k, o := d.k, d.walk.offsets
	x, moved := d.walk.views[0].values[o[0]:][:k], d.step[o[0]:][:k]
	clear(d.g)
	clear(d.dg)
	clear(d.r)
	var base, tie int64
	for _, m := range d.meets {
		a := d.arrays[m.array]
		from := o[1+m.array]
		addRow(d.g, a.values[from:][:k], m.weight)
		addRow(d.dg, a.d[from:][:k], m.weight)
		base += m.weight * dot(x, a.kappa[from:][:k])
		if d.tiePlus != 0 {
			tie += m.weight * dot(x, a.across[from:][:k])
		}
	}
	for _, p := range d.pairs {
		a, b := d.arrays[p.a], d.arrays[p.b]
		va, da := a.values[o[1+p.a]:][:k], a.d[o[1+p.a]:][:k]
		vb, db := b.values[o[1+p.b]:][:k], b.d[o[1+p.b]:][:k]
		base += p.weight * dot(va, b.kappa[o[1+p.b]:][:k])
		if d.tiePlus != 0 {
			tie += p.weight * dot(va, b.across[o[1+p.b]:][:k])
		}
		r := d.r[:k]
		for c := range r {
			r[c] += p.weight * (va[c]*db[c] + da[c]*vb[c])
		}
	}
	n := e.torus.N()
	up := e.load[e.torus.PortIndex(d.s, core.Plus)*n+d.walk.base:][:k]
	g, dg, r := d.g[:k], d.dg[:k], d.r[:k]
	load := base + tie
	up[0] = load
	for c := 1; c < k; c++ {
		load += d.full * (x[c]*dg[c] + moved[c]*g[c] + r[c])
		up[c] = load
	}
	if k > 2 { // the - link leaves the far end of the edge, and without the ties
		down := e.load[e.torus.PortIndex(d.s, core.Minus)*n+d.walk.base:][:k]
		down[0] = up[k-1] - tie
		for c, v := range up[:k-1] {
			down[c+1] = v - tie
		}
	}
}

func dot(a, b []int64) int64 {
	b = b[:len(a)]
	sum := int64(0)
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}
