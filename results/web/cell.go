package web

import (
	"bytes"
	"context"
	"fmt"
	"html/template"
	"math/big"
	"strings"
	"sync"
	"time"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/explain"
	"leeway/results/frontier"
	"leeway/results/picture"
)

// cellBody is what the page of a cell shows.
type cellBody struct {
	atlas.Detail
	Where          string             // network, traffic and conditions, as in the key
	Flag, Nodes    string             // network and processors as options of the command line
	Clients        *objective.Traffic // nil where all send to all
	In, Out        string             // fixed and forbidden nodes, the same
	Sides          string
	Plain          bool        // the network is a torus without conditions
	Others         []otherCell // of networks of the same sides, or under other conditions
	Picture        template.HTML
	Loads          []results.LinkLoad // none for large tori
	Total, Idle    int                // links of the torus, and those without load
	Progress       template.HTML      // history of the best value
	Gap            string
	Papers         *atlas.Family
	Percent        int // of the papers' load
	Previous, Next string
	Split          *splitBody // where it is part of the page
	SplitAddress   string
	Editor         string // "" where there is none
	HasPicture     bool
	FromPicture    bool // the list of loads is made from the picture
	Basis          bool // the record rests on a proof file
	Free           bool // the routing is the record's own table
	// Verified says who accepted a proof of the value, nil if nobody did.
	Verified *atlas.Verified
	// Complete says who accepted a proof that there are no other optima than those counted, nil if nobody did.
	Complete *atlas.Verified
}

// An otherCell is one to compare with, under a name.
type otherCell struct {
	atlas.Cell
	Name string
}

// maxLoadRows is how many loads the page of a cell lists.
const maxLoadRows = 1024

func (s *Site) cellPage(ctx context.Context, d atlas.Detail) (document, error) {
	k := d.Key()
	body := cellBody{Detail: d, Where: k.Torus, Flag: d.Text(), In: core.JoinNodes(d.Fixed),
		Out: core.JoinNodes(d.Forbidden), Sides: core.JoinInts(d.Torus, "x")}
	body.Plain = body.Where == body.Sides
	seen := map[atlas.Key]bool{}
	if p, err := k.Problem(); err == nil && p.Traffic.Clients() {
		body.Clients = &p.Traffic
	}
	table, err := atlas.ShippedVerified()
	if err != nil {
		return document{}, err
	}
	if known, ok := table.Of(d.Cell); ok {
		body.Verified = &known
	}
	if known, ok := table.ListOf(d.Cell); ok {
		body.Complete = &known
	}
	for _, other := range ways(s.sameTraffic(d.Torus, k.Torus), d.Cell) {
		if c, ok := s.source.Cell(other); ok && c.Fault == "" && !seen[c.Key()] {
			seen[c.Key()] = true // where nothing ties there both tie rules find it
			body.Others = append(body.Others, otherCell{c, wayName(other, d.Cell)})
		}
	}
	body.Previous, body.Next = s.cellAt(k, k.Size-1), s.cellAt(k, k.Size+1)
	if d.Record != nil {
		if err := body.placed(d, s.options.Static); err != nil {
			return document{}, err
		}
		if d.Traffic == "" {
			body.SplitAddress = cellAddress(k, splitEnding)
		}
		if s.options.Static && body.SplitAddress != "" {
			split, err := s.split(ctx, d)
			if err != nil {
				return document{}, err
			}
			body.Split = &split
		}
	}
	title := fmt.Sprintf("%s on %s under %s", counted(d.Cell), picture.Shown(k.Torus), k.Routing)
	trail := []crumb{{picture.Shown(k.Torus), torusAddress(k.Torus)}, {k.Routing, frontierAddress(k.Torus, k.Routing, 1)}}
	return s.render("cell", cellAddress(k, pageEnding), title, trail, body)
}

// placed fills in what a placement shows. In a static site the list of loads is made from the picture, by a script:
// it would take as much room again.
func (b *cellBody) placed(d atlas.Detail, static bool) error {
	problem, p, err := placementOf(d)
	if err != nil {
		return err
	}
	loads := problem.Evaluate(p)
	b.Nodes = core.JoinNodes(d.Record.Nodes)
	b.Total = p.Torus().Links()
	if p.Torus().N() <= picture.MaxNodes {
		b.HasPicture = true
		var svg strings.Builder
		what := pictureOf(d, problem, p, loads)
		what.Embedded, what.Compact = true, static
		if err := picture.SVG(&svg, what); err != nil {
			return err
		}
		b.Picture = template.HTML(svg.String()) // this program escapes all text in it
	}
	e := results.NewEvaluation(problem, p, loads, true)
	if e.Loads != nil {
		b.Idle = b.Total - len(e.Loads)
		switch {
		case static && b.HasPicture:
			b.FromPicture = true
		case len(e.Loads) <= maxLoadRows:
			b.Loads = e.Loads
		}
	}
	if gap, ok := d.Gap(); ok {
		b.Gap = gap.RatString()
	}
	if f, ok := d.Papers(); ok {
		b.Papers = &f
		b.Percent = percent(d.MaxLoad, f.MaxLoad)
	}
	if chart, err := frontier.Progress(d); err == nil && len(d.History) > 1 {
		if b.Progress, err = inlineChart(chart); err != nil {
			return err
		}
	}
	if b.Free = d.Record.Table != nil; !b.Free {
		b.Editor = editorOf(p.Torus(), d.Record.Nodes, d.Demand, d.Conditions, d.Routing)
	}
	b.Basis = d.Record.Proof.NamesFile() || d.Record.BoundProof.NamesFile()
	return nil
}

// counted returns the number of processors of a cell, which are controllers to clients.
func counted(c atlas.Cell) string {
	return picture.Processors(c.Size, c.Traffic != "")
}

// percent returns a as hundredths of b, rounded; 0 where b is none.
func percent(a, b string) int {
	x, errX := results.ParseFraction(a)
	y, errY := results.ParseFraction(b)
	if errX != nil || errY != nil || y.Sign() == 0 {
		return 0
	}
	v, _ := x.Quo(x, y).Float64()
	return int(100*v + 0.5)
}

// cellAt returns the page of another size, "" if there is none.
func (s *Site) cellAt(k atlas.Key, size int) string {
	k.Size = size
	if c, ok := s.source.Cell(k); ok {
		return cellAddress(c.Key(), pageEnding)
	}
	return ""
}

// placementOf returns the problem and the placement of a cell with a record.
func placementOf(d atlas.Detail) (problem objective.Problem, p core.Placement, err error) {
	t, err := d.ReadGrid()
	if err == nil {
		problem.Routing, err = d.Record.ReadRouting(t)
	}
	if err == nil {
		p, err = core.PlacementFromCoords(t, d.Record.Nodes)
	}
	if err == nil {
		problem.Size = p.Size()
		problem, err = d.Demand.Of(problem)
	}
	if err == nil {
		problem, err = d.Conditions.Of(problem)
	}
	if err == nil && problem.Where() != d.Where() {
		err = &core.InputError{Text: d.Where(), Problem: "the pages do not know all of this"}
	}
	return problem, p, err
}

// pictureOf says how a cell is drawn, with its fixed and forbidden nodes.
func pictureOf(d atlas.Detail, problem objective.Problem, p core.Placement, loads *objective.Loads) picture.Params {
	params := picture.Params{Routing: d.Routing, Placement: p, Loads: loads, Fixed: problem.Fixed,
		Forbidden: problem.Forbidden, Clients: problem.Traffic.Clients()}
	if d.Traffic != "" {
		params.Title = counted(d.Cell) + " on " + picture.Shown(d.Where())
	}
	return params
}

// pictureFile returns the picture of a cell as a file of its own.
func pictureFile(d atlas.Detail, ending string) (document, error) {
	if d.Record == nil {
		return document{}, ErrNotFound
	}
	problem, p, err := placementOf(d)
	if err != nil {
		return document{}, err
	}
	if p.Torus().N() > picture.MaxNodes {
		return document{}, ErrNotFound
	}
	write, kind := picture.SVG, kindSVG
	if ending == pngEnding {
		write, kind = picture.PNG, kindPNG
	}
	var b bytes.Buffer
	err = write(&b, pictureOf(d, problem, p, problem.Evaluate(p)))
	return document{kind, b.Bytes()}, err
}

// recordFile returns the record of a cell.
func recordFile(d atlas.Detail) (document, error) {
	if d.Record == nil {
		return document{}, ErrNotFound
	}
	data, err := d.Record.Encode()
	return document{kindJSON, data}, err
}

// splitBody says what is lost to the placement and what to the routing.
type splitBody struct {
	explain.Explanation
	Routing string
	Rows    []splitRow
	// Parts of the load of the cell's own routing, in hundredths, for the bar.
	Free, Placement, Way int
	MaxLoad              string // under the cell's own routing
	Problem              string // "" or why there is no answer
}

// WayStart returns where the part of the routing begins in the bar.
func (b splitBody) WayStart() int { return b.Free + b.Placement }

// A splitRow is one routing of the comparison.
type splitRow struct {
	Routing, MaxLoad, Lost string
	Own                    bool
}

// maxSplitPairs is how many ordered pairs of processors a split is computed for.
const maxSplitPairs = 1 << 14

// splitTime bounds how long a request waits for a split, unless the options say otherwise.
const splitTime = 10 * time.Second

// A splitCache keeps what was computed about placements.
type splitCache struct {
	mu   sync.Mutex
	list map[string]explain.Explanation // by torus and nodes
	busy sync.Mutex                     // one is computed at a time: it takes a core
}

// maxSplits is how many placements are kept.
const maxSplits = 512

func (c *splitCache) find(placement string) (explain.Explanation, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.list[placement]
	return e, ok
}

func (c *splitCache) keep(placement string, e explain.Explanation) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.list == nil || len(c.list) >= maxSplits {
		c.list = map[string]explain.Explanation{}
	}
	c.list[placement] = e
}

// split returns the split of a cell with a record, where all processors send to all. Its effort is bounded by the
// options, so that it is the same each time unless the context ends.
func (s *Site) split(ctx context.Context, d atlas.Detail) (splitBody, error) {
	_, p, err := placementOf(d)
	if err != nil {
		return splitBody{}, err
	}
	body := splitBody{Routing: d.Routing, MaxLoad: d.MaxLoad}
	if n := p.Size(); n*n > maxSplitPairs {
		body.Problem = fmt.Sprintf(
			"%d processors are too many to work it out here; the command leeway explain has no such limit", n)
		return body, nil
	}
	body.Explanation, err = s.explain(ctx, p, d.Text()+" "+core.JoinNodes(d.Record.Nodes))
	if err != nil {
		body.Problem = err.Error()
		return body, nil
	}
	for _, name := range explain.Routings {
		body.Rows = append(body.Rows, splitRow{Routing: name, MaxLoad: body.Explanation.MaxLoad[name],
			Lost: body.LostToRouting[name], Own: isRouting(p.Torus(), name, d.Routing) || isRouting(p.Torus(), name, d.Twin)})
	}
	body.cut()
	return body, nil
}

// isRouting reports whether a text names a routing that is written so in full.
func isRouting(t *core.Torus, text, full string) bool {
	r, err := routing.Parse(t, text)
	return err == nil && r.String() == full
}

// explain returns the parts of a placement, under a name for it by which they are kept.
func (s *Site) explain(ctx context.Context, p core.Placement, name string) (explain.Explanation, error) {
	if have, ok := s.splits.find(name); ok {
		return have, nil
	}
	s.splits.busy.Lock()
	defer s.splits.busy.Unlock()
	if have, ok := s.splits.find(name); ok {
		return have, nil
	}
	limited, cancel := context.WithTimeout(ctx, s.options.SplitTime)
	defer cancel()
	e, err := explain.Parts(limited, p, s.options.Split)
	if err == nil && limited.Err() == nil {
		s.splits.keep(name, e)
	}
	return e, err
}

// cut divides the load of the cell's own routing into its parts.
func (b *splitBody) cut() {
	most, errMost := results.ParseFraction(b.MaxLoad)
	free, errFree := results.ParseFraction(b.PlacementFree.Value)
	best, errBest := results.ParseFraction(b.BestMinimal.Upper)
	if errMost != nil || errFree != nil || errBest != nil || most.Sign() == 0 {
		return
	}
	part := func(v *big.Rat) int {
		x, _ := new(big.Rat).Quo(v, most).Float64()
		return min(100, int(100*x+0.5))
	}
	b.Free = part(free)
	b.Placement = max(0, part(best)-b.Free)
	b.Way = 100 - b.Free - b.Placement
}

// splitPage is the split as a page of its own, which the page of the cell takes in where scripts run.
func (s *Site) splitPage(ctx context.Context, d atlas.Detail) (document, error) {
	if d.Record == nil || d.Traffic != "" {
		return document{}, ErrNotFound // its parts are those of all-to-all traffic
	}
	body, err := s.split(ctx, d)
	if err != nil {
		return document{}, err
	}
	k := d.Key()
	trail := []crumb{{picture.Shown(k.Torus), torusAddress(k.Torus)}, {k.Routing, frontierAddress(k.Torus, k.Routing, 1)},
		{plural(k.Size, "processor", "processors"), cellAddress(k, pageEnding)}}
	return s.render("split", cellAddress(k, splitEnding), "Lost to placement and to routing", trail, body)
}
