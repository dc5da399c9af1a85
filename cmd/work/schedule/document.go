package schedule

import (
	"cmp"
	"fmt"
	"strings"

	"leeway/core"
	"leeway/objective/exchange"
	"leeway/objective/exchange/signals"
	"leeway/objective/exchange/wormhole"
	"leeway/results"
)

// Who found out that a schedule is right.
const (
	ByChecker = "checker" // every block, by results/check
	ByClasses = "classes" // one source of each translation class, by the generator
	ByFormula = "formula" // nobody: the figures are those of the plan
)

// A Document is the answer as JSON. Costs are in phases and blocks, times are fractions. What is true of delivery,
// ports and links is null where the schedule was not simulated.
type Document struct {
	Schema           string           `json:"schema"`
	Algorithm        string           `json:"algorithm"`
	Variant          string           `json:"variant,omitempty"`
	Torus            []int            `json:"torus,omitempty"`
	Network          string           `json:"network,omitempty"` // where the sides do not say all about the torus
	Graph            string           `json:"graph,omitempty"`
	Model            exchange.Model   `json:"model"`
	Processors       *int             `json:"processors,omitempty"` // of a placement
	Routing          string           `json:"routing,omitempty"`
	Traffic          string           `json:"traffic,omitempty"` // where it is not complete exchange
	MatrixSHA256     string           `json:"matrix_sha256,omitempty"`
	Unit             string           `json:"unit,omitempty"`  // with traffic: what part of a message a block is
	Steps            *int             `json:"steps,omitempty"` // of the models in steps
	Startups         *int             `json:"startups,omitempty"`
	Transmission     *int             `json:"transmission,omitempty"`
	Independent      *int             `json:"transmission_independent,omitempty"`
	LowerBound       map[string]int64 `json:"lower_bound"`
	BoundReason      string           `json:"bound_reason,omitempty"`    // of steps
	LoadBound        string           `json:"load_bound,omitempty"`      // the bound before it is rounded up
	InvariantSteps   int              `json:"invariant_steps,omitempty"` // of those alike at every node
	Optimal          bool             `json:"optimal"`                   // reaches its lower bounds
	Status           string           `json:"status"`                    // optimal or feasible
	DirectPhases     *int             `json:"direct_phases,omitempty"`
	DirectLowerBound *int             `json:"direct_lower_bound,omitempty"`
	DirectReason     string           `json:"direct_reason,omitempty"`
	Delivered        *bool            `json:"delivered"`
	OnePort          *bool            `json:"one_port"`
	LinkDisjoint     *bool            `json:"link_disjoint"`
	Simulated        bool             `json:"simulated"`
	CheckedBy        string           `json:"checked_by"` // checker, classes or formula
	Latency          string           `json:"latency"`
	Ranking          []rankedItem     `json:"ranking,omitempty"`
	Crossovers       []crossoverItem  `json:"crossovers,omitempty"`
	Refused          []refusedItem    `json:"refused,omitempty"`
	Sync             *signals.Sync    `json:"sync,omitempty"`

	Proof *exchange.Proof `json:"proof,omitempty"` // that there are no fewer steps
	title string          // of the network, where that is not its text

	trafficTitle string // with traffic: as people read it

	SolverClaim *solverClaim `json:"solver_claim,omitempty"` // by a solver that left no proof
}

// A solverClaim is the word of a solver that no exchange has fewer steps.
type solverClaim struct {
	Engine string `json:"engine"`
	Below  int    `json:"below"`
}

// A rankedItem is a scheme that fits the torus; its schedule is made here if it has a variant.
type rankedItem struct {
	Algorithm    string `json:"algorithm"`
	Variant      string `json:"variant,omitempty"`
	Startups     string `json:"startups"`
	Transmission string `json:"transmission"`
	Latency      string `json:"latency"`
	Note         string `json:"note,omitempty"`
}

// A crossoverItem says from which t_s/(b t_x) on a scheme is the fastest.
type crossoverItem struct {
	From      string `json:"from"`
	Algorithm string `json:"algorithm"`
	Variant   string `json:"variant,omitempty"`
}

type refusedItem struct {
	Algorithm string `json:"algorithm"`
	Reason    string `json:"reason"`
}

func (d *Document) setRanking(r wormhole.Ranking) {
	for _, s := range r.Schemes {
		d.Ranking = append(d.Ranking, rankedItem{s.Name, s.Variant(), s.Startups.String(), s.Transmission.String(),
			s.Latency.RatString(), s.Note})
	}
	for _, c := range r.Crossovers {
		d.Crossovers = append(d.Crossovers, crossoverItem{c.From.RatString(), c.Best.Name, c.Best.Variant()})
	}
	for _, s := range r.Refused {
		d.Refused = append(d.Refused, refusedItem{s.Name, s.Err.Error()})
	}
}

// setBounds sets the lower bounds of wormhole routing, after the costs.
func (d *Document) setBounds(startups, transmission int64) {
	d.LowerBound = map[string]int64{"startups": startups, "transmission": transmission}
	d.Optimal = int64(*d.Startups) == startups && int64(*d.Transmission) == transmission
}

// Lines returns the document as text for a person.
func (d Document) Lines() []string {
	var lines []string
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	where := "graph " + d.Graph
	if d.Torus != nil {
		where = "torus " + cmp.Or(d.Network, core.JoinInts(d.Torus, "x"))
	} else if d.Network != "" {
		where = d.title
	}
	switch {
	case d.MatrixSHA256 != "":
	case d.Processors != nil:
		where += ", " + core.Count(*d.Processors, "processor")
	}
	if d.Steps != nil && d.Routing != "" {
		where += ", paths of " + d.Routing
	}
	add("%s, %s, %s", where, d.Model, named(d.Algorithm, d.Variant))
	if d.Traffic != "" {
		add("traffic       %s", d.trafficTitle)
		add("block         %s, what a link moves in a step for each unit of bandwidth", d.blockText())
	}
	if d.Steps != nil {
		reason := d.BoundReason
		if d.BoundReason == exchange.CongestionBound {
			reason += ": no routing has E_max below " + d.LoadBound
		}
		add("steps         %d, at least %d (%s)", *d.Steps, d.LowerBound["steps"], reason)
		if d.InvariantSteps > int(d.LowerBound["steps"]) {
			add("               a schedule that is the same at every node has at least %d", d.InvariantSteps)
		}
	} else {
		independent := ""
		if d.Independent != nil && *d.Independent != *d.Transmission {
			independent = fmt.Sprintf(" (%d if groups do not wait for each other)", *d.Independent)
		}
		add("startups      %d, at least %d", *d.Startups, d.LowerBound["startups"])
		add("transmission  %d blocks, at least %d%s", *d.Transmission, d.LowerBound["transmission"], independent)
	}
	if d.DirectPhases != nil {
		add("direct paths  %d phases by %s, at least %d: %s", *d.DirectPhases, d.Routing, *d.DirectLowerBound, d.DirectReason)
	}
	add("latency       %s", d.Latency)
	add("optimal       %s", d.optimality())
	if d.CheckedBy == ByChecker && d.Model == exchange.AllPort {
		add("check         all blocks arrive, no link carries more than its bandwidth in a step")
	} else {
		add("check         %s", checks[d.CheckedBy])
	}
	label := "ranking"
	for _, s := range d.Ranking {
		note := ""
		if s.Note != "" {
			note = ": " + s.Note
		}
		add("%-13s %-16s latency %s (startups %s, transmission %s)%s", label, named(s.Algorithm, s.Variant), s.Latency,
			s.Startups, s.Transmission, note)
		label = ""
	}
	for _, c := range d.Crossovers {
		add("fastest       %s from t_s/(b t_x) = %s on", named(c.Algorithm, c.Variant), c.From)
	}
	for _, r := range d.Refused {
		add("refused       %s: %s", r.Algorithm, r.Reason)
	}
	if d.Sync != nil {
		add("synchronised  by barriers after the phases %v (from 0), or by %d signals", d.Sync.Barriers, len(d.Sync.Signals))
	}
	return lines
}

// blockText says how large a block is.
func (d Document) blockText() string {
	if d.Unit == "1" {
		return "a message"
	}
	return d.Unit + " of a message"
}

// named joins an algorithm and its variant, which may be "".
func named(algorithm, variant string) string { return strings.TrimSpace(algorithm + " " + variant) }

// checks says what each kind of check amounts to.
var checks = map[string]string{
	ByChecker: "all blocks arrive, one port each way, no link twice in a phase",
	ByClasses: "all blocks arrive, one port each way, no link twice in a phase (by translation classes)",
	ByFormula: "too large to be simulated: figures are those of the plan",
}

// optimality says whether the schedule is known to be optimal, and why.
func (d Document) optimality() string {
	switch {
	case d.Proof != nil && d.Proof.Kind == results.ProofUnsat:
		return fmt.Sprintf("yes, %s proved that %d steps are too few; the proof was checked", d.Proof.Engine, d.Proof.Below-1)
	case d.Optimal:
		return "yes, it reaches the lower bounds"
	case d.SolverClaim != nil:
		return fmt.Sprintf("not proved: %s says that %d steps are too few, and left no proof; the solver cadical leaves one",
			d.SolverClaim.Engine, d.SolverClaim.Below-1)
	case d.Transmission != nil && int64(*d.Transmission) == d.LowerBound["transmission"]:
		paths := ""
		if d.Routing != "" && d.Algorithm == Pack {
			paths = " along paths of " + d.Routing
		}
		return fmt.Sprintf("no schedule%s sends less; whether one has fewer startups is not known", paths)
	}
	return "not known"
}
