package findings

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"leeway/results"
	"leeway/results/atlas"
)

// fewNodes is up to how many nodes the page counts the cells of an atlas.
const fewNodes = 64

// Verified returns the page docs/verified.md: which values of an atlas a table says to be verified, by whom, and which
// not.
func Verified(view *atlas.Atlas, table *atlas.VerifiedTable) (string, error) {
	p := &page{}
	groups, err := p.groups(view, table)
	if err != nil {
		return "", err
	}
	cells, have, broken := 0, 0, 0
	tried, within := map[string]bool{}, 0 // networks with a verified value, and the cells of these
	for _, g := range groups {
		cells, have, broken = cells+g.cells, have+g.verified, broken+g.broken
		tried[g.network] = tried[g.network] || g.verified > 0
	}
	for _, g := range groups {
		if tried[g.network] {
			within += g.cells
		}
	}
	if cells == 0 {
		return "", fmt.Errorf("the atlas has no proved cells of two dimensions under odr, udr or orders")
	}
	p.printf(verifiedHead, fewNodes, have, cells, 100*float64(have)/float64(cells))
	if 0 < within && within < cells {
		p.printf("\nOn the networks of which some value is verified these are %d of %d (%.1f %%).\n", have, within,
			100*float64(have)/float64(within))
	}
	p.accepted(table)
	if broken > 0 {
		p.printf("For %d of these cells the formula has the rows that break symmetry, marked *s* below; then these are to "+
			"be\nbelieved as well.\n", broken)
	}
	p.diagonals(table)
	p.printf("\n## By network and routing\n\nSizes that are proved and not verified stand in the last column.\n\n" +
		"| network | routing | proved | verified | not verified |\n|---|---|---|---|---|\n")
	for _, g := range groups {
		p.printf("| %s | `%s` | %d | %d | %s |\n", g.network, g.routing, g.cells, g.verified,
			strings.Join(g.open, ", "))
	}
	p.lists(view, table)
	p.runs(table)
	return p.String(), nil
}

const verifiedHead = `# Verified values

Written by ` + "`make verified`" + `. A value V of a cell is *verified* here if the formula "some placement has E_max
below V" was refuted and checkers accepted the proof, in the public format LRAT. cake_lpr, where it is among them, is
itself verified down to its machine code, and for these values nobody needs to believe a search of this program, nor its
checker. What is left to believe is that every placement below V is a model of the formula:
[proofs.md](proofs.md) gives a proof, and tests take all placements of small networks through it. That a placement
attains V is shown by its loads.

Of the proved cells of the atlas in two dimensions under odr, udr and orders, with at most %d nodes, all to all, %d of
%d (%.1f %%) are verified.
The table behind this page, ` + "`results/atlas/verified.jsonl` and, of more than 32 nodes, `verified-64.jsonl`" + `,
and of lists ` + "`verified-lists.jsonl`" + `, has the SHA-256 of every formula and proof. To make and check one again:

    leeway export --formula dimacs --torus 8x8 --routing udr:tie=both --size 16 --below 4 | sha256sum
    leeway atlas certify --torus 8x8 --routing udr:tie=both --size 16 --again --out mine.jsonl

The formula is the same on every machine; the proof depends on the solver and its version. A formula with the rows that
break symmetry is written with ` + "`--break-symmetry`" + `.
`

// accepted counts the proofs that each checker accepted.
func (p *page) accepted(table *atlas.VerifiedTable) {
	var names []string
	count, all, alone := map[string]int{}, 0, 0
	for _, c := range table.All() {
		if c.Open != "" || c.Labelled > 0 {
			continue
		}
		if all++; !c.Elsewhere() {
			alone++
		}
		for _, name := range c.By {
			if count[name]++; count[name] == 1 {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	for i, name := range names {
		names[i] = fmt.Sprintf("%s accepted %d", name, count[name])
	}
	p.printf("\nOf the %d proofs of the table, with those of larger tori,\n%s.\n", all, strings.Join(names, ", "))
	if alone > 0 {
		p.printf("%d proofs in all were accepted by no checker but that of this program.\n", alone)
	}
}

// A group are the proved cells of a network under a routing.
type group struct {
	network, routing        string
	cells, verified, broken int
	open                    []string // sizes
}

// groups counts the cells that the page is about, in the order of the atlas.
func (p *page) groups(view *atlas.Atlas, table *atlas.VerifiedTable) (list []group, err error) {
	all, _ := view.Cells(atlas.Filter{})
	for _, c := range all {
		question, err := c.Key().Problem()
		if err != nil {
			return nil, err
		}
		family, _, _ := strings.Cut(c.Routing, ":")
		if c.Status != atlas.Optimal || c.Fault != "" || c.Traffic != "" || question.Free != nil || question.Conditioned() ||
			question.Torus().D() != 2 || question.Torus().N() > fewNodes ||
			!slices.Contains([]string{"odr", "udr", "orders"}, family) {
			continue
		}
		k := c.Key()
		if n := len(list); n == 0 || list[n-1].network != k.Torus || list[n-1].routing != c.Routing {
			list = append(list, group{network: k.Torus, routing: c.Routing})
		}
		g := &list[len(list)-1]
		g.cells++
		switch known, ok := table.ValueOf(c); {
		case !ok:
			g.open = append(g.open, fmt.Sprint(c.Size))
		default:
			g.verified++
			if known.Symmetry {
				g.broken++
			}
		}
	}
	return list, nil
}

// diagonals lists the cells of 2k processors on k x k tori, also those outside the atlas.
func (p *page) diagonals(table *atlas.VerifiedTable) {
	p.printf("\n## Twice the side\n\nk x k tori with 2k processors. Seconds are those of formula, proof and all checks " +
		"together,\non a machine with other work.\n\n| torus | routing | none is below | clauses | proof, kB | " +
		"seconds | accepted by |\n|---|---|---|---|---|---|---|\n")
	for _, c := range table.All() {
		q, err := c.Problem()
		if err != nil || c.Labelled > 0 ||
			q.Torus().D() != 2 || !q.Torus().Plain() || q.Torus().Side(0) != q.Torus().Side(1) ||
			c.Size != 2*q.Torus().Side(0) || q.Conditioned() {
			continue
		}
		by, note := strings.Join(c.By, ", "), ""
		if c.Symmetry {
			note = " *s*"
		}
		if c.Open != "" {
			by = "nobody: " + c.Open
		}
		p.printf("| %s | `%s`%s | %s | %d | %d | %.1f | %s |\n", c.Torus, c.Routing, note, c.Below, c.Clauses,
			(c.Bytes+999)/1000, c.Seconds, by)
	}
}

// lists counts the lists of all optima that are complete by a proof, by dimensions and routings.
func (p *page) lists(view *atlas.Atlas, table *atlas.VerifiedTable) {
	type count struct {
		lists, verified int
		placements      int64
		most            atlas.Verified // the one with most placements
		open            []string
	}
	groups, order := map[string]*count{}, []string(nil)
	all, _ := view.Cells(atlas.Filter{})
	total := count{}
	for _, c := range all {
		labelled, err := strconv.ParseInt(c.Labelled, 10, 64)
		if err != nil || labelled > results.MaxCertified || c.Status != atlas.Optimal || c.Fault != "" {
			continue
		}
		name, _, _ := strings.Cut(c.Routing, ":")
		name = fmt.Sprintf("%d | `%s`", len(c.Torus), name)
		g := groups[name]
		if g == nil {
			g = &count{}
			groups[name] = g
			order = append(order, name)
		}
		known, ok := table.ListOf(c)
		g.lists, total.lists = g.lists+1, total.lists+1
		if !ok {
			g.open = append(g.open, c.Key().String())
			continue
		}
		g.verified, total.verified = g.verified+1, total.verified+1
		if g.placements += labelled; labelled > g.most.Labelled {
			g.most = known
		}
		if labelled > total.most.Labelled {
			total.most = known
		}
	}
	if total.verified == 0 {
		return
	}
	p.printf("\n## Lists of all optima\n\nThe formula is \"some placement has E_max at most the value and is not in "+
		"the list\", without breaking symmetry.\nIts refutation says that the list, with all images, is complete, and that "+
		"the value is the smallest. The atlas has %d\nlists of at most %d placements, images counted, in any dimension "+
		"and under any routing; %d (%.1f %%) are verified,\nby proofs in LRAT. The longest of these has %d, of %s. "+
		"To repeat one:\n\n    leeway atlas certify --all --torus 5x5 --routing udr --size 10 --again --out mine.jsonl\n\n"+
		"| dimensions | routing | lists | verified | placements of these | not verified |\n|---|---|---|---|---|---|\n",
		total.lists, results.MaxCertified, total.verified, 100*float64(total.verified)/float64(total.lists),
		total.most.Labelled, total.most.Key)
	slices.Sort(order)
	for _, name := range order {
		g := groups[name]
		const named = 8
		open := strings.Join(g.open[:min(len(g.open), named)], ", ")
		if more := len(g.open) - named; more > 0 {
			open += fmt.Sprintf(" and %d more", more)
		}
		p.printf("| %s | %d | %d | %d | %s |\n", name, g.lists, g.verified, g.placements, open)
	}
}

// runs says where and when, with which programs.
func (p *page) runs(table *atlas.VerifiedTable) {
	p.printf("\n## Runs\n")
	for i, r := range table.Runs() {
		cells, seconds := 0, 0.0
		for _, c := range table.All() {
			if c.Run == i && c.Open == "" {
				cells, seconds = cells+1, seconds+c.Seconds
			}
		}
		p.printf("\n* Begun %s on %d cores of %s: %d proofs in %.0f s by %s. Checkers:\n", r.Started, r.Cores, r.Machine,
			cells, seconds, r.Refuter)
		for _, k := range r.Checkers {
			p.printf("  * %s, %s\n", k.Name, k.Version)
		}
	}
}
