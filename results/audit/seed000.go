package audit

// seed000 lists the claims of M. C. Azizoglu and O. Egecioglu, "Lower Bounds on
// Communication Loads and Optimal Placements in Torus Networks", IEEE Transactions
// on Computers 49(3), 2000.
func seed000() []Claim {
	return []Claim{
		{
			ID:        "seed000-definition-9",
			Source:    "Azizoglu and Egecioglu, Definition 9",
			Statement: "O and Omega: f(k) = O(g(k)) if f(k) <= c g(k) from some k on; Omega if f(k) >= c g(k) for infinitely many k.",
			Check:     untested("a definition: nothing is claimed"),
		},
	}
}
