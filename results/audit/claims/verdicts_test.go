package claims

import (
	"context"
	"slices"
	"testing"

	"leeway/core/coretest"
	"leeway/results/audit"
)

// failing pins the claims of seeds 000 to 002 that fail, with the smallest case, each
// derived by hand. All others that compute something hold.
var failing = map[string]struct {
	maxK                  int // 0 for smallLimit
	where, claimed, truth string
}{
	// The linear placement of 3x3 has 3 processors. Each sends its 2 messages over 4
	// links, none meets a third processor, so 2/4 = 1/2; 3/4 is printed.
	"seed000-inequality-1": {0, "torus 3x3, placement linear, routing avoid", "at least 3/4", "1/2"},
	"seed001-section-2.1":  {0, "torus 3x3, placement linear, routing avoid", "at least 3/4", "1/2"},
	// A ring of 2: both steps lead to the other node.
	"seed000-definition-1":   {0, "torus 2, neighbours of a node", "2", "1"},
	"seed001-definition-2.1": {0, "torus 2, neighbours of a node", "2", "1"},
	"seed002-definition-1":   {0, "torus 2, neighbours of a node", "2", "1"},
	// 4x4: TestMorePathsByHand adds up 5/6.
	"seed000-section-2-more-paths": {0, "torus 4x4, placement linear, routing minimal", "at most 3/4", "5/6"},
	// A full ring of 3: every node sends one message each way over one link, so E_max
	// is 1; its width is 4 (two cuts, both directions), and 2 (3/2)^2 / 4 = 9/8.
	"seed000-inequality-8":    {0, "torus 3, placement nodes:0+1+2, best minimal routing", "at least 9/8", "1"},
	"seed002-inequality-5":    {0, "torus 3, placement nodes:0+1+2, best minimal routing", "at least 9/8", "1"},
	"seed000-section-4-bound": {0, "torus 3, placement multilinear:t=3, best minimal routing", "at least 9/8", "1"},
	"seed001-section-1-load":  {0, "torus 3, placement full, routing odr:tie=both", "at least 9/8", "1"},
	// A ring of 8 with the even nodes: the arc 0..2 with nodes 0 and 2 has two cuts,
	// 4 links; 0 and 2 alone have 4 neighbours, all outside, 8 links.
	"seed000-inequality-8-boundary": {8, "torus 8, placement nodes:0+2+4+6", "4", "8"},
	// n = 1: copies ab and cd with the edge ac. b and d are not joined.
	"seed000-remark-1": {0, "two complete graphs on 2 nodes and an edge, subgraphs with 2 nodes, least width", "1", "0"},
	// 3x3, two in every row and column: TestWidthByAllSets looks at all 512 sets.
	"seed000-theorem-1": {0, "torus 3x3, placement nodes:0,0+0,1+1,0+1,2+2,1+2,2", "at most 12", "16"},
	// 4x4x4, two opposite octants: the octant is a cube of 2, 6 faces of 4 links each
	// way, 48 < 4 4^2. That nothing is below does not matter for the verdict.
	"seed000-theorem-1-exact": {8, "torus 4x4x4, placement " +
		"nodes:0,0,0+0,0,1+0,1,0+0,1,1+1,0,0+1,0,1+1,1,0+1,1,1+2,2,2+2,2,3+2,3,2+2,3,3+3,2,2+3,2,3+3,3,2+3,3,3", "64", "48"},
	// 3x3: k/8 - 1/(8k) = 3/8 - 1/24 = 1/3, but loads under ODR are whole numbers.
	"seed000-theorem-2": {0, "torus 3x3, placement linear, routing odr", "1/3", "1"},
	// 4x4: E_max = floor(4/2) = 2, and 4/8 + 1 = 3/2.
	"seed000-section-6-leading": {0, "torus 4x4, placement linear, routing odr", "at most 3/2", "2"},
	"seed002-theorem-3":         {0, "torus 4x4, placement linear, routing odr", "at most 3/2", "2"},
	// 3x3: on row 0 only (0,0) has a processor; it reaches one step. From (0,1) to
	// (0,2) nothing goes; the same along axis 0.
	"seed000-section-7-strict": {0, "torus 3x3, placement linear, routing udr, link from (0,1) along axis 0, +", "less " +
		"than 0", "0"},
	// 6 axes of 4: TestPathsBesideProcessor compares with a count over all paths.
	"seed000-theorem-4-paths": {0, "torus 4^6, placement linear, routing udr, paths through a link next to a " +
		"processor", "less than 32768", "47150"},
	// From (0,0) to (1,1) along (1, g): t = (1+g)/sqrt(1+g^2), its square 1 + 2g/(1+g^2).
	"seed000-appendix-range": {0, "array 2x2, direction 1, g, .. with g = 259/250, square of the last t", "1",
		"259081/129581"},
	// A full 3x3: the narrowest cut into 4 and 5, TestWidthByAllSets.
	"seed001-section-1-width": {0, "torus 3x3, placement full", "12", "16"},
	// A row and a column of 3x3: the 8 messages with the corner and the 4 within the
	// row or column take one link each; those between row and column go round by a
	// node without a processor.
	"seed001-section-2.2": {0, "torus 3x3, placement nodes:0,0+0,1+0,2+1,0+2,0, routing avoid", "more than 1", "1"},
	// 3x3x3 under UDR: udrLoad, (X + k h)/3 = (1 + 3)/3.
	"seed001-section-3-extension": {0, "torus 3x3x3, placement linear, routing udr:tie=both", "more than 4/3", "4/3"},
	// (1,1,2) on 4x4x4: six orders, and two ways along the axis of 2.
	"seed001-section-3-six": {8, "torus 4x4x4, from node 0 to (1,1,2)", "6", "12"},
	// 2 + 1 + 1 = 4.
	"seed001-section-3-processors": {0, "torus 5x5x5, node (2,1,1)", "a processor, coordinates with sum 0 modulo 5",
		"no processor, the sum is 4"},
	// k = 3, s = 0: i from 1 to 0 has no terms. The load that is missing is that of the
	// message to (1,1,1): 2 of 6 paths.
	"seed001-theorem-3.2-sum-5": {0, "k = 3, s = 0", "1/3", "0"},
	// 3^4: 1 2 3 / 2 = 3 against 26/8.
	"seed002-abstract": {0, "torus 3^4, placement linear", "more than 13/4", "3"},
	// A full ring of 4: to 1 and 2 (half) from one node, to 2 (half) from the one
	// behind: 1 + 1/2 + 1/2 = 2 = 4^2/8.
	"seed002-section-1-load": {0, "torus 4, placement full, routing odr:tie=both", "more than 2", "2"},
	// (2k+1)/3 (k^2/8 + k/4) = 31 276 = 8556 for k = 46 against 4 46^2 = 8464. The
	// pairs: all other coordinates equal, X; three that differ only ahead or only
	// behind the ring, (k-1) X each with weight 1/3.
	"seed002-section-5-udr": {16, "torus 46x46x46, placement linear:c=1,0,1, routing udr", "less than 8464", "8556"},
}

// smallLimit is enough for nearly all verdicts.
const smallLimit = 6

// TestVerdicts checks every claim of seeds 000 to 002 at small limits.
func TestVerdicts(t *testing.T) {
	coretest.Alone(t)
	for _, c := range slices.Concat(Select("seed000"), Select("seed001"), Select("seed002")) {
		pin, fails := failing[c.ID]
		f := c.Check(context.Background(), audit.Limits{MaxK: max(pin.maxK, smallLimit)})
		switch {
		case fails && f.Verdict != audit.Fails:
			t.Errorf("%s: %s, want fails (%s)", c.ID, f.Verdict, f.Checked)
		case fails && (f.Counterexample.Case != pin.where || f.Counterexample.Claimed != pin.claimed ||
			f.Counterexample.True != pin.truth):
			t.Errorf("%s: counterexample %+v, want %+v", c.ID, *f.Counterexample, pin)
		case !fails && f.Verdict == audit.Fails:
			t.Errorf("%s fails: %+v", c.ID, *f.Counterexample)
		case f.Verdict == audit.Untested && (f.Note == "" || f.Checked != ""):
			t.Errorf("%s: untested without a reason: %+v", c.ID, f)
		}
	}
}
