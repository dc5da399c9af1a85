package check

import (
	"context"
	"math"
	"math/big"
	"os"

	"leeway/objective/exchange"
	"leeway/results"
	"leeway/results/schedules"
)

// The rules of complete exchange that a send can break.
const (
	RuleNode      = "node"      // ends, axis and blocks exist
	RulePosition  = "position"  // a block is where it is sent from when the phase starts
	RulePort      = "port"      // one send and one receive a node and phase
	RuleNeighbour = "neighbour" // store and forward: one block, to a neighbour
	RuleLink      = "link"      // wormhole: no directed link twice in a phase
	RuleDelivery  = "delivery"  // at the end every block is where it belongs
)

// maxPositions is the largest number of blocks that are followed: a gigabyte.
const maxPositions = 1 << 28

// An ExchangeVerdict says whether a schedule is a complete exchange, and what it
// costs. The figures are those of the phases that were read, all of them if the
// verdict is valid.
type ExchangeVerdict struct {
	Verdict string         `json:"verdict"` // valid, wrong or unreadable
	Reason  string         `json:"reason"`  // "" if valid
	Fault   *ExchangeFault `json:"fault"`   // what is wrong; null unless wrong

	Model        string         `json:"model"`
	Nodes        int            `json:"nodes"`
	Processors   int            `json:"processors"`   // that exchange
	Phases       int            `json:"phases"`       // startups, or steps of store and forward
	Transmission int64          `json:"transmission"` // sum over phases of the largest send, in blocks
	Sends        int64          `json:"sends"`
	Hops         int64          `json:"hops"`       // blocks moved, counted at each send
	IdlePorts    int64          `json:"idle_ports"` // send and receive ports without use, over all phases
	LowerBound   ExchangeBounds `json:"lower_bound"`
	Ratios       ExchangeRatios `json:"ratios"`
}

// ExchangeRatios are cost over lower bound, in lowest terms; "" where the bound is 0.
type ExchangeRatios struct {
	Phases       string `json:"phases"`
	Transmission string `json:"transmission"`
}

// exchangeFile returns the verdict about a schedule in a file, its proof apart, and
// what the file says before its phases.
func exchangeFile(m *meter, path string) (ExchangeVerdict, exchange.Head) {
	file, err := os.Open(path)
	if err != nil {
		return unreadableExchange(err), exchange.Head{}
	}
	defer file.Close()
	r, err := schedules.Read(contextReader{m.ctx, file})
	if err != nil {
		return unreadableExchange(results.InFile(err, path)), exchange.Head{}
	}
	v := exchangeOf(m, r.Head, func(yield func(exchange.Phase, error) bool) {
		for phase, err := range r.Phases() {
			if !yield(phase, results.InFile(err, path)) {
				return
			}
		}
	})
	return v, r.Head
}

// Exchange returns the verdict about phases from anywhere. An error among them
// makes the schedule unreadable, as does a network too large to follow its blocks
// (2^28). Cost: O(1) per block of a send, plus a search per node of every axis;
// memory four bytes per block. No other limit holds here: see Files.
func Exchange(head exchange.Head, phases schedules.Phases) ExchangeVerdict {
	return exchangeOf(unmetered(context.Background()), head, phases)
}

// exchangeOf is Exchange within what a meter allows; past that the schedule is unreadable.
func exchangeOf(m *meter, head exchange.Head, phases schedules.Phases) (v ExchangeVerdict) {
	if err := m.run(func() { v = followed(m, head, phases) }); err != nil {
		return unreadableExchange(err)
	}
	return v
}

// followed follows the phases.
func followed(m *meter, head exchange.Head, phases schedules.Phases) ExchangeVerdict {
	net, err := newNetwork(m, head)
	if err != nil {
		return unreadableExchange(err)
	}
	e := newFollower(net, head.Model)
	for phase, err := range phases {
		if err != nil {
			return unreadableExchange(err)
		}
		if problem := e.phase(phase); problem != nil {
			return e.verdict(problem)
		}
	}
	return e.verdict(e.undelivered())
}

func unreadableExchange(err error) ExchangeVerdict {
	return ExchangeVerdict{Verdict: Unreadable, Reason: err.Error()}
}

func (e *follower) verdict(f *fault) ExchangeVerdict {
	n, p := int64(e.net.nodes), len(e.net.processors)
	v := ExchangeVerdict{Verdict: Valid, Model: string(e.model), Nodes: e.net.nodes, Processors: p, Phases: e.phases,
		Transmission: e.transmission, Sends: e.sends, Hops: e.hops, IdlePorts: 2 * (n*int64(e.phases) - e.sends)}
	if f != nil {
		v.Verdict, v.Reason, v.Fault = Wrong, f.reason, &f.ExchangeFault
	}
	v.LowerBound = e.net.bounds(e.model)
	v.Ratios = ExchangeRatios{ratio(int64(e.phases), v.LowerBound.Phases), ratio(e.transmission, v.LowerBound.Transmission)}
	return v
}

func ratio(have, bound int64) string {
	if bound == 0 {
		return ""
	}
	return big.NewRat(have, bound).RatString()
}

// A follower follows every block through the phases.
type follower struct {
	net   *network
	model exchange.Model
	// at[i*p+j] is the node that has the block of processor i for processor j.
	at                        []int32
	sent, received            []int32 // by node: the phase of its last send and receive, from 1
	used                      []int32 // by link: the phase of its last use, from 1
	phases                    int
	transmission, sends, hops int64
}

func newFollower(net *network, model exchange.Model) *follower {
	p := len(net.processors)
	net.meter.charge(4 * (int64(p)*int64(p) + int64(net.nodes)*int64(2+2*len(net.axes))))
	e := &follower{net: net, model: model, at: make([]int32, p*p),
		sent: make([]int32, net.nodes), received: make([]int32, net.nodes)}
	if model == exchange.Wormhole {
		e.used = make([]int32, 2*len(net.axes)*net.nodes)
	}
	for i, v := range net.processors {
		for j := range p {
			e.at[i*p+j] = int32(v)
		}
	}
	return e
}

// phase checks all sends of a phase against what held when it started, and only
// then moves their blocks.
func (e *follower) phase(phase exchange.Phase) *fault {
	if e.phases == math.MaxInt32-1 {
		return e.wrong(RuleNode, -1, "there are more than %d phases", e.phases)
	}
	e.net.meter.charge(int64(1 + len(phase)))
	for i := range phase {
		e.net.meter.charge(int64(1 + len(phase[i].Blocks)))
		if f := e.checkSend(i, &phase[i]); f != nil {
			return e.onLink(f, &phase[i])
		}
	}
	largest := 0
	for i := range phase {
		if f := e.move(i, &phase[i]); f != nil {
			return e.onLink(f, &phase[i])
		}
		largest = max(largest, len(phase[i].Blocks))
	}
	e.phases++
	e.transmission += int64(largest)
	e.sends += int64(len(phase))
	return nil
}

// move takes the blocks of a send to its end.
func (e *follower) move(i int, send *exchange.Send) *fault {
	for _, b := range send.Blocks {
		at := e.place(b)
		if *at != send.From { // checked before: this phase moved it
			return e.wrong(RulePosition, i, "the block from %d for %d stands twice", b.From, b.To)
		}
		*at = send.To
	}
	e.hops += int64(len(send.Blocks))
	return nil
}

// place returns where the position of a block is kept.
func (e *follower) place(b exchange.Block) *int32 {
	return &e.at[int(e.net.number[b.From])*len(e.net.processors)+int(e.net.number[b.To])]
}
