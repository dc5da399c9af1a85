package networks

// A Part says on which of some networks processors on a part of the nodes carry least, under minimal.
type Part struct {
	Schema   string  `json:"schema"`
	Nodes    int     `json:"nodes"`
	Dims     int     `json:"dims"`
	Size     int     `json:"size"`     // processors
	Networks int     `json:"networks"` // how many are compared
	Best     Placed  `json:"best"`
	Plain    *Placed `json:"plain"` // of the tori without shifts; nil where there is none
}

// PartSchema is the schema version of a Part.
const PartSchema = "leeway/part/1"

// A Placed is the best placement known on any of some networks: of those on which it is found as good, the network of
// least mean distance, of these the first.
type Placed struct {
	Network    string `json:"network"`     // canonical text
	MaxLoad    string `json:"max_load"`    // E_max of the placement
	LowerBound string `json:"lower_bound"` // no placement of as many processors on any of the networks has less
	Placement  string `json:"placement"`   // as core/family reads it
}

// Proved reports whether no placement on any of the networks has less.
func (p Placed) Proved() bool { return p.MaxLoad == p.LowerBound }
