package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"runtime"
	"text/tabwriter"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/spf13/cobra"

	"leeway/cmd/work"
	"leeway/search/cluster"
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
		Long: `Join a coordinator ("leeway prove --cluster ...", "leeway search --cluster ...") or
an outside NATS server, and work on what is there until Ctrl-C, which hands back what
was begun. A worker may come and go at any time, and may be killed; it waits where
there is no coordinator yet, and for the next job when one is finished. See
docs/cluster.md.`,
		Example: `  leeway worker --join nats://127.0.0.1:4222
  leeway worker --join tls://head.example.org:4222 -j 16 --token-file token --tls-ca ca.pem`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cores < 1 {
				return usagef("-j %d: at least 1 worker is needed", cores)
			}
			leaveRoom(cores)
			log := a.logger(k.logJSON)
			access, err := k.join(cmd.Context(), join)
			if err != nil {
				return err
			}
			q, err := awaitDial(cmd.Context(), access, log)
			if cmd.Context().Err() != nil {
				return nil
			}
			if err != nil {
				return err
			}
			defer func() { _ = q.Close() }()
			t := a.tools(cores, log)
			log.Info("joined", "worker", t.Name, "cores", cores)
			err = cluster.Work(cmd.Context(), q, t)
			var version *cluster.VersionError
			if errors.As(err, &version) {
				return &usageError{err: err, hint: "run the same program on all machines"}
			}
			return err
		},
	}
	k.register(cmd)
	cmd.Flags().StringVar(&join, "join", "", "address of the coordinator or server: nats://host:port[,...], tls:// for TLS")
	cmd.Flags().IntVarP(&cores, "workers", "j", runtime.NumCPU(), "units to work on at a time")
	return cmd
}

// dialPause is how long a worker waits between two tries to reach a server.
const dialPause = time.Second

// awaitDial is dial, which waits for a server that does not answer yet until the context ends.
func awaitDial(ctx context.Context, access queue.Access, log *slog.Logger) (*queue.Nats, error) {
	for told := false; ; told = true {
		q, err := dial(ctx, access, log)
		var late net.Error
		if !errors.Is(err, nats.ErrNoServers) && !(errors.As(err, &late) && late.Timeout()) || ctx.Err() != nil {
			return q, err
		}
		if !told {
			log.Info("waiting for the coordinator; Ctrl-C ends this", "address", access.URLs,
				"hint", "it may be reached by TLS only (--tls-ca)")
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(dialPause):
		}
	}
}

// leaveRoom has so many units walked at a time, with a thread beside them: a message
// behind a walk would wait for as long as the runtime lets that go on.
func leaveRoom(cores int) { runtime.GOMAXPROCS(cores + 1) }

// join reads --join.
func (k *keys) join(ctx context.Context, urls string) (queue.Access, error) {
	if urls == "" {
		return queue.Access{}, &usageError{err: usagef("the flag --join is missing"), hint: "add --join nats://host:port"}
	}
	return k.access(ctx, "join", urls)
}

func (a *app) clusterCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cluster",
		Short: "Look after work that is shared by many machines",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.clusterStatusCommand())
	return cmd
}

// askTime is how long a coordinator is given to answer.
const askTime = 10 * time.Second

func (a *app) clusterStatusCommand() *cobra.Command {
	var k keys
	var join string
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "status",
		Short:   "Show how a shared proof or search stands",
		Example: "  leeway cluster status --join nats://127.0.0.1:4222",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a.running = true
			access, err := k.join(cmd.Context(), join)
			if err != nil {
				return err
			}
			q, err := queue.Reach(access)
			if err != nil {
				return dialHint(cmd.Context(), err)
			}
			defer func() { _ = q.Close() }()
			ctx, cancel := context.WithTimeout(cmd.Context(), askTime)
			defer cancel()
			text, err := q.Ask(ctx)
			if err != nil {
				return err
			}
			s, err := message.ParseStatus(text)
			if err != nil {
				return err
			}
			if asJSON {
				return a.printJSON(s)
			}
			return a.printStatus(s)
		},
	}
	k.register(cmd)
	cmd.Flags().StringVar(&join, "join", "", "address of the coordinator or server: nats://host:port[,...]")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// printStatus writes a status for a person.
func (a *app) printStatus(s message.Status) error {
	a.printf("%s\n", s.Job)
	if s.Below != "" {
		a.printf("  question     E_max below %s, by %s\n", s.Below, s.Engine)
		a.printf("  prefixes     %d of %d left\n", s.PrefixesLeft, s.Prefixes)
	}
	if s.Incumbent != "" {
		a.printf("  best         %s\n", s.Incumbent)
	}
	if s.Bound != "" {
		a.printf("  bound        %s\n", s.Bound)
	}
	a.printf("  units        %d done, %d running, %d waiting, %d in quarantine\n", s.Units.Done, s.Units.Running, max(0, s.Units.Out-s.Units.Running), s.Units.Quarantined)
	if s.Units.Confirming > 0 {
		a.printf("  confirming   %d units that workers have done are walked again before they count\n", s.Units.Confirming)
	}
	if s.Units.Quarantined > 0 {
		fmt.Fprintln(a.stdout, "  incomplete   units in quarantine cost several workers; the same command tries them again")
	}
	if s.SecondsLeft > 0 {
		a.printf("  left         about %s\n", time.Duration(s.SecondsLeft*float64(time.Second)).Round(time.Second))
	}
	if s.Refused > 0 {
		a.printf("  refused      %d results and incumbents; the log of the coordinator says why\n", s.Refused)
	}
	table := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "  worker\thost\tcores\trunning\tdone\trate\tlast seen\t")
	for _, w := range s.Workers {
		note := ""
		if !w.Trusted {
			note = "not trusted"
		}
		say(table, "  %s\t%s\t%d\t%d\t%d\t%s/s\t%.0f s ago\t%s\n", w.Name, w.Host, w.Cores, w.Running, w.Done, work.Short(w.Rate), w.Seconds, note)
	}
	return table.Flush()
}

// tools returns what a worker of this program works with.
func (a *app) tools(cores int, log *slog.Logger) cluster.WorkerOptions {
	host, _ := os.Hostname() // "" will do
	var serial [4]byte
	_, _ = rand.Read(serial[:]) // never fails
	name := fmt.Sprintf("%s-%d-%s", host, os.Getpid(), hex.EncodeToString(serial[:]))
	return cluster.WorkerOptions{Name: name, Host: host, Program: version, Cores: cores,
		Engines: work.CensusEngines(), Methods: work.MethodsOf, Log: log}
}
