package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"leeway/cmd/cli"
	"leeway/results/audit"
)

func (a *app) auditToolsCommand() *cobra.Command {
	var asMarkdown bool
	cmd := command("tools", "List where programs and published tables differ from the exact values", cobra.NoArgs,
		func(*cobra.Command, []string) error {
			list, err := audit.Differences()
			switch {
			case err != nil:
				return err
			case a.asJSON():
				return printList(a, "leeway/differences/1", list, false)
			case asMarkdown:
				fmt.Fprint(a.Stdout.Unfolded(), audit.ToolsMarkdown(list))
				return nil
			}
			for _, d := range list {
				a.tell("difference", d)
			}
			return nil
		})
	addFlags(cmd, flag{&asMarkdown, "markdown", "print the page docs/tools.md"})
	jsonFlag(cmd)
	cli.Exclude(cmd, "json", "markdown", "")
	return cmd
}
