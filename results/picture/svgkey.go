package picture

import "fmt"

const (
	swatch     = 20 // width of a band in the key
	ticks      = 4  // parts of E_max at whose ends the key names the loads
	tickLength = 10 // longer loads do not fit beside each other
)

// key writes the scale of loads and what the shapes mean, at the bottom.
func (d *drawing) key() {
	_, panels := d.size()
	y := border + headHeight + panels + 38
	d.text(border, y-8, "small muted", "load of a link")
	d.swatches(border, y)
	y += 48
	d.symbols(border, y)
	if d.rowDim > 0 {
		d.text(border, y+26, "small muted", d.marksLine())
	}
}

// swatches writes a box for idle links and, if there is any load, one for every
// band, with exact loads under the edges.
func (d *drawing) swatches(x, y int) {
	d.rect("idle", x, y, swatch-4, 12, 0, "")
	d.text(x+(swatch-4)/2, y+27, "small mid", "0")
	if d.scale.most.Sign() == 0 {
		return
	}
	start := x + swatch + 8
	for i := range bands {
		d.rect(fmt.Sprintf("swatch b%d", i+1), start+i*swatch, y, swatch, 12, 0, "")
	}
	d.text(start+bands*swatch+8, y+10, "small", "E_max")
	for i := int64(1); i <= ticks; i++ {
		if label := d.scale.part(i, ticks); i == ticks || len(label) <= tickLength {
			d.text(start+int(i)*swatch*bands/ticks, y+27, "small mid", label)
		}
	}
}

// symbols writes one example of every shape with its meaning.
func (d *drawing) symbols(x, y int) {
	d.rect("processor sample", x, y-12, 16, 16, 3, "")
	d.text(x+24, y+1, "small", "processor")
	d.circle("node sample", x+104, y-4, 3.5, "")
	d.text(x+114, y+1, "small", "other node")
	d.sampleWire(x+190, y-8, "idle")
	d.text(x+228, y+1, "small", "idle link")
	if d.scale.most.Sign() > 0 {
		d.sampleWire(x+290, y-8, fmt.Sprintf("b%d top", bands))
		d.text(x+328, y+1, "small", "link at E_max")
	}
}

func (d *drawing) sampleWire(x, y int, class string) {
	d.line("wire sample "+class, []subpath{arrow(x, y, rightwards, 0, 30)}, "")
}

// marksLine explains the triangles.
func (d *drawing) marksLine() string {
	line := "triangles: links to other panels, ▲ + and ▼ − "
	if d.rowDim == 1 {
		return line + "along dimension 0"
	}
	return line + fmt.Sprintf("along dimensions 0 to %d, from top to bottom", d.rowDim-1)
}
