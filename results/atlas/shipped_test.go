package atlas_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/texts"
	"leeway/results/atlas"
	"leeway/results/check"
	"leeway/search/refuters"
)

// TestShipped: none of the cells of the program is wrong, the cells are those that reading the files as if they were
// those of others finds, which evaluates every placement, and each file is under 1 MB.
func TestShipped(t *testing.T) {
	coretest.Alone(t)
	a := coretest.Must(atlas.Shipped())
	var files [][]byte
	plans, err := filepath.Glob("*.yaml")
	if err != nil || len(plans) < 10 {
		t.Fatal(plans, err)
	}
	for _, plan := range plans {
		file := strings.TrimSuffix(plan, "yaml") + "jsonl"
		data, err := os.ReadFile(file)
		if err != nil || len(data) > 1e6 {
			t.Errorf("%s: %d bytes, %v", file, len(data), err)
		}
		files = append(files, data)
	}
	b := coretest.Must(atlas.Read(files...))
	own, _ := a.Cells(atlas.Filter{})
	read, _ := b.Cells(atlas.Filter{})
	if len(own) != len(read) {
		t.Fatalf("%d cells, read %d", len(own), len(read))
	}
	for i, c := range read {
		c.Invariants = own[i].Invariants // which are believed of the program's own files alone
		if c.Fault != "" {
			t.Errorf("%s: %s", c.Key(), c.Fault)
		} else if !reflect.DeepEqual(own[i], c) {
			t.Errorf("%+v\nis read as\n%+v", own[i], c)
		}
	}
}

// TestContentHash: plain tori have the hashes that they had when their proofs were last made, and cells of networks
// have that of what docs/formats.md lists.
func TestContentHash(t *testing.T) {
	a := coretest.Must(atlas.Shipped())
	for _, c := range []struct {
		torus, routing string
		size           int
		want           string
	}{{"8x8", "udr:tie=both", 16, "e83074fc9fad8844c2e174572bd969e2b9e1952165c77f81589599dc7c34846e"},
		{"4x4x4", "odr:tie=plus", 20, "2349b08b5f5bef4cb03d056b28a2db25203bc956af0afba1098a5c6db5fb7ff2"},
		{"3x3x3", "avoid:tie=both", 6, "da85a08efba384a581a22aafac7f736d75a71cdd304aa278edffc05b57526860"},
		{"6x6", "minimal:tie=both", 18, "6a46bfb763004ed3076bee921635b021975296459d2e841fe96c14e8893a3a96"}} {
		if have, _ := a.Cell(texts.Key{Torus: c.torus, Routing: c.routing, Size: c.size}); have.SHA256 != c.want {
			t.Errorf("%+v: %s", c, have.SHA256)
		}
	}
	d, ok, err := a.Detail(texts.Key{Torus: "3x3:open=0,1", Routing: "odr:tie=plus", Size: 6})
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	nodes := coretest.Must(json.Marshal(d.Record.Nodes))
	proof := coretest.Must(json.Marshal(d.Record.Proof))
	text := `[[3,3],"odr:tie=plus",6,` + string(nodes) + `,"4","4","margin","optimal",` + string(proof) + `,` +
		strconv.Itoa(d.Optima) + `,"` + d.Labelled + `","3x3:open=0,1"]`
	if want := fmt.Sprintf("%x", sha256.Sum256([]byte(text))); d.SHA256 != want {
		t.Errorf("%s has %s, not %s", text, d.SHA256, want)
	}
}

// TestShippedSample: everything that a sample of cells claims can be repeated, and of
// each cell as much as its status says.
func TestShippedSample(t *testing.T) {
	if testing.Short() {
		t.Skip("repeats proofs")
	}
	a := coretest.Must(atlas.Shipped())
	all, total := a.Cells(atlas.Filter{})
	if total < 1000 {
		t.Fatalf("the first atlas has only %d cells", total)
	}
	sampled := coretest.Cases(40, 10)
	rng := coretest.Rng(1, 0)
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	found, err := a.Verify(context.Background(), all[:sampled], 2,
		check.Options{Produce: refuters.Produce}, nil)
	if err != nil || len(found) != sampled {
		t.Fatalf("%d verdicts: %v", len(found), err)
	}
	for _, f := range found {
		if f.Verdict.Verdict != check.Valid || f.Status == atlas.Optimal && f.ProofVerdict != check.Verified {
			t.Errorf("%s: %+v", f.Key(), f.Verdict)
		}
	}
}

// TestMeshOptima: on small meshes the cells have the optima, and as many of them, that listing all placements finds.
// Loads are sums over pairs of processors, each counted by the naive evaluator on its own.
func TestMeshOptima(t *testing.T) {
	coretest.Alone(t)
	a := coretest.Must(atlas.Shipped())
	for _, mesh := range []string{"3x3:open=0,1", "3x4:open=0,1", "4x4:open=0,1"} {
		for _, way := range []string{"odr:tie=plus", "udr:tie=plus", "minimal:tie=both"} {
			best := listMesh(t, problem(t, mesh, way, 1).Routing)
			for n := 1; n <= min(12, len(best)-1); n++ {
				key := texts.Key{Torus: mesh, Routing: way, Size: n}
				c, ok := a.Cell(key)
				if !ok || c.Status != atlas.Optimal || c.MaxLoad != best[n].load.RatString() {
					t.Errorf("%s: E_max %s, %s; listing finds %s", key, c.MaxLoad, c.Status, best[n].load)
				}
				if c.Labelled != "" && c.Labelled != strconv.Itoa(best[n].count) {
					t.Errorf("%s: %s optimal placements, listing finds %d", key, c.Labelled, best[n].count)
				}
			}
		}
	}
}

// An optimum is what listing finds for a size.
type optimum struct {
	load  *big.Rat
	count int // placements that have it
}

// listMesh returns the optimum of every size under a routing whose paths depend on nothing but their ends.
func listMesh(t *testing.T, r routing.Routing) []optimum {
	mesh := r.Torus()
	pairs := make([][][]*big.Rat, mesh.N())
	den := big.NewInt(1)
	for p := range pairs {
		pairs[p] = make([][]*big.Rat, p)
		for q := range p {
			loads := objective.Naive(r, core.MustPlacement(mesh, []int{q, p}))
			for l := range mesh.M() {
				load := loads.Load(core.Link(l))
				pairs[p][q] = append(pairs[p][q], load)
				core.FoldLCM(den, load.Denom())
			}
		}
	}
	units := make([][][]int64, mesh.N())
	for p := range pairs {
		units[p] = make([][]int64, p)
		for q := range p {
			for _, load := range pairs[p][q] {
				whole := new(big.Int).Mul(load.Num(), new(big.Int).Div(den, load.Denom()))
				units[p][q] = append(units[p][q], whole.Int64())
			}
		}
	}
	least, count := slices.Repeat([]int64{math.MaxInt64}, mesh.N()+1), make([]int, mesh.N()+1)
	first := make([][]int, mesh.N()+1)
	var list func(nodes []int, from int, loads []int64)
	list = func(nodes []int, from int, loads []int64) {
		n, most := len(nodes), slices.Max(loads)
		if most < least[n] {
			least[n], count[n], first[n] = most, 0, slices.Clone(nodes)
		}
		if most == least[n] {
			count[n]++
		}
		for p := from; p < mesh.N(); p++ {
			more := slices.Clone(loads)
			for _, q := range nodes {
				for l, load := range units[p][q] {
					more[l] += load
				}
			}
			list(append(nodes, p), p+1, more)
		}
	}
	list(nil, 0, make([]int64, mesh.M()))
	best := make([]optimum, mesh.N()+1)
	for n := range best {
		best[n] = optimum{new(big.Rat).SetFrac(big.NewInt(least[n]), den), count[n]}
		whole, _ := objective.Naive(r, core.MustPlacement(mesh, first[n])).Max()
		if whole.Cmp(best[n].load) != 0 {
			t.Fatalf("%s %s: E_max %s of %v, by pairs %s", mesh, r, whole, first[n], best[n].load)
		}
	}
	return best
}

// TestShippedKnown: cells whose optimum other programs found (facts of the design, section 5) have it.
func TestShippedKnown(t *testing.T) {
	a := coretest.Must(atlas.Shipped())
	for _, test := range []struct {
		torus, routing string
		size           int
		want           string
	}{{"8x8", "udr:tie=both", 16, "4"}, {"4x4", "odr:tie=both", 4, "1"}, {"6x6", "odr", 6, "2"},
		{"5x5", "udr:tie=both", 5, "1"}} {
		c, ok := a.Cell(texts.Key{Torus: test.torus, Routing: test.routing, Size: test.size})
		if !ok || c.MaxLoad != test.want || c.Status != atlas.Optimal {
			t.Errorf("%+v: %+v", test, c)
		}
	}
}
