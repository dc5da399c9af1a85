package picture

import (
	"strconv"
	"strings"

	"leeway/core"
)

// A bundle is the links of a compact picture that look alike and carry the same load.
type bundle struct {
	shape
	links []core.Link
}

// link writes a link, or puts it into its bundle if the picture is compact. Its shape has
// the class of its kind.
func (d *drawing) link(l core.Link, e shape) {
	e.class = "link " + e.class + " " + d.loadClass(l)
	if !d.params.Compact {
		e.title = d.loadTitle(l)
		d.add(e)
		return
	}
	for i := range e.path {
		e.path[i].x += d.dx
		e.path[i].y += d.dy
	}
	e.title = d.scale.text(l)
	for i := range d.bundles {
		b := &d.bundles[i]
		if b.class == e.class && b.title == e.title {
			b.parts = append(b.parts, len(b.path))
			b.path, b.links = append(b.path, e.path...), append(b.links, l)
			return
		}
	}
	d.bundles = append(d.bundles, bundle{e, []core.Link{l}})
}

// unbundle writes the bundles.
func (d *drawing) unbundle() {
	for _, b := range d.bundles {
		var numbers strings.Builder
		for i, l := range b.links {
			if i > 0 {
				numbers.WriteByte(' ')
			}
			numbers.WriteString(strconv.Itoa(int(l)))
		}
		b.data = numbers.String()
		d.add(b.shape)
	}
}
