package main

import (
	"errors"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"leeway/cmd/cli"
	"leeway/cmd/work"
)

func (a *app) resumeCommand() *cobra.Command {
	q := &question{inStore: true}
	f := &storing{}
	cmd := &cobra.Command{
		Use:   "resume",
		Short: "Continue searches that were stopped or killed",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := cli.Missing("store", f.storeFile); err != nil {
				return &cli.Error{Err: err, Hint: "leeway resume --store FILE"}
			}
			if _, err := os.Stat(f.storeFile); errors.Is(err, fs.ErrNotExist) {
				return &cli.Error{Err: cli.Errorf("--store %s: there is no such file", f.storeFile),
					Hint: "leeway search --store makes a store"}
			}
			unusable := 0
			err := a.lookFor(cmd.Context(), q, f, nil, func(s *work.Session) (tasks []work.Task, err error) {
				if tasks, unusable, err = s.Unfinished(); err != nil {
					return nil, err
				}
				if s.Before, err = s.Done(); err == nil {
					a.Remark("%s: %d searches are done, %d are left", f.storeFile, s.Before, len(tasks))
				}
				return tasks, err
			})
			if err == nil && unusable > 0 {
				return cli.Status(1) // each was reported
			}
			return err
		},
	}
	cli.WorkersFlag(cmd, &q.workers, "; the result of a search by evaluations does not depend on them")
	q.flags(cmd, "json")
	f.register(cmd)
	return cmd
}
