// Package picture draws a placement with the load of every link, as SVG and as
// text for a terminal.
//
// A torus is drawn in slices: each panel shows the last two dimensions, the last
// but one downwards and the last to the right, and there is one panel for every
// value of the other dimensions. A torus of one dimension is one row. Links
// inside a panel run between their nodes; links that go around the torus leave
// one border and come back at the other; links along the other dimensions are
// marks beside the node that they leave.
//
// Colours only guide the eye: they show in which of a few equal bands between 0
// and E_max a load lies. Exact loads stand in the titles that a viewer shows
// under the pointer, and beside the links when asked for. Loads on the edge of
// two bands count to the lower one; a load of 0 has a look of its own.
//
// A phase of a schedule of complete exchange (phase*.go) has an arrow for every send
// and says what every node holds.
//
// The same parameters give the same bytes: coordinates are integers and nothing
// depends on map order, the clock or the machine.
package picture
