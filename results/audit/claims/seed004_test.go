package claims

import (
	"math/big"
	"slices"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/objective/exchange/wormhole"
	"leeway/results/audit"
	"leeway/results/audit/model"
)

// TestSeed004Verdicts pins what fails, each with the reason by hand.
func TestSeed004Verdicts(t *testing.T) {
	coretest.Alone(t)
	pinned(t, "seed004", map[string]string{
		// A block whose destination is the place before its source goes one place up in Pre1.
		"seed004-abstract-shortest-paths": "travel farther",
		// 2x2 is a ring of four: two edges between halves, with or without wraparound.
		"seed004-section-1-bisection": "2",
		// n - dist^+(v, v) = n - 0.
		"seed004-section-2-distance": "0",
		// For d = 1 the levels 0 to d-2 are none.
		"seed004-lemma-1": "0 phases",
		// d = 2, l = 0: V_1 is empty, \hat V_1 = V_0 has all four places.
		"seed004-section-2.2-cases": `in V_1: false`,
		// b_3^10 is in v_4 after GP_0 and is not sent in GP_1.
		"seed004-example-1": "in v_4",
		// n = 8, Case 2 only: each odd v_i keeps b_i^{i+3} and b_i^{i+4}, and then sends only
		// what is for v_{i+1}: 4 times 2 blocks stay.
		"seed004-section-2.3-algorithm": "8 of 32",
		// n = 8, Case 1 in GP_1: v_i, even, has b_i^{i+1..i+4} and b_{i-1}^{i+1..i+3}, less what went
		// before; only b_i^{i+4} is beyond SC_2(v_i).
		"seed004-lemma-3-proof": "GP_1 1, SP_1 4",
		// d = 6, l = 3: 7 2^4 = 112 by Case 2 in both directions.
		"seed004-theorem-1-negative": "112",
		// s = 1: v_1 and v_3 are odd, so not in \hat V_2; v_2 is not in V_2, v_4 is.
		"seed004-theorem-1-cases": "in no case",
		// GP_0 uses links from odd places one way and from even ones the other.
		"seed004-section-3.2-links": "512 links",
		// n = 3: v_1 sends up to v_2 and v_0 down to v_2.
		"seed004-section-5-any-size": "1",
		// From coordinate 1 of 3 two up is 0, which is even.
		"seed004-section-5-logical-tori": "coordinate 0",
		// The checker counts 183 blocks in the phases for 30 places, as leeway exchange --torus 30 --algorithm ring shows;
		// Theorem 1 has 171 for 32: (31/96) 2^9 + 2^2 - 1/3 + 2.
		"seed004-section-5-conjecture": "183 blocks",
		// 4^4 + 8 * 2^3 * 14 = 256 + 896, T1D(3) = 14.
		"seed004-table-3-t4-d4": "1152",
		// 9 + 4 (2*3 - 2).
		"seed004-table-4-c64-startups": "25",
		// T4 has 10 at d = 4, T-2D2 3 * 4.
		"seed004-section-6-startups": "12",
		// (2^16 + 2^12) / (4096 + 8*32*171) = 69632/47872.
		"seed004-figure-10": "16/11",
		// Places hear from v_{i-1} in SP_0 and from v_{i+2} in SP_1, which nothing orders.
		"seed004-section-7.1": "2, after the phases [1 3]",
		"seed004-section-7.2": "are not kept apart",
	},
		"seed004-table-3-t-2d1", "seed004-table-3-t-2d2", "seed004-table-3-dp-2d",
		"seed004-table-4-t-3d1", "seed004-table-4-t-3d2", "seed004-table-4-dp-3d", "seed004-section-7.3")
}

// TestPrintedRowsAgainstFormulas compares the rows of other schemes with those of the library, typed in apart.
func TestPrintedRowsAgainstFormulas(t *testing.T) {
	coretest.Alone(t)
	for i, name := range []string{"t-2d1", "t-2d2", "dp-2d", "t-3d1", "t-3d2", "dp-3d"} {
		row, axes := slices.Concat(planeSchemes, cubeSchemes)[i], 2+i/3
		for d := 4; d*axes <= 16; d++ {
			free := wormhole.Machine{Startup: new(big.Rat), PerBlock: new(big.Rat)}
			r := coretest.Must(wormhole.Rank(core.MustTorus(model.Square(axes, d)...), free))
			f := r.Best(func(s wormhole.Ranked) bool { return s.Name == name })
			if row.costs(d)[startups].Num().Cmp(f.Startups) != 0 || row.costs(d)[blocks].Num().Cmp(f.Transmission) != 0 {
				t.Errorf("%s, d = %d: %v and %v", row.name, d, row.costs(d)[startups], row.costs(d)[blocks])
			}
		}
	}
}

// TestLeastLimits runs every check with the least limits.
func TestLeastLimits(t *testing.T) {
	if testing.Short() {
		t.Skip("the pinned verdicts run every check")
	}
	for _, c := range Select("") {
		if f := c.Check(t.Context(), audit.Limits{MaxK: 2}); f.Verdict == audit.Fails && f.Counterexample == nil ||
			f.Verdict == "" {
			t.Errorf("%s: %+v", c.ID, f)
		}
	}
}
