package pages

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"leeway/core"
	"leeway/core/symmetry"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/findings"
	"leeway/results/layout"
	"leeway/results/picture"
)

// A line is a cell in a table.
type line struct {
	Address    string // of its page
	Size       int    `json:"-"`
	Status     string
	MaxLoad    string `json:",omitempty"`
	LowerBound string `json:",omitempty"`
	Fault      string `json:"-"`
	Short      string `json:"-"` // why none is below
	Papers     string `json:"-"` // E_max of their best placement
	Beats      bool   `json:"-"`
	Method     string `json:"-"`
}

// value returns a cell in a table of values alone.
func value(c atlas.Cell) *line {
	return &line{Address: CellAddress(c.Key()), Size: c.Size, Status: c.Status, MaxLoad: c.MaxLoad,
		LowerBound: c.LowerBound}
}

// once leaves the lower bound of an optimum away, which is its E_max.
func (l *line) once() *line {
	if l.Status == atlas.Optimal {
		l.LowerBound = ""
	}
	return l
}

// lineOf returns a cell as a table of sizes has it.
func lineOf(c atlas.Cell) line {
	l := *value(c)
	l.Beats, l.Method, l.Fault = c.Beats(), c.Method, c.Fault
	if c.Fault == "" {
		l.Short = inShort(c)
	}
	if f, ok := c.Papers(); ok {
		l.Papers = f.MaxLoad
	}
	return l
}

// shared is what the pages of the cells of a network and a routing have in common.
type shared struct {
	Shown    string       // network, traffic and conditions for a person
	Name     string       // of the network among those of the same traffic
	Flag     string       // network as an option of the command line
	Routing  string       // as in keys
	Folder   string       // of the pages, an address without its last slash
	Clients  *clients     `json:",omitempty"` // nil where all send to all
	In       string       `json:",omitempty"` // fixed nodes
	Out      string       `json:",omitempty"` // forbidden nodes
	Caption  string       `json:",omitempty"` // of pictures
	Editor   template.URL `json:",omitempty"` // its address up to the nodes, "" where there is none
	networks []string     // of the same sides and traffic

	// Made for the first cell that needs them.
	evaluator *fast.Evaluator
	group     *symmetry.Group
}

// cellBody is what the page of a cell shows: texts and numbers, which stand as JSON in it or, in a static site, in the
// file of its routing. The record is the source of what stands there already.
type cellBody struct {
	Size       int
	Status     string
	MaxLoad    string             `json:",omitempty"`
	LowerBound string             `json:",omitempty"` // "" where it is MaxLoad
	Counted    string             // the size with its noun
	Says       string             // what is known, in sentences
	Previous   int                `json:",omitempty"` // one fewer, 0 without such a cell
	Next       int                `json:",omitempty"`
	Record     string             `json:",omitempty"` // JSON as text: scripts round large numbers
	Nodes      template.HTML      `json:"-"`          // of the record: digits, commas and +
	Edited     template.URL       `json:"-"`          // the same as the editor reads them, tasks with their matrix
	Picture    *drawing           `json:",omitempty"` // nil for large tori
	Loads      []tally            `json:",omitempty"` // the largest first; the picture, if there is one, has them too
	MoreLoads  int                `json:",omitempty"` // values that are not listed
	Total      int                `json:",omitempty"` // links of the torus
	Idle       int                `json:",omitempty"` // those without load
	Bounds     []lowerBound       `json:",omitempty"` // the weakest first
	Unproved   []string           `json:",omitempty"` // claims of solvers
	Verified   *accepted          `json:",omitempty"` // nil if nobody accepted a proof of the value
	Exchange   *findings.Exchange `json:",omitempty"` // of its processors, nil where the program has no schedule
	Kinds      int                `json:",omitempty"` // of optimal placements, 0 where not counted
	Invariants *atlas.Invariants  `json:",omitempty"` // of the placement
	Worst      *atlas.WorstCase   `json:",omitempty"` // nil where it was not computed
	Optima     []optimum          `json:",omitempty"` // some of them
	Others     []otherCell        `json:",omitempty"` // of networks of the same sides, or under other conditions
	Families   []familyLoad       `json:",omitempty"`
	Nulls      []null             `json:",omitempty"`
	History    []known            `json:",omitempty"`
}

// cellsBody is what the page of a cell reads, and in a static site the file of a routing: one cell, or all.
type cellsBody struct {
	Shared *shared
	Cells  []cellBody
}

// Cell is the only cell of a page.
func (b cellsBody) Cell() cellBody { return b.Cells[0] }

// clients is a traffic of clients.
type clients struct {
	Request, Reply int
	ReplyText      string `json:",omitempty"` // routing of the replies, where it is another
	Traffic        string // as an option of the command line
}

// A lowerBound is one with its reason as the program has it.
type lowerBound struct {
	Value     string
	Name      string
	Why       string `json:",omitempty"` // a sentence, where the script of the page does not know it by the name
	Proof     string `json:",omitempty"` // kind and engine
	Basis     string `json:",omitempty"` // page of the cell that the proof is about
	BasisName string `json:",omitempty"`
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

// sharedBy returns what the pages of the cells of a network and a routing have in common, by one of them.
func sharedBy(s Source, c atlas.Cell) (*shared, error) {
	asked, err := texts.ParseWhere(c.Where())
	if err != nil {
		return nil, err
	}
	page := FrontierAddress(c.Where(), c.Routing, 1)
	with := &shared{Shown: picture.Shown(c.Where()), Name: networkName(c.Where()), Flag: c.Text(), Routing: c.Routing,
		Folder: strings.TrimSuffix(page, PageEnding), In: core.JoinNodes(c.Fixed), Out: core.JoinNodes(c.Forbidden),
		Editor:   editorOf(asked.Torus(), "", c.Setting, c.Routing),
		networks: sameTraffic(s, c.Torus, c.Where())}
	if asked.Traffic.Clients() {
		with.Clients = clientsOf(asked.Traffic)
	}
	return with, nil
}

// bodyOf returns what there is to show of a cell.
func bodyOf(s Source, d atlas.Detail, with *shared) (cellBody, error) {
	body := cellBody{Size: d.Size, Status: d.Status, MaxLoad: d.MaxLoad, LowerBound: value(d.Cell).once().LowerBound,
		Counted: counted(d.Cell), Kinds: d.Optima, Invariants: d.Invariants,
		Previous: sizeAt(s, d.Key(), d.Size-1), Next: sizeAt(s, d.Key(), d.Size+1)}
	table, err := atlas.ShippedVerified()
	if err != nil {
		return body, err
	}
	complete, _ := table.ListOf(d.Cell)
	if body.Says = says(d, complete); d.Fault != "" {
		return body, nil
	}
	if v, ok := table.ValueOf(d.Cell); ok {
		body.Verified = &accepted{By: strings.Join(v.By, ", "), Below: v.Below, Symmetry: v.Symmetry, Clauses: v.Clauses,
			Formula: v.Formula}
	}
	worst, err := atlas.ShippedWorst()
	if err != nil {
		return body, err
	}
	if w, ok := worst.Get(d.Cell); ok {
		body.Worst = &w
	}
	seen := map[texts.Key]bool{}
	for _, other := range ways(with.networks, d.Cell) {
		if c, ok := s.Cell(other); ok && c.Fault == "" && !seen[c.Key()] {
			seen[c.Key()] = true // where nothing ties there both tie rules find it
			body.Others = append(body.Others, otherCell{*value(c).once(), wayName(other, d.Cell)})
		}
	}
	for _, f := range d.Families {
		body.Families = append(body.Families, familyLoad(f))
	}
	for _, r := range d.Bounds {
		body.Bounds = append(body.Bounds, boundOf(r, d.Cell))
	}
	for _, n := range d.Nulls {
		body.Nulls = append(body.Nulls, null{n.Method, n.Goal, fmt.Sprint(n.Seed), fmt.Sprint(n.Budget),
			fmt.Sprint(n.Evaluations), n.Best, n.Added})
	}
	if body.History, err = history(d); err != nil || d.Record == nil {
		return body, err
	}
	return body, body.placed(d, with)
}

// boundOf returns a link of the chain of bounds of a cell. What the page says of its lower bound is not said again, and
// the script knows the arguments.
func boundOf(r atlas.Reason, c atlas.Cell) lowerBound {
	b := lowerBound{Value: r.Value, Name: r.Reason}
	name, _, _ := strings.Cut(r.Reason, ", ")
	if text := because(r.Reason, c); arguments[name] == "" && r.Reason != c.BoundReason && text != r.Reason {
		b.Why = text
	}
	if r.Proof != nil {
		if b.Proof = r.Kind; r.Proof.Engine != "" && r.Proof.Engine != r.Kind {
			b.Proof += ", " + r.Proof.Engine
		}
	}
	if r.Basis != nil {
		b.Basis = CellAddress(*r.Basis)
		b.BasisName = fmt.Sprintf("%s %s n=%d", picture.Shown(r.Basis.Torus), r.Basis.Routing, r.Basis.Size)
	}
	return b
}

// clientsOf returns a traffic of clients.
func clientsOf(t objective.Traffic) *clients {
	return &clients{Request: t.Request, Reply: t.Reply, ReplyText: t.ReplyText(), Traffic: t.String()}
}

// cellTitle is the title of the page of a cell.
func cellTitle(c atlas.Cell) string {
	return fmt.Sprintf("%s on %s under %s", counted(c), picture.Shown(c.Where()), c.Routing)
}

// Cell is the page of a cell on a server.
func Cell(s Source, d atlas.Detail) (Page, error) {
	with, err := sharedBy(s, d.Cell)
	if err != nil {
		return Page{}, err
	}
	body, err := bodyOf(s, d, with)
	if err != nil {
		return Page{}, err
	}
	k := d.Key()
	trail := []crumb{{with.Shown, TorusAddress(k.Torus)}, {k.Routing, with.Folder + PageEnding}}
	return newPage("cell", CellAddress(k), cellTitle(d.Cell), trail, cellsBody{with, []cellBody{body}}), nil
}

// Unfilled is the page of a cell in a static site, where its script finds what it shows in the file of the routing.
func Unfilled(c atlas.Cell) Page {
	folder, file, _ := strings.Cut(DataAddress(c.Where(), c.Routing), "/")
	return newPage("unfilled", CellAddress(c.Key()), cellTitle(c), nil, unfilled{folder + PageEnding, file, c.Size})
}

// unfilled is what the page of a cell has in a static site.
type unfilled struct {
	Network string // page of the network
	Data    string // address of the file of the routing, from the folder around that of the page
	Size    int
}

// Cells is the script with all cells of a routing, which their pages in a static site show.
func Cells(s Source, r atlas.Summary) ([]byte, error) {
	cells, _ := s.Cells(atlas.Filter{Torus: r.Where(), Routing: r.Routing})
	var all cellsBody
	for _, c := range cells {
		if c.Routing != r.Routing {
			continue
		}
		d, ok, err := s.Detail(c.Key())
		if err == nil && !ok {
			err = ErrNotFound
		}
		if err == nil && all.Shared == nil {
			all.Shared, err = sharedBy(s, c)
		}
		if err != nil {
			return nil, err
		}
		body, err := bodyOf(s, d, all.Shared)
		if err != nil {
			return nil, err
		}
		all.Cells = append(all.Cells, body)
	}
	text, err := json.Marshal(all)
	return slices.Concat([]byte("var Cells = "), text, []byte(";\n")), err
}

// placed fills in what a placement shows.
func (b *cellBody) placed(d atlas.Detail, with *shared) error {
	problem, p, err := placementOf(d)
	if err != nil {
		return err
	}
	record, err := layout.Encode(d.Record)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	if err := json.Compact(&text, record); err != nil {
		return err
	}
	b.Record, b.Nodes = text.String(), template.HTML(core.JoinNodes(d.Record.Nodes))
	if b.Edited = template.URL(b.Nodes); problem.Traffic.Matrix != nil {
		text := ""
		for i, v := range p.Tasks() {
			if i > 0 {
				text += "+"
			}
			text += core.JoinInts(p.Torus().Coords(v), ",")
		}
		for _, a := range objective.Axes {
			if said := a.Text(problem); said != "" && a.Name != "forbidden" {
				text += "&" + a.Name + "=" + said
			}
		}
		b.Edited = template.URL(text)
	}
	evaluator := with.evaluator
	if evaluator == nil || d.Record.Table != nil { // every cell has a table of its own
		evaluator = fast.NewEvaluator(problem)
		with.evaluator = evaluator
	}
	loads := evaluator.Loads(p)
	drawn := drawingOf(problem, p, loads)
	if p.Torus().N() <= picture.MaxNodes {
		b.Picture, with.Caption = &drawn, pictureOf(d, problem, p, loads).Caption()
	} else {
		b.Total = p.Torus().Links()
		b.Loads, b.Idle = drawn.tallies()
		b.MoreLoads = max(0, len(b.Loads)-maxTallies)
		b.Loads = b.Loads[:len(b.Loads)-b.MoreLoads]
	}
	if c := d.Record.SolverClaim; c != nil {
		b.Unproved = append(b.Unproved, fmt.Sprintf("%s reports nothing below %s", c.Engine, c.Below))
	}
	if c := d.Record.SymmetryClaim; c != nil {
		b.Unproved = append(b.Unproved, fmt.Sprintf(
			"%s reports nothing below %s among placements with symmetry %s (order %d)", c.Engine, c.Below, c.Symmetry, c.Order))
	}
	if e, ok := findings.ExchangeOf(d.Record.ClaimSHA256); ok && b.Picture != nil {
		b.Exchange = &e
	}
	b.Optima, err = optimaOf(d, problem, with)
	return err
}

// counted returns the number of processors of a cell, which are controllers to clients.
func counted(c atlas.Cell) string {
	return picture.Processors(c.Size, c.Traffic)
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

// sizeAt returns another size, 0 if there is no such cell.
func sizeAt(s Source, k texts.Key, size int) int {
	k.Size = size
	if c, ok := s.Cell(k); !ok || c.Size != size { // tasks have one size
		return 0
	}
	return size
}

// placementOf returns the problem and the placement of a cell with a record.
func placementOf(d atlas.Detail) (problem objective.Problem, p core.Placement, err error) {
	t, err := d.ReadGrid()
	if err == nil {
		problem.Routing, err = d.Record.ReadRouting(t)
	}
	if err == nil {
		p, err = d.Record.Placement(t, d.Record.Nodes)
	}
	if err == nil {
		problem.Size = p.Size()
		problem, err = d.Setting.Apply(problem)
	}
	if err == nil && problem.Where() != d.Where() {
		err = &core.InputError{Text: d.Where(), Problem: "the pages do not know all of this"}
	}
	return problem, p, err
}

// pictureOf says how a cell is drawn, with its fixed and forbidden nodes.
func pictureOf(d atlas.Detail, problem objective.Problem, p core.Placement, loads *objective.Loads) picture.Params {
	params := picture.Params{Routing: d.Routing, Label: d.Label(), Placement: p, Loads: loads, Fixed: problem.Fixed,
		Forbidden: problem.Forbidden, Traffic: problem.Traffic}
	if d.Traffic != "" {
		params.Title = counted(d.Cell) + " on " + picture.Shown(d.Where())
	}
	return params
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
