package margin

import "leeway/objective/lanes"

// A table holds the forms of a ring packed.
type table struct {
	lanes.Layout
	count int // of the forms
	words int
	// by slab z: for every place x, words each, what a processor there adds to the
	// load of a line for each one in slab z.
	adds [][]uint64
}

// table packs the forms of the ring into lanes for numbers up to most.
func (d *ring) table(most int64) *table {
	t := &table{Layout: lanes.For(most), count: len(d.forms)}
	t.words = t.Words(t.count)
	for z := range d.k {
		var adds []uint64
		for x := range d.k {
			adds = append(adds, t.pack(func(i int) int64 { return d.forms[i][x][z] })...)
		}
		t.adds = append(t.adds, adds)
	}
	return t
}

// slopes puts into out, for every place, what a processor there adds to the load
// of a line when the margin is c.
func (t *table) slopes(out []uint64, c margin) {
	clear(out)
	for z, adds := range t.adds {
		if c[z] > 0 {
			lanes.AddScaled(out, out, int(c[z]), adds)
		}
	}
}

// place returns the words of place x in a list by place.
func (t *table) place(list []uint64, x int) []uint64 { return lanes.Row(list, x, t.words) }

// pack packs a number for every form.
func (t *table) pack(of func(i int) int64) []uint64 { return t.Pack(t.count, of) }

// same packs one number for all forms.
func (t *table) same(v int64) []uint64 { return t.pack(func(int) int64 { return v }) }
