package main

import (
	"fmt"
	"strings"

	"leeway/objective/exchange"
	"leeway/results"
)

// exchangeDocument is what exchange prints as JSON. Costs are in phases and blocks,
// times are fractions. What is true of delivery, ports and links is null where the
// schedule was not simulated.
type exchangeDocument struct {
	Algorithm        string           `json:"algorithm"`
	Variant          string           `json:"variant,omitempty"`
	Torus            []int            `json:"torus,omitempty"`
	Graph            string           `json:"graph,omitempty"`
	Model            string           `json:"model"`
	Processors       *int             `json:"processors,omitempty"` // of a placement
	Routing          string           `json:"routing,omitempty"`
	Steps            *int             `json:"steps,omitempty"` // store and forward
	Startups         *int             `json:"startups,omitempty"`
	Transmission     *int             `json:"transmission,omitempty"`
	Independent      *int             `json:"transmission_independent,omitempty"`
	LowerBound       map[string]int64 `json:"lower_bound"`
	BoundReason      string           `json:"bound_reason,omitempty"` // of steps
	Optimal          bool             `json:"optimal"`                // reaches its lower bounds
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
	Sync             *syncDocument    `json:"sync,omitempty"`

	Proof       *results.ScheduleProof `json:"proof,omitempty"`        // that there are no fewer steps
	SolverClaim *stepsClaim            `json:"solver_claim,omitempty"` // by a solver that left no proof
}

// A stepsClaim is the word of a solver that no exchange has fewer steps.
type stepsClaim struct {
	Engine string `json:"engine"`
	Below  int    `json:"below"`
}

// A rankedItem is a scheme that fits the torus; its schedule is made here if it has a
// variant.
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

type syncDocument struct {
	Barriers []int        `json:"barriers"` // after these phases, without signals
	Signals  []signalItem `json:"signals"`  // without barriers
}

type signalItem struct {
	After  eventItem `json:"after"`
	Before eventItem `json:"before"`
}

type eventItem struct {
	Phase int   `json:"phase"`
	From  int32 `json:"from"`
	To    int32 `json:"to"`
}

func (d *exchangeDocument) setRanking(r exchange.Ranking) {
	for _, s := range r.Schemes {
		item := rankedItem{Algorithm: s.Name, Startups: s.Startups.String(), Transmission: s.Transmission.String(),
			Latency: s.Latency.RatString(), Note: s.Note}
		if s.Plan != nil {
			item.Variant = s.Variant.String()
		}
		d.Ranking = append(d.Ranking, item)
	}
	for _, c := range r.Crossovers {
		item := crossoverItem{From: c.From.RatString(), Algorithm: c.Best.Name}
		if c.Best.Plan != nil {
			item.Variant = c.Best.Variant.String()
		}
		d.Crossovers = append(d.Crossovers, item)
	}
	for _, s := range r.Refused {
		d.Refused = append(d.Refused, refusedItem{s.Name, s.Err.Error()})
	}
}

func (a *app) printExchange(d exchangeDocument) {
	where := "graph " + d.Graph
	if d.Torus != nil {
		where = "torus " + joinSides(d.Torus)
	}
	if d.Processors != nil {
		where += fmt.Sprintf(", %d processors", *d.Processors)
	}
	fmt.Fprintf(a.stdout, "%s, %s, %s\n", where, d.Model, strings.TrimSpace(d.Algorithm+" "+d.Variant))
	if d.Steps != nil {
		fmt.Fprintf(a.stdout, "steps         %d, at least %d (%s)\n", *d.Steps, d.LowerBound["steps"], d.BoundReason)
	} else {
		fmt.Fprintf(a.stdout, "startups      %d, at least %d\n", *d.Startups, d.LowerBound["startups"])
		fmt.Fprintf(a.stdout, "transmission  %d blocks, at least %d%s\n", *d.Transmission, d.LowerBound["transmission"], d.independent())
	}
	if d.DirectPhases != nil {
		fmt.Fprintf(a.stdout, "direct paths  %d phases by %s, at least %d: %s\n", *d.DirectPhases, d.Routing, *d.DirectLowerBound, d.DirectReason)
	}
	fmt.Fprintf(a.stdout, "latency       %s\n", d.Latency)
	fmt.Fprintf(a.stdout, "optimal       %s\n", d.optimality())
	fmt.Fprintf(a.stdout, "check         %s\n", exchangeChecks[d.CheckedBy])
	a.printRanking(d)
	if d.Sync != nil {
		fmt.Fprintf(a.stdout, "synchronised  by barriers after the phases %v (from 0), or by %d signals\n", d.Sync.Barriers, len(d.Sync.Signals))
	}
}

// optimality says whether the schedule is known to be optimal, and why.
func (d exchangeDocument) optimality() string {
	switch {
	case d.Proof != nil && d.Proof.Kind == results.ProofUnsat:
		return fmt.Sprintf("yes, %s proved that %d steps are too few; the proof was checked", d.Proof.Engine, d.Proof.Below-1)
	case d.Optimal:
		return "yes, it reaches the lower bounds"
	case d.SolverClaim != nil:
		return fmt.Sprintf("not proved: %s says that %d steps are too few, and left no proof; --backend cadical leaves one", d.SolverClaim.Engine, d.SolverClaim.Below-1)
	case d.Transmission != nil && int64(*d.Transmission) == d.LowerBound["transmission"]:
		paths := ""
		if d.Routing != "" && d.Algorithm == algorithmPack {
			paths = " along paths of " + d.Routing
		}
		return fmt.Sprintf("no schedule%s sends less; whether one has fewer startups is not known", paths)
	}
	return "not known"
}

// exchangeChecks says what each kind of check amounts to.
var exchangeChecks = map[string]string{
	checkedByChecker: "all blocks arrive, one port each way, no link twice in a phase",
	checkedByClasses: "all blocks arrive, one port each way, no link twice in a phase (by translation classes)",
	checkedByFormula: "too large to be simulated: figures are those of the plan",
}

func (d exchangeDocument) independent() string {
	if d.Independent == nil || *d.Independent == *d.Transmission {
		return ""
	}
	return fmt.Sprintf(" (%d if groups do not wait for each other)", *d.Independent)
}

func (a *app) printRanking(d exchangeDocument) {
	for i, s := range d.Ranking {
		fmt.Fprintf(a.stdout, "%-13s %-16s latency %s (startups %s, transmission %s)%s\n", map[bool]string{true: "ranking"}[i == 0],
			strings.TrimSpace(s.Algorithm+" "+s.Variant), s.Latency, s.Startups, s.Transmission, separated(s.Note))
	}
	for _, c := range d.Crossovers {
		fmt.Fprintf(a.stdout, "fastest       %s from t_s/(b t_x) = %s on\n", strings.TrimSpace(c.Algorithm+" "+c.Variant), c.From)
	}
	for _, r := range d.Refused {
		fmt.Fprintf(a.stdout, "refused       %s: %s\n", r.Algorithm, r.Reason)
	}
}
