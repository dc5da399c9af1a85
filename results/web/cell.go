package web

import (
	"bytes"
	"cmp"
	"compress/flate"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"math/big"
	"strings"
	"sync"
	"time"

	"leeway/core"
	"leeway/core/routing"
	"leeway/core/symmetry"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/explain"
	"leeway/results/picture"
)

// A line is a cell in a table.
type line struct {
	Address    string `json:",omitempty"` // of its page
	Size       int    `json:",omitempty"`
	Status     string `json:",omitempty"`
	MaxLoad    string `json:",omitempty"`
	LowerBound string `json:",omitempty"`
	Fault      string `json:",omitempty"`
	Short      string `json:",omitempty"` // why none is below
	Papers     string `json:",omitempty"` // E_max of their best placement
	Beats      bool   `json:",omitempty"`
	Method     string `json:",omitempty"`
}

// value returns a cell in a table of values alone.
func (s *Site) value(c atlas.Cell) *line {
	return &line{Address: pageOf(c.Key()), Size: c.Size, Status: c.Status, MaxLoad: c.MaxLoad, LowerBound: c.LowerBound}
}

// line returns a cell as a table of sizes has it.
func (s *Site) line(c atlas.Cell) line {
	l := *s.value(c)
	l.Beats, l.Method, l.Fault = c.Beats(), c.Method, c.Fault
	if c.Fault == "" {
		l.Short = inShort(c)
	}
	if f, ok := c.Papers(); ok {
		l.Papers = f.MaxLoad
	}
	return l
}

// cellBody is what the page of a cell shows: texts and numbers, which stand as JSON in a static site.
type cellBody struct {
	line
	Where        string        `json:",omitempty"` // network, traffic and conditions, as in the key
	Shown        string        `json:",omitempty"` // Where for a person
	Name         string        `json:",omitempty"` // of the network among those of the same traffic
	Counted      string        `json:",omitempty"` // the size with its noun
	Flag         string        `json:",omitempty"` // network as an option of the command line
	Routing      string        `json:",omitempty"`
	Reason       string        `json:",omitempty"` // why none is below, as a sentence
	Nodes        template.HTML `json:",omitempty"` // processors: digits, commas and +
	Clients      *clients      `json:",omitempty"` // nil where all send to all
	In           string        `json:",omitempty"` // fixed nodes
	Out          string        `json:",omitempty"` // forbidden nodes
	Others       []otherCell   `json:",omitempty"` // of networks of the same sides, or under other conditions
	Picture      *drawing      `json:",omitempty"` // nil for large tori
	Caption      string        `json:",omitempty"` // of the picture
	Loads        []tally       `json:",omitempty"` // the largest first
	MoreLoads    int           `json:",omitempty"` // values that are not listed
	Total        int           `json:",omitempty"` // links of the torus
	Idle         int           `json:",omitempty"` // those without load
	Gap          string        `json:",omitempty"`
	Theirs       *familyLoad   `json:",omitempty"` // the papers' best placement
	Percent      int           `json:",omitempty"` // of its load
	Families     []familyLoad  `json:",omitempty"`
	Bounds       []lowerBound  `json:",omitempty"` // the weakest first
	Unproved     []string      `json:",omitempty"` // claims of solvers
	Kinds        int           `json:",omitempty"` // of optimal placements, 0 where not counted
	Labelled     string        `json:",omitempty"` // all of them
	Optima       []optimum     `json:",omitempty"` // some of them
	Previous     string        `json:",omitempty"` // page of one fewer
	Next         string        `json:",omitempty"`
	File         string        `json:",omitempty"` // address of its files, without their endings; "" without a record
	SplitAddress string        `json:",omitempty"` // "" where there is none
	Editor       template.URL  `json:",omitempty"` // its address up to the nodes, "" where there is none
	Basis        bool          `json:",omitempty"` // the record rests on a proof file
	Free         bool          `json:",omitempty"` // the routing is the record's own table
	Claim        string        `json:",omitempty"` // SHA-256
	Verified     *accepted     `json:",omitempty"` // nil if nobody accepted a proof of the value
	Complete     *accepted     `json:",omitempty"` // nil if nobody accepted that there are no other optima
	Nulls        []null        `json:",omitempty"`
	History      []known       `json:",omitempty"`
}

// clients is a traffic of clients.
type clients struct {
	Request, Reply int
	ReplyText      string `json:",omitempty"` // routing of the replies, where it is another
	Traffic        string // as an option of the command line
}

// A lowerBound is one with its reason, as a sentence and as the program has it.
type lowerBound struct {
	Value, Why, Name string
	Basis            string `json:",omitempty"` // page of the cell that its proof is about
	BasisName        string `json:",omitempty"`
}

// A familyLoad is atlas.Family.
type familyLoad struct {
	Placement, MaxLoad string
	Papers             bool `json:",omitempty"`
}

// A null is a search that found nothing better.
type null struct{ Method, Goal, Seed, Budget, Evaluations, Best, Added string }

// accepted says who accepted a proof of what formula.
type accepted struct {
	By       string
	Below    string
	Symmetry bool   `json:",omitempty"`
	Clauses  int64  `json:",omitempty"`
	Formula  string `json:",omitempty"`
}

// An otherCell is one to compare with, under a name.
type otherCell struct {
	line
	Name string
}

// A tally is how many links carry a load.
type tally struct {
	Load  string
	Links int
}

// maxTallies is how many loads the page of a cell lists; its picture has them all.
const maxTallies = 24

// A bench is what cells of a network, traffic and routing have in common, made for the first that needs it.
type bench struct {
	networks  []string // of the same sides and traffic
	evaluator *fast.Evaluator
	group     *symmetry.Group
}

// cellBody returns what there is to show of a cell.
func (s *Site) cellBody(d atlas.Detail, with *bench) (cellBody, error) {
	k := d.Key()
	body := cellBody{line: s.line(d.Cell), Where: k.Torus, Shown: picture.Shown(k.Torus),
		Name: networkName(k.Torus), Counted: counted(d.Cell),
		Flag: d.Text(), Routing: d.Routing, Reason: reason(d.Cell), In: core.JoinNodes(d.Fixed),
		Out: core.JoinNodes(d.Forbidden), Kinds: d.Optima,
		Labelled: d.Labelled}
	if p, err := k.Problem(); err == nil && p.Traffic.Clients() {
		body.Clients = clientsOf(p.Traffic)
	}
	table, err := atlas.ShippedVerified()
	if err != nil {
		return body, err
	}
	body.Verified, body.Complete = acceptedBy(table.Of(d.Cell)), acceptedBy(table.ListOf(d.Cell))
	seen := map[atlas.Key]bool{}
	if with.networks == nil {
		with.networks = s.sameTraffic(d.Torus, k.Torus)
	}
	for _, other := range ways(with.networks, d.Cell) {
		if c, ok := s.source.Cell(other); ok && c.Fault == "" && !seen[c.Key()] {
			seen[c.Key()] = true // where nothing ties there both tie rules find it
			body.Others = append(body.Others, otherCell{*s.value(c), wayName(other, d.Cell)})
		}
	}
	for _, f := range d.Families {
		body.Families = append(body.Families, familyLoad(f))
	}
	for _, r := range d.Bounds {
		b := lowerBound{Value: r.Value, Why: because(r.Reason, d.Cell), Name: r.Reason}
		if r.Proof != nil {
			if b.Name += "; proof: " + r.Kind; r.Proof.Engine != "" && r.Proof.Engine != r.Kind {
				b.Name += ", " + r.Proof.Engine
			}
		}
		if r.Basis != nil {
			b.Basis = pageOf(*r.Basis)
			b.BasisName = fmt.Sprintf("%s %s n=%d", picture.Shown(r.Basis.Torus), r.Basis.Routing, r.Basis.Size)
		}
		body.Bounds = append(body.Bounds, b)
	}
	for _, n := range d.Nulls {
		body.Nulls = append(body.Nulls, null{n.Method, n.Goal, fmt.Sprint(n.Seed), fmt.Sprint(n.Budget),
			fmt.Sprint(n.Evaluations), n.Best, n.Added})
	}
	body.Previous, body.Next = s.cellAt(k, k.Size-1), s.cellAt(k, k.Size+1)
	if body.History, err = history(d); err != nil || d.Record == nil {
		return body, err
	}
	body.File = cellAddress(k, "")
	if d.Traffic == "" && !s.options.Static {
		body.SplitAddress = cellAddress(k, splitEnding)
	}
	return body, body.placed(s, d, with)
}

// clientsOf returns a traffic of clients.
func clientsOf(t objective.Traffic) *clients {
	return &clients{Request: t.Request, Reply: t.Reply, ReplyText: t.ReplyText(), Traffic: t.String()}
}

// acceptedBy says who accepted a proof, nil without one.
func acceptedBy(v atlas.Verified, ok bool) *accepted {
	if !ok {
		return nil
	}
	return &accepted{By: strings.Join(v.By, ", "), Below: v.Below, Symmetry: v.Symmetry, Clauses: v.Clauses,
		Formula: v.Formula}
}

// cellTitle is the title of the page of a cell.
func cellTitle(c atlas.Cell) string {
	return fmt.Sprintf("%s on %s under %s", counted(c), picture.Shown(c.Where()), c.Routing)
}

// cellPage is the page of a cell. In a static site its script fills it in from a bundle.
func (s *Site) cellPage(d atlas.Detail) (document, error) {
	k := d.Key()
	f := frame{Address: pageOf(k), Root: root(pageOf(k)), Title: cellTitle(d.Cell), Trail: []crumb{
		{picture.Shown(k.Torus), torusAddress(k.Torus)}, {k.Routing, frontierAddress(k.Torus, k.Routing, 1)}}}
	if s.options.Static {
		f.Body = folded{Network: torusAddress(k.Torus), Bundle: bundleAddress(k.Torus, k.Routing), Size: k.Size}
		return s.fill("folded", f)
	}
	body, err := s.cellBody(d, &bench{})
	if err != nil {
		return document{}, err
	}
	f.Body = body
	return s.fill("cell", f)
}

// A bundle is what the pages of a routing and of its cells have in a static site: what a server fills into their
// templates, the records of the cells, and what is on every page. It is compressed JSON in a script, and another
// script fills in the same templates. So thousands of cells are a few files and short pages that name them.
type bundle struct {
	Address, Name, Version string
	Static                 bool
	Trail                  []crumb
	Body                   any
	Cells                  []cellBody
	Records                []string // by Cells, "" where there is none
}

// bundle returns the script with the cells of a routing.
func (s *Site) bundle(r atlas.Summary) (document, error) {
	cells, _ := s.source.Cells(atlas.Filter{Torus: r.Where(), Routing: r.Routing})
	body := s.sizesOf(r, cells)
	all := bundle{Address: frontierAddress(r.Where(), r.Routing, 1), Name: s.options.Name, Version: s.options.Version,
		Static: true, Trail: []crumb{{body.Name, torusAddress(r.Where())}}, Body: body}
	var with bench
	for _, c := range cells {
		body, record, err := s.packed(c.Key(), &with)
		if err != nil {
			return document{}, err
		}
		all.Cells, all.Records = append(all.Cells, body), append(all.Records, record)
	}
	common, err := s.common()
	if err != nil {
		return document{}, err
	}
	var b bytes.Buffer
	z, err := flate.NewWriterDict(&b, flate.BestCompression, common)
	if err != nil {
		return document{}, err
	}
	if err := cmp.Or(encode(z, all), z.Close()); err != nil {
		return document{}, err
	}
	script := fmt.Appendf(nil, "const Bundle = %q;\n", base64.StdEncoding.EncodeToString(b.Bytes()))
	return document{kindJS, script}, nil
}

// packed returns a cell as a bundle has it, and its record, "" where there is none.
func (s *Site) packed(k atlas.Key, with *bench) (body cellBody, record string, err error) {
	d, ok, err := s.source.Detail(k)
	if err != nil || !ok {
		return body, "", cmp.Or(err, ErrNotFound)
	}
	if body, err = s.cellBody(d, with); err != nil {
		return body, "", err
	}
	if d.Record != nil {
		data, err := d.Record.Encode()
		if err != nil {
			return body, "", err
		}
		record = string(data)
	}
	body.Claim = "" // which the record has, as the picture has the loads
	if body.Picture != nil {
		body.Loads, body.MoreLoads, body.Total, body.Idle = nil, 0, 0, 0
	}
	return body, record, nil
}

// encode writes JSON that is to be packed: within base64 nothing ends the script.
func encode(w io.Writer, v any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(v)
}

// Some cells from all over the atlas, in so much of the window of deflate each for cells and records, are what
// bundles are packed after: what many pages say stands in none of them.
const (
	commonCells = 12
	commonPart  = 1 << 14
)

// commonOf returns records and cells of a site as bundles have them.
func (s *Site) commonOf() ([]byte, error) {
	all, _ := s.source.Cells(atlas.Filter{})
	var cells, records bytes.Buffer
	for i := range min(commonCells, len(all)) {
		body, record, err := s.packed(all[i*len(all)/commonCells].Key(), new(bench))
		if err := cmp.Or(err, encode(&cells, body), encode(&records, record)); err != nil {
			return nil, err
		}
	}
	cells.Truncate(min(cells.Len(), commonPart))
	records.Truncate(min(records.Len(), commonPart))
	return append(records.Bytes(), cells.Bytes()...), nil
}

// commonScript returns these as the script of bundles reads them: the beginning of what each goes on with.
func (s *Site) commonScript() ([]byte, error) {
	common, err := s.common()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	z, err := flate.NewWriter(&b, flate.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(common); err != nil {
		return nil, err
	}
	err = z.Flush()
	return fmt.Appendf(nil, "const Common = {size: %d, packed: %q};\n", len(common),
		base64.StdEncoding.EncodeToString(b.Bytes())), err
}

// placed fills in what a placement shows.
func (b *cellBody) placed(s *Site, d atlas.Detail, with *bench) error {
	problem, p, err := placementOf(d)
	if err != nil {
		return err
	}
	if b.Free = d.Record.Table != nil; b.Free {
		with = &bench{networks: with.networks} // the next cell has another table
	}
	if with.evaluator == nil {
		with.evaluator = fast.NewEvaluator(problem)
	}
	loads := with.evaluator.Loads(p)
	b.Nodes = template.HTML(core.JoinNodes(d.Record.Nodes))
	b.Total = p.Torus().Links()
	drawn := drawingOf(problem, p, loads)
	if p.Torus().N() <= picture.MaxNodes {
		b.Picture, b.Caption = &drawn, pictureOf(d, problem, p, loads).Caption()
	}
	b.Loads, b.Idle = drawn.tallies()
	if len(b.Loads) > maxTallies {
		b.Loads, b.MoreLoads = b.Loads[:maxTallies], len(b.Loads)-maxTallies
	}
	if gap, ok := d.Gap(); ok {
		b.Gap = gap.RatString()
	}
	if f, ok := d.Papers(); ok {
		b.Theirs = new(familyLoad(f))
		b.Percent = percent(d.MaxLoad, f.MaxLoad)
	}
	if !b.Free {
		b.Editor = editorOf(p.Torus(), "", d.Demand, d.Conditions, d.Routing)
	}
	b.Claim = d.Record.ClaimSHA256
	if c := d.Record.SolverClaim; c != nil {
		b.Unproved = append(b.Unproved, fmt.Sprintf("%s reports nothing below %s", c.Engine, c.Below))
	}
	if c := d.Record.SymmetryClaim; c != nil {
		b.Unproved = append(b.Unproved, fmt.Sprintf(
			"%s reports nothing below %s among placements with symmetry %s (order %d)", c.Engine, c.Below, c.Symmetry, c.Order))
	}
	b.Basis = d.Record.Proof.NamesFile() || d.Record.BoundProof.NamesFile()
	b.Optima, err = s.optimaOf(d, problem, with)
	return err
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
		return pageOf(c.Key())
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
		Forbidden: problem.Forbidden, Traffic: problem.Traffic}
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
	err = write(&b, pictureOf(d, problem, p, fast.Evaluate(problem, p)))
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
		{plural(k.Size, "processor", "processors"), pageOf(k)}}
	return s.render("split", cellAddress(k, splitEnding), "Lost to placement and to routing", trail, body)
}

// A known is what was known of a cell at some time.
type known struct {
	Date       string
	MaxLoad    string
	LowerBound string `json:",omitempty"`
	By         string
}

// history returns what was known of a cell when, the latest last: what the atlas of the program once said of it, the
// improvements of its placement, and the bound of today.
func history(d atlas.Detail) ([]known, error) {
	past, err := atlas.ShippedPast(d.Key())
	if err != nil {
		return nil, err
	}
	var list []known
	for _, p := range past {
		list = append(list, known{"until " + p.Until, p.MaxLoad, p.LowerBound, p.Method})
	}
	for _, e := range d.History {
		by := fmt.Sprintf("%s, seed %d, %s", e.Method, e.Seed, plural(int(e.Evaluations), "evaluation", "evaluations"))
		list = append(list, known{e.Time, e.MaxLoad, "", by})
	}
	if len(list) > len(past) {
		list[len(list)-1].LowerBound = d.LowerBound
	}
	return list, nil
}
