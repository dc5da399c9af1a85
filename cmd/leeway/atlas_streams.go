package main

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync/atomic"

	"leeway/cmd/cli"
	"leeway/cmd/work"
	"leeway/core/parallel"
	"leeway/results"
	"leeway/results/atlas"
)

// exportStreams has engines write the proofs of cells as steps once more, each into a file LABEL.steps of a folder, as
// far as they have at most a number of bytes and the kernel accepts them. Files that are there already are kept.
func (a *app) exportStreams(ctx context.Context, view *atlas.Atlas, filter atlas.Filter, folder string, largest int64,
	workers int) error {
	if folder == "" {
		return cli.Errorf("--format streams needs --out, a folder")
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return cli.Errorf("--out %s: %v", folder, errors.Unwrap(err))
	}
	var cells []atlas.Cell
	proofs := 0
	all, _ := view.Cells(filter)
	for _, c := range all {
		if c.Proof != nil && c.Proof.Kind == results.ProofSteps {
			if proofs++; c.Proof.Bytes != nil && *c.Proof.Bytes <= largest {
				cells = append(cells, c)
			}
		}
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var written atomic.Int64
	tell := a.NowAndThen()
	parallel.Each(ctx, workers, len(cells), func(i int) {
		err := writeStream(ctx, cells[i], filepath.Join(folder, cells[i].Label()+".steps"))
		if err != nil && ctx.Err() == nil {
			stop(err)
		}
		if err == nil {
			tell("%d of %d streams written", written.Add(1), len(cells))
		}
	})
	if err := context.Cause(ctx); err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	a.Remark("%s: the streams of %d of %d proofs by steps", folder, written.Load(), proofs)
	return nil
}

// writeStream writes the steps that prove a cell into a file, unless it exists.
func writeStream(ctx context.Context, c atlas.Cell, file string) error {
	if _, err := os.Stat(file); err == nil {
		return nil
	}
	p, err := c.Key().Problem()
	if err == nil {
		err = work.WriteSteps(ctx, p, *c.Proof, file)
	}
	if err != nil {
		return cmp.Or[error](ctx.Err(), cli.Errorf("%s: %v", c.Label(), err))
	}
	return nil
}
