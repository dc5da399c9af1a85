package core

// Sum returns the node p+q: each coordinate is the sum of those of p and q, modulo the
// side. It is the node a displacement q away from p.
func (t *Torus) Sum(p, q int) int {
	node := 0
	for j, k := range t.dims {
		node += (t.Coord(p, j) + t.Coord(q, j)) % k * t.strides[j]
	}
	return node
}

// A NodeTable holds a node for every two nodes.
type NodeTable struct {
	n     int
	nodes []int32
}

// Sums tables Sum for all nodes. Cost O(N^2).
func Sums(t *Torus) NodeTable { return newNodeTable(t.N(), t.Sum) }

// Displacements tables Displacement for all nodes. Cost O(N^2).
func Displacements(t *Torus) NodeTable { return newNodeTable(t.N(), t.Displacement) }

func newNodeTable(n int, of func(p, q int) int) NodeTable {
	t := NodeTable{n: n, nodes: make([]int32, 0, n*n)}
	for p := range n {
		for q := range n {
			t.nodes = append(t.nodes, int32(of(p, q)))
		}
	}
	return t
}

// At returns the node for p and q.
func (t NodeTable) At(p, q int) int { return int(t.nodes[p*t.n+q]) }

// Row returns, by q, the nodes for p and q. It belongs to the table.
func (t NodeTable) Row(p int) []int32 { return t.nodes[p*t.n:][:t.n:t.n] }
