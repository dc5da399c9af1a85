package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"leeway/cmd/cli"
	"leeway/cmd/work/coordinator"
	"leeway/cmd/work/progress"
	"leeway/search/cluster/message"
	"leeway/search/cluster/queue"
)

func (a *app) workerCommand() *cobra.Command {
	var k keys
	var join string
	var cores int
	cmd := &cobra.Command{
		Use:   "worker",
		Short: "Work for a proof or a search that runs elsewhere",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			access, err := k.join(cmd.Context(), join)
			if err != nil {
				return err
			}
			err = coordinator.Join(cmd.Context(), access, version, cores, a.Logger(k.logJSON))
			return headHint(cmd.Context(), "", err)
		},
	}
	k.register(cmd)
	cmd.Flags().StringVar(&join, "join", "", joinUsage)
	cli.WorkersFlag(cmd, &cores, ": units of work done at a time")
	return cmd
}

const joinUsage = "address of the coordinator or server: nats://host:port[,...], tls:// for TLS"

// join reads --join.
func (k *keys) join(ctx context.Context, urls string) (queue.Access, error) {
	if err := cli.Missing("join", urls); err != nil {
		return queue.Access{}, &cli.Error{Err: err, Hint: "add --join nats://host:port"}
	}
	return k.access(ctx, "join", urls)
}

func (a *app) clusterCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cluster",
		Short: "Manage work that is shared by many machines",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.clusterStatusCommand())
	return cmd
}

func (a *app) clusterStatusCommand() *cobra.Command {
	var k keys
	var join string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show the progress of a shared proof or search",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			access, err := k.join(cmd.Context(), join)
			if err != nil {
				return err
			}
			s, err := coordinator.AskStatus(cmd.Context(), access)
			if err != nil {
				return headHint(cmd.Context(), "", err)
			}
			if asJSON {
				return a.printJSON(s)
			}
			a.printStatus(s)
			return nil
		},
	}
	k.register(cmd)
	cmd.Flags().StringVar(&join, "join", "", joinUsage)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// printStatus writes a status for a person.
func (a *app) printStatus(s message.Status) {
	a.Printf("%s\n", s.Job)
	for _, f := range progress.ClusterFields(s) {
		a.Printf("  %-13s %s\n", f.Name, f.Value)
	}
	rows := [][]string{{"  worker", "host", "cores", "running", "done", "rate", "last seen"}}
	for _, w := range s.Workers {
		note := ""
		if !w.Trusted {
			note = "not trusted"
		}
		rows = append(rows, []string{"  " + w.Name, w.Host, fmt.Sprint(w.Cores), fmt.Sprint(w.Running), fmt.Sprint(w.Done),
			progress.Short(w.Rate) + "/s", fmt.Sprintf("%.0f s ago", w.Seconds), note})
	}
	a.Stdout.Table(rows)
}
