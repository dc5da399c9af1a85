package margin

// A table holds the forms of a ring packed.
type table struct {
	lanes
	// by slab z: for every place x, words each, what a processor there adds to the
	// load of a line for each one in slab z.
	adds [][]uint64
}

// table packs the forms of the ring into lanes for numbers up to most.
func (d *ring) table(most int64) *table {
	t := &table{lanes: newLanes(len(d.forms), most)}
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
			plus(out, out, int(c[z]), adds)
		}
	}
}

// place returns the words of place x in a list by place.
func (l lanes) place(list []uint64, x int) []uint64 { return list[x*l.words : (x+1)*l.words] }
