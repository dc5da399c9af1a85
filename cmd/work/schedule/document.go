package schedule

import (
	"leeway/objective/exchange"
	"leeway/objective/exchange/signals"
	"leeway/objective/exchange/wormhole"
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
	// Title is that of the network, where that is not its text, TrafficTitle that of traffic.
	Title, TrafficTitle string `json:"-"`

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

// Overlapped returns how many blocks are sent one after the other if groups do not wait for each other, where that is
// another number; else nil.
func (d Document) Overlapped() *int {
	if d.Independent == nil || *d.Independent == *d.Transmission {
		return nil
	}
	return d.Independent
}

// SendsLeast reports whether no schedule has a shorter transmission.
func (d Document) SendsLeast() bool {
	return d.Transmission != nil && int64(*d.Transmission) == d.LowerBound["transmission"]
}
