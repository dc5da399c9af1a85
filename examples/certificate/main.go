// Command certificate proves the least E_max of a small problem, writes it as a
// record, and has the record checked by code that shares nothing with the search;
// then once more with a better value than the proof bears out.
package main

import (
	"context"
	"fmt"
	"log"
	"strings"
	"time"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results"
	"leeway/results/check"
	"leeway/results/check/documents"
	"leeway/results/compose"
	"leeway/results/layout"
	"leeway/search"
	"leeway/search/refuters"
)

func main() {
	problem, err := objective.NewProblem(routing.NewUDR(core.MustTorus(4, 4), routing.TieBoth), 5)
	if err != nil {
		log.Fatal(err)
	}
	text, err := prove(problem)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("as written:", verdict(text))

	forged := strings.ReplaceAll(string(text), `"5/4"`, `"1"`)
	fmt.Println("forged:", verdict([]byte(forged)))
}

// prove returns the record of an optimal placement, with its proof.
func prove(p objective.Problem) ([]byte, error) {
	started := time.Now()
	method := refuters.Method{Refuter: refuters.Deciding(refuters.All())[0]}
	out, err := method.Run(context.Background(), search.Params{Problem: p})
	if err != nil {
		return nil, err
	}
	record, err := compose.New(compose.Values{
		Routing: p.Routing, Placement: out.Best, MaxLoad: out.Value,
		LowerBound: out.Value, BoundReason: "steps: none is below",
		Proof:   &results.Proof{Kind: results.ProofSteps, Engine: out.Refutation.Engine, Below: out.Value.RatString()},
		FoundBy: results.FoundBy{Method: out.Refutation.Engine, Evaluations: out.Evaluations},
		Provenance: results.Provenance{Version: "example", Command: []string{"certificate"},
			Started: compose.FormatTime(started)},
	})
	if err != nil {
		return nil, err
	}
	return layout.Encode(record)
}

// verdict returns what the checker says of the steps that the engine writes again, a line for each part of a reason.
func verdict(record []byte) string {
	v := documents.Document(context.Background(), record, "", check.Options{Produce: refuters.Produce})
	return strings.ReplaceAll(strings.Join(append([]string{v.Verdict}, v.Reasons...), ", "), ", ", "\n  ")
}
