package results

// A Subject is what an answer about a placement is about.
type Subject struct {
	Grid
	Routing string `json:"routing"`
	Setting
	Size  int     `json:"size"`
	Nodes [][]int `json:"nodes"`
	Table *Table  `json:"table,omitempty"` // where the routing is one
}
