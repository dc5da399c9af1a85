package main

import (
	"context"
	"errors"
	"fmt"

	"leeway/core"
	"leeway/results"
	"leeway/results/check"
	"leeway/results/schedules"
)

// maxExchangeSimulated is the largest number of processors all of whose blocks are
// followed or written.
const maxExchangeSimulated = 1 << 12

// Who found out that a schedule is right.
const (
	checkedByChecker = "checker" // every block, by results/check
	checkedByClasses = "classes" // one source of each translation class, by the generator
	checkedByFormula = "formula" // nobody: the figures are those of the plan
)

// check fills in what a check of the schedule says. It fails if a schedule of this
// program is wrong, or when the context ends.
func (e *solvedExchange) check(ctx context.Context) error {
	if e.processors() <= maxExchangeSimulated {
		return e.checkAll(ctx)
	}
	run, err := e.plan.RunClasses()
	var tooLarge *core.InputError
	switch {
	case errors.As(err, &tooLarge):
		e.document.CheckedBy = checkedByFormula
		return nil
	case err != nil:
		return err
	}
	total := 0
	for _, size := range run.Sizes {
		total += size
	}
	return e.confirm(checkedByClasses, len(run.Sizes), total)
}

// checkAll gives the schedule to the checker.
func (e *solvedExchange) checkAll(ctx context.Context) error {
	if e.packing != nil && !e.turning { // its phases are announced too
		if v := check.Exchange(schedules.Head(e.schedule), schedules.Direct(*e.packing)); v.Verdict != check.Valid || v.Phases != *e.document.DirectPhases {
			return fmt.Errorf("the packing with sends that turn is wrong: %s", v.Reason)
		}
	}
	v := check.Exchange(schedules.Head(e.schedule), e.phases(ctx))
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("stopped before the schedule was checked")
	case v.Verdict != check.Valid:
		return fmt.Errorf("the schedule %s is wrong: %s", e.schedule.Name, v.Reason)
	case e.packing != nil:
		e.setCost(v.Phases, int(v.Transmission))
		e.setBounds(v.LowerBound.Phases, max(v.LowerBound.Transmission, int64(e.least)))
	}
	if e.proof != nil {
		if problem := check.NoFewerSteps(ctx, "", e.head()); problem != "" {
			return fmt.Errorf("that no schedule has fewer than %d steps is not confirmed: %s", e.proof.Below, problem)
		}
	}
	return e.confirm(checkedByChecker, v.Phases, int(v.Transmission))
}

// confirm records that a check found the schedule right, with the figures announced.
func (e *solvedExchange) confirm(by string, phases, transmission int) error {
	d := &e.document
	wantPhases, wantTransmission := d.Startups, d.Transmission
	if d.Steps != nil {
		wantPhases, wantTransmission = d.Steps, d.Steps
	}
	if phases != *wantPhases || transmission != *wantTransmission {
		return fmt.Errorf("the schedule %s has %d phases and transmission %d, announced as %d and %d", e.schedule.Name,
			phases, transmission, *wantPhases, *wantTransmission)
	}
	yes := true
	d.Delivered, d.OnePort, d.LinkDisjoint = &yes, &yes, &yes
	d.Simulated, d.CheckedBy = true, by
	return nil
}

// writable refuses files of schedules that are too large for them.
func (e *solvedExchange) writable(schedule, ranks string) error {
	if (schedule != "" || ranks != "") && e.processors() > maxExchangeSimulated {
		return usagef("schedules of more than %d processors are not written: this one has %d", maxExchangeSimulated, e.processors())
	}
	return nil
}

// write writes the files that are asked for.
func (e *solvedExchange) write(ctx context.Context, schedule, ranks string) error {
	if schedule != "" {
		if err := results.WriteScheduleFile(schedule, e.head(), e.phases(ctx)); err != nil {
			return err
		}
	}
	if ranks != "" {
		return writeRanks(ranks, schedules.Head(e.schedule), e.phases(ctx))
	}
	return nil
}
