package audit

// seed003 lists the claims of V. V. Dimakopoulos and N. J. Dimopoulos, "Decomposition of
// Total Exchange for Multidimensional Interconnects": complete exchange by store and
// forward on products of graphs, one port each way.
func seed003() []Claim {
	const source = "Dimakopoulos and Dimopoulos, "
	return []Claim{
		{"seed003-section-1-degree", source + "Section 1",
			"In a product the degree of a node is the sum of its degrees in each dimension.", degreesAdd},
		{"seed003-section-2-size", source + "Section 2, definition of the product",
			"A product of k graphs has |V_1| ... |V_k| nodes; two are adjacent if they differ in exactly one coordinate, where they are adjacent.", productSize},
		{"seed003-section-2-families", source + "Section 2",
			"Hypercubes are products of two-node arrays, tori of rings, meshes of linear arrays, generalized hypercubes of complete graphs.", namedFamilies},
		{"seed003-figure-1", source + "Figure 1",
			"The product of a path of two nodes and a ring of three has the six nodes (a,1) to (b,3).", figure1Of003},
		{"seed003-bound-1", source + "Section 3, (1)",
			"Complete exchange takes at least AS(G) steps, the average status: at most n blocks move in a step.", statusBound},
		{"seed003-theorem-1", source + "Theorem 1",
			"The status of a node v of a product with n nodes is n times the sum of s_i(v_i)/|V_i|.", theorem1Of003},
		{"seed003-section-3-distance", source + "Section 3.1, example",
			"The average distance in a generalized hypercube is n/(n-1) times the sum of (m_i - 1)/m_i, which is n/(n-1) (k - sum of 1/m_i).", hypercubeDistance},
		{"seed003-corollary-1", source + "Corollary 1",
			"AS(G) is n times the sum of AS(G_i)/|V_i|.", corollary1Of003},
		{"seed003-figure-2", source + "Figure 2",
			"A 4x3 torus is four copies of a ring of three, or three copies of a ring of four.", figure2Of003},
		{"seed003-figure-3", source + "Figure 3, algorithm A1",
			"Algorithm A1 solves complete exchange on A x B; its line 3 is \"for every k = 1, ..., n_2, k != i\", where i numbers the nodes of A.", figure3Of003},
		{"seed003-section-4-disjoint", source + "Section 4",
			"Transfers within B_i and within another copy of B have no node in common.", copiesDisjoint},
		{"seed003-table-1", source + "Table 1",
			"The batches R_r of the nodes of B_i are an instance of complete exchange in B_i: one message from each to each other.", table1Of003},
		{"seed003-figure-4", source + "Figure 4, algorithm A2",
			"Algorithm A2 solves complete exchange on every product of two graphs.", figure4Of003},
		{"seed003-section-4-recursion", source + "Section 4",
			"With more than two dimensions A2 can be used recursively, A being all dimensions but the last.", recursion},
		{"seed003-theorem-2", source + "Theorem 2",
			"From exchanges in T_A and T_B steps A2 takes n_1 T_B + n_2 T_A.", theorem2Of003},
		{"seed003-corollary-2", source + "Corollary 2",
			"From exchanges in T_i steps A2 takes n times the sum of T_i/|V_i|.", corollary2Of003},
		{"seed003-theorem-3", source + "Theorem 3",
			"If the exchange in every dimension takes as many steps as bound (1), AS(G_i), then so it does in G.", theorem3Of003},
		{"seed003-theorem-3-rounded", source + "Theorem 3, with bound (1) rounded up to whole steps",
			"If exchanges of the dimensions achieve bound (1), A2 achieves it too. Steps being whole, this reads the bound as rounded up.", theorem3Rounded},
		{"seed003-section-5-hypercubes", source + "Section 5",
			"Between two nodes exchange takes one step, the average status, so that A2 is optimal on hypercubes.", hypercubes},
		{"seed003-section-5-cayley", source + "Section 5, after [7]",
			"Every Cayley network has an exchange in as many steps as bound (1).", cayleyNetworks},
		{"seed003-section-5-families", source + "Section 5",
			"A2 is optimal on k-ary n-cubes, general tori and generalized hypercubes.", optimalFamilies},
	}
}
