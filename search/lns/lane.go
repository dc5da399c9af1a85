package lns

import (
	"context"
	"math/rand/v2"
	"slices"

	"leeway/core"
	"leeway/core/family"
	"leeway/encode"
	"leeway/objective"
)

// A lane is one walk: a placement that questions improve or move.
type lane struct {
	number  int
	problem objective.Problem
	flows   flows
	all     []int // nodes of the torus
	rng     *rand.Rand

	nodes  []int
	most   int32 // the largest load of nodes
	room   int   // candidates that the next question may have
	idle   int   // questions since most fell last
	moves  bool  // the next question moves
	closed bool  // nothing at all is below most
	spent  int64
}

// The bounds of the room of a lane, and the questions without a better placement after
// which it begins anew, fewer when other lanes are better.
const (
	firstRoom = 32
	leastRoom = 8
	mostRoom  = 96
	patience  = 60
	behind    = 20
)

// start begins with a placement, or if there is none with a random one and swaps. The
// evaluations are at least 1, that of the placement.
func (l *lane) start(from *core.Placement, evaluations int64) error {
	l.spent++
	l.room, l.idle, l.moves = firstRoom, 0, false
	if from != nil {
		l.settle(from.Nodes())
		return nil
	}
	l.settle(family.Draw(l.problem.Torus(), l.problem.Size, l.rng).Nodes())
	return l.swap(evaluations - 1)
}

// settle takes a placement over.
func (l *lane) settle(nodes []int) {
	l.nodes = nodes
	l.most = slices.Max(l.flows.loads(nodes))
}

// swap tries random swaps and makes those after which the largest load, or with the
// same load the number of links that have it, is not greater.
func (l *lane) swap(evaluations int64) error {
	if evaluations <= 0 || len(l.nodes) == len(l.all) {
		return nil
	}
	model, err := objective.NewIncremental(l.problem.Routing, l.problem.Size)
	if err != nil {
		return err
	}
	model.Reset(l.nodes)
	nodes, set := slices.Clone(l.nodes), core.MustPlacement(l.problem.Torus(), l.nodes).Set()
	free := slices.DeleteFunc(slices.Clone(l.all), set.Has)
	most, links := model.Peak()
	for ; evaluations > 0; evaluations-- {
		i, j := l.rng.IntN(len(nodes)), l.rng.IntN(len(free))
		l.spent++
		if m, k := model.TrySwap(nodes[i], free[j]); m < most || m == most && k <= links {
			model.Swap(nodes[i], free[j])
			nodes[i], free[j] = free[j], nodes[i]
			most, links = m, k
		}
	}
	l.settle(nodes)
	return nil
}

// turn asks one question, or begins anew where the lane has come to nothing for long:
// from the best placement, or at random if that is no better. Evaluations too few for a
// call of the solver go into swaps.
func (l *lane) turn(ctx context.Context, best []int, most int32, evaluations int64) error {
	switch {
	case evaluations < callCost:
		return l.swap(evaluations)
	case l.most == most && l.idle >= patience:
		return l.start(nil, min(evaluations, 1+firstSwaps))
	case l.most > most && l.idle >= behind:
		l.settle(best)
		l.idle = 0
	}
	return l.step(ctx, most, int(evaluations/callCost))
}

// step asks one question with at most the given number of calls of the solver: for a
// placement below the present one, down to an eighth below the best load of all lanes, or
// after a question that found none for another that is no worse.
func (l *lane) step(ctx context.Context, best int32, calls int) error {
	limit := l.most
	if !l.moves {
		limit -= 1 + l.rng.Int32N(limit-best+best/8+1)
	}
	m := l.ask(limit, l.moves)
	nodes, made, open := m.answer(ctx, calls)
	l.spent += int64(made) * callCost
	l.idle++
	switch {
	case nodes != nil:
		before := l.most
		if l.settle(nodes); l.most > limit {
			return &encode.ModelError{Problem: l.problem.String(), Why: "a completion is above its limit"}
		}
		if l.most < before {
			l.idle = 0
		}
		l.moves = false
	case l.moves:
		l.moves = false
	case open:
		l.room = max(leastRoom, l.room-1)
		l.moves = true
	default:
		l.closed = len(m.fixed) == 0 && limit == l.most-1
		l.room = min(l.room+1, mostRoom)
		l.moves = true
	}
	return nil
}
