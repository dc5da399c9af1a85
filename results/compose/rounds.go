package compose

import (
	"math/big"
	"strconv"

	"leeway/core"
	"leeway/objective"
	"leeway/objective/rounds"
	"leeway/results"
)

// RoundsSchema is the schema version of samples of random rounds.
const RoundsSchema = "leeway/rounds/1"

// Rounds is what random rounds of traffic put on the busiest link, in messages.
type Rounds struct {
	Schema string `json:"schema"`
	results.Subject
	Rounds      int               `json:"rounds"`
	Seed        uint64            `json:"seed"`
	MeanMax     string            `json:"mean_max"`    // mean of the largest load of a round
	Percentiles map[string]string `json:"percentiles"` // of the largest load: 50, 90, 99
	MaxMean     string            `json:"max_mean"`    // largest expected load of a link in a round: E_max / size
}

// Percentiles are those that Rounds lists.
var Percentiles = []int{50, 90, 99}

// NewRounds returns the document of a sample of a placement with a given E_max.
func NewRounds(q objective.Problem, p core.Placement, count int, seed uint64, s rounds.Sample, most *big.Rat) Rounds {
	d := Rounds{Schema: RoundsSchema, Subject: SubjectOf(q, p), Rounds: count, Seed: seed,
		MeanMax: results.FormatFraction(s.Mean), Percentiles: map[string]string{},
		MaxMean: results.FormatFraction(new(big.Rat).Quo(most, big.NewRat(int64(p.Size()), 1)))}
	for _, part := range Percentiles {
		d.Percentiles[strconv.Itoa(part)] = results.FormatFraction(s.Percentile(part))
	}
	return d
}
