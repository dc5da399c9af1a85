package atlas

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/results"
	"leeway/results/resultstest"
)

// TestVerifiedTable: what is put in is found again in the file, in order, with runs that have cells; a cell is verified
// only where the value is the same and proved.
func TestVerifiedTable(t *testing.T) {
	v := NewVerified()
	hash := strings.Repeat("0a", 32)
	v.Begin(VerifiedRun{Started: "2026-01-01T00:00:00Z", Refuter: "unused", Checkers: []Checker{{"other", "1"}}})
	v.Begin(VerifiedRun{Started: "2026-01-02T00:00:00Z", Cores: 2, Checkers: []Checker{{"mine", "0"}, {"theirs", "1"}}})
	nodes := coretest.Must(PackedNodes(core.MustPlacement(core.MustTorus(5, 5), []int{0, 7, 24})))
	for _, c := range []Verified{
		{Key: keyOf("5x5", "udr:tie=plus", 3), Below: "5/2", Nodes: nodes, Formula: hash, Proof: hash,
			By: []string{"theirs"}},
		{Key: keyOf("4x4", "odr:tie=both", 8), Below: "3", Labelled: 12, Formula: hash, Proof: hash, By: []string{"mine"}},
		{Key: keyOf("4x4", "odr:tie=both", 8), Below: "3", Formula: hash, Proof: hash, By: []string{"mine", "theirs"}},
		{Key: keyOf("4x4", "odr:tie=both", 7), Below: "3", Open: "no proof within 1s", Budget: 1},
		{Key: keyOf("4x4", "odr:tie=both", 9), Below: "4", Formula: hash, Proof: hash, By: []string{"theirs"}},
	} {
		coretest.Try(v.Put(c))
	}
	data := coretest.Must(v.Encode())
	again := coretest.Must(ReadVerified(data))
	if string(coretest.Must(again.Encode())) != string(data) || strings.Contains(string(data), "unused") {
		t.Fatalf("%s", data)
	}
	all := again.All()
	if len(all) != 5 || all[4].Labelled != 12 || all[4].Size != 8 ||
		all[0].Size != 7 || all[1].Size != 8 || all[2].Size != 9 || all[3].Torus != "5x5" ||
		again.Run(all[3]).Cores != 2 {
		t.Fatalf("%+v", all)
	}
	if s, ok := all[3].Placement(); !ok || s.Size() != 3 || s.Nodes()[2] != 24 {
		t.Errorf("placement %v, %v", s, ok)
	}
	for _, c := range []struct {
		size              int
		load, state, flaw string
		want              bool
	}{{8, "3", Optimal, "", true}, {8, "3", Feasible, "", false}, {8, "5/2", Optimal, "", false},
		{8, "3", Optimal, "wrong", false}, {7, "3", Optimal, "", false}, {6, "3", Optimal, "", false}} {
		cell := Cell{Grid: results.Grid{Torus: []int{4, 4}}, Routing: "odr:tie=both", Size: c.size, MaxLoad: c.load,
			Status: c.state, Fault: c.flaw}
		if _, ok := again.ValueOf(cell); ok != c.want {
			t.Errorf("%+v: verified %v", c, ok)
		}
		for _, cell.Labelled = range []string{"", "11", "12"} {
			if _, ok := again.ListOf(cell); ok != (c.want && cell.Labelled == "12") {
				t.Errorf("%+v: a list of %s is verified: %v", c, cell.Labelled, ok)
			}
		}
	}
}

// TestElsewhere: the checker of this program is not one of others.
func TestElsewhere(t *testing.T) {
	if (Verified{By: []string{OwnChecker}}).Elsewhere() || !(Verified{By: []string{OwnChecker, "other"}}).Elsewhere() {
		t.Error("who checked is mistaken")
	}
}

// TestVerifiedTableRefuses files with a line that claims too much or nothing.
func TestVerifiedTableRefuses(t *testing.T) {
	hash := strings.Repeat("0a", 32)
	good := Verified{Key: keyOf("4x4", "odr:tie=both", 8), Below: "3", Formula: hash, Proof: hash, By: []string{"mine"}}
	file := func(cells int, lines ...Verified) []byte {
		h := verifiedHeader{VerifiedSchema, cells, []VerifiedRun{{Checkers: []Checker{{"mine", "0"}}}}}
		text := string(coretest.Must(json.Marshal(h)))
		for _, l := range lines {
			text += "\n" + string(coretest.Must(json.Marshal(l)))
		}
		return []byte(text + "\n")
	}
	coretest.Must(ReadVerified(file(1, good)))
	for name, changes := range map[string]string{"accepted by nobody": "-by", "and open": `open="why"`,
		"unknown checker": `by=["other"]`, "no hash": `proof="0a"`, "no run": "run=1", "no fraction": `below="6/2"`,
		"not canonical": `torus="4^2"`, "no size": "size=17", "twice by one": `by=["mine","mine"]`,
		"fewer than none": "labelled=-1", "a list of some": "symmetry=true; labelled=1", "other nodes": `nodes="8000"`,
		"budget": `budget=1`} {
		var unreadable *results.ReadError
		if _, err := ReadVerified(file(1, resultstest.Changed(good, changes))); !errors.As(err, &unreadable) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, data := range map[string][]byte{"twice": file(2, good, good), "too few": file(2, good), "nothing": nil,
		"bracket":    append(bytes.TrimSpace(file(1, good)), "}\n"...),
		"upper case": bytes.ReplaceAll(file(1, good), []byte("0a0a"), []byte("0A0A")), "cut": file(1, good)[:300],
		"field": []byte(strings.Replace(string(file(1, good)), `"below"`, `"above"`, 1))} {
		if _, err := ReadVerified(data); err == nil {
			t.Errorf("%s is read", name)
		}
	}
}

// TestRebase: two runs that begin with the same file and write in turn lose no cell of each other.
func TestRebase(t *testing.T) {
	hash := strings.Repeat("0a", 32)
	cell := func(size int, open string) Verified {
		c := Verified{Key: keyOf("4x4", "odr:tie=both", size), Below: "3", Open: open}
		if open == "" {
			c.Formula, c.Proof, c.By = hash, hash, []string{"mine"}
		}
		return c
	}
	begun := func(data []byte, machine string) *VerifiedTable {
		v := coretest.Must(ReadVerified(data))
		v.Begin(VerifiedRun{Machine: machine, Checkers: []Checker{{"mine", "0"}}})
		return v
	}
	put := func(v *VerifiedTable, list ...Verified) []byte {
		for _, c := range list {
			coretest.Try(v.Put(c))
		}
		return coretest.Must(v.Encode())
	}
	first := NewVerified()
	first.Begin(VerifiedRun{Machine: "first", Checkers: []Checker{{"mine", "0"}}})
	start := put(first, cell(2, ""), cell(3, "late"))
	a, b := begun(start, "a"), begun(start, "b")
	file := put(a, cell(4, ""), cell(5, ""), cell(6, "late"))
	put(b, cell(3, ""), cell(5, "late"), cell(6, ""), cell(7, ""))
	coretest.Try(b.Rebase(file))
	again := coretest.Must(ReadVerified(coretest.Must(b.Encode())))
	said := ""
	for _, c := range again.All() {
		said += fmt.Sprintf("%d %s%s, ", c.Size, again.Run(c).Machine, c.Open)
	}
	if said != "2 first, 3 b, 4 a, 5 a, 6 b, 7 b, " {
		t.Error(said)
	}
	if err := b.Rebase(file[:40]); err == nil || len(b.All()) != 6 {
		t.Errorf("a file that cannot be read: %v, %d cells", err, len(b.All()))
	}
}

// TestShippedVerified: every verified cell of the table has that value in the atlas, or a placement of its own with it,
// evaluated naively.
func TestShippedVerified(t *testing.T) {
	table := coretest.Must(ShippedVerified())
	view := coretest.Must(Shipped())
	for _, c := range table.All() {
		if c.Open != "" {
			continue
		}
		if s, own := c.Placement(); own {
			p := coretest.Must(c.Problem())
			if value, _ := p.Naive(s).Max(); value.RatString() != c.Below {
				t.Errorf("%s: the placement has %s, not %s", c.Key, value.RatString(), c.Below)
			}
			continue
		}
		cell, ok := view.Cell(c.Key)
		of := table.ValueOf
		if c.Labelled > 0 {
			of = table.ListOf
		}
		if _, same := of(cell); !ok || !same {
			t.Errorf("%s below %s: the atlas has %s, %s", c.Key, c.Below, cell.MaxLoad, cell.Status)
		}
	}
}
