package audit

import (
	"slices"
	"strings"
)

// Claims returns all claims, paper by paper, in the order in which they are printed.
func Claims() []Claim {
	return slices.Concat(seed000(), seed001(), seed002(), seed003(), seed004())
}

// Select returns the claims whose ID begins with a prefix, in order; none for an
// unknown one.
func Select(prefix string) []Claim {
	var some []Claim
	for _, c := range Claims() {
		if strings.HasPrefix(c.ID, prefix) {
			some = append(some, c)
		}
	}
	return some
}

// A Paper is the source of claims.
type Paper struct {
	Prefix string // of the IDs of its claims, before a hyphen
	Title  string // with authors and where it appeared
}

// Has reports whether a claim is from the paper.
func (p Paper) Has(claim string) bool { return strings.HasPrefix(claim, p.Prefix+"-") }

// Papers returns the papers in the order of their claims.
func Papers() []Paper { return slices.Clone(papers) }

var papers = []Paper{
	{"seed000", "M. C. Azizoglu and O. Egecioglu, Lower Bounds on Communication Loads and Optimal Placements in Torus Networks, IEEE Transactions on Computers 49(3), 2000."},
	{"seed001", "M. Blaum, J. Bruck, G. D. Pifarre and J. L. C. Sanz, On Optimal Placements of Processors in Fault-Tolerant Tori Networks."},
	{"seed002", "M. C. Azizoglu and O. Egecioglu, the conference version of seed 000, IPPS/SPDP 1998."},
	{"seed003", "V. V. Dimakopoulos and N. J. Dimopoulos, Decomposition of Total Exchange for Multidimensional Interconnects."},
	{"seed004", "Y.-C. Tseng, S.-Y. Ni and J.-P. Sheu, Toward Optimal Complete Exchange on Wormhole-Routed Tori."},
}
