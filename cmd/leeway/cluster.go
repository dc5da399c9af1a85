package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/spf13/cobra"

	"leeway/cmd/cli"
	"leeway/cmd/work"
	"leeway/cmd/work/coordinator"
	"leeway/results"
	"leeway/results/disk"
	"leeway/search/cluster"
	"leeway/search/cluster/message"
	"leeway/search/cluster/queue"
)

// keys holds the flags that say who may join a cluster.
type keys struct {
	tokenFile, credsFile, caFile string
}

func (k *keys) register(cmd *cobra.Command) {
	addFlags(cmd, []flag{
		{&k.tokenFile, "token-file", "file that holds the token"},
		{&k.credsFile, "creds-file", "credentials of a NATS user, for an outside server"},
		{&k.caFile, "tls-ca", "certificates to trust, in PEM"},
	}...)
}

// minToken is the fewest characters of a token.
const minToken = 16

// readToken reads the token in the file of --token-file, "" for no file.
func readToken(ctx context.Context, file string) (string, error) {
	if file == "" {
		return "", nil
	}
	data, err := disk.ReadFile(ctx, file)
	token := strings.TrimSpace(string(data))
	switch {
	case err != nil:
		err = &cli.Error{Err: cli.InFlag("token-file", err)}
	case len(token) < minToken:
		err = &cli.Error{Err: fmt.Errorf("--token-file %q: a token of %d characters is too short: at least %d characters "+
			"are needed", file, len(token), minToken), Hint: "openssl rand -hex 32 > " + file}
	}
	return token, err
}

// smallFile refuses what would keep a library waiting that reads the file of a flag whole: a pipe, a device, and
// anything large. A missing file is left to the library.
func smallFile(flag, path string) error {
	info, err := os.Stat(path)
	switch {
	case path == "" || err != nil:
	case !info.Mode().IsRegular():
		return cli.Errorf("--%s %q: not a regular file", flag, path)
	case info.Size() > results.MaxFileBytes:
		return cli.Errorf("--%s %q: the file has more than %d bytes, the most that is read", flag, path, results.MaxFileBytes)
	}
	return nil
}

// access returns how to reach a server by the URLs of a flag. Beyond loopback a token or credentials, and TLS, are
// required.
func (k *keys) access(ctx context.Context, flag, urls string) (queue.Access, error) {
	token, err := readToken(ctx, k.tokenFile)
	if err != nil {
		return queue.Access{}, err
	}
	for _, f := range [][2]string{{"tls-ca", k.caFile}, {"creds-file", k.credsFile}} {
		if err := smallFile(f[0], f[1]); err != nil {
			return queue.Access{}, err
		}
	}
	a, err := coordinator.Reach(urls, token, k.credsFile, k.caFile)
	return a, cli.InFlag(flag, err)
}

// clusterFlags holds the flags of a coordinator.
type clusterFlags struct {
	keys
	where, cert, key string
	unit, silence    time.Duration
	replicas         int
}

// register adds --cluster, and the flags that go with it, to a command.
func (f *clusterFlags) register(cmd *cobra.Command) {
	addFlags(cmd, flag{&f.where, "cluster", "share the work: listen:PORT or listen:HOST:PORT starts a server, " +
		"nats://host:port[,...] uses one; leeway help cluster lists the flags that go with it"})
	f.share(cmd)
	cli.Need(cmd, onlyShared, "cluster", "add --cluster listen:PORT")
}

// share adds the flags that go with --cluster.
func (f *clusterFlags) share(cmd *cobra.Command) {
	f.keys.register(cmd)
	f.unit, f.silence, f.replicas = 20*time.Second, 30*time.Second, 1
	addFlags(cmd, []flag{
		{&f.cert, "tls-cert", "certificate of the server to start, in PEM"},
		{&f.key, "tls-key", "private key of the certificate"},
		{&f.unit, "unit-time", "time that a unit of work should take"},
		{&f.silence, "patience", "time after which the unit of a silent worker goes to another"},
		{&f.replicas, "replicas", "nodes of an outside NATS cluster that keep the queue: 1, 3 or 5"},
	}...)
	cli.Need(cmd, "tls-cert", "tls-key", "add --tls-key FILE")
	cli.Need(cmd, "tls-key", "tls-cert", "add --tls-cert FILE")
}

// onlyShared lists the flags that need --cluster.
const onlyShared = "token-file creds-file tls-ca tls-cert tls-key unit-time patience replicas"

// validate refuses values that make no sense.
func (f *clusterFlags) validate() error {
	switch {
	case f.unit > time.Hour:
		return cli.Errorf("--unit-time %s: above 0 and at most 1h", f.unit)
	case f.silence < time.Second || f.silence > time.Hour:
		return cli.Errorf("--patience %s: 1s..1h", f.silence)
	case f.replicas != 1 && f.replicas != 3 && f.replicas != 5:
		return cli.Errorf("--replicas %d: 1, 3 or 5", f.replicas)
	}
	return nil
}

// startHead makes this process the coordinator of tasks. The queue is kept in a folder beside the file of the proof or
// search; where file is "" it is not kept.
func (a *app) startHead(ctx context.Context, f *clusterFlags, file string, tasks []work.Task,
	workers int) (*coordinator.Coordinator, error) {
	o := coordinator.Options{Version: version, Job: work.Identity(tasks), Workers: workers,
		UnitTime: f.unit, Patience: f.silence, Replicas: f.replicas, Log: a.Logger()}
	if file != "" {
		o.Dir = file + ".cluster"
	}
	var err error
	if o.Listen, err = coordinator.ReadListen(f.where); err != nil {
		return nil, cli.InFlag("cluster", err)
	}
	if o.Listen == nil {
		o.Access, err = f.access(ctx, "cluster", f.where)
	} else {
		o.Listen.CertFile, o.Listen.KeyFile = f.cert, f.key
		o.Listen.Token, err = readToken(ctx, f.tokenFile)
	}
	if err != nil {
		return nil, err
	}
	head, err := coordinator.Start(ctx, o)
	return head, headHint(ctx, err)
}

// lead does some work as the coordinator of tasks, which is head; then the workers are told that the job is over,
// unless it was stopped and stays in the queue.
func lead(ctx context.Context, head *coordinator.Coordinator, stays bool, work func() error) error {
	defer head.End()
	if err := work(); err != nil || ctx.Err() != nil || head.Stopped() && stays {
		return err
	}
	return head.Finish(ctx)
}

// headHint says what usually is wrong where a coordinator cannot start, or a worker cannot join.
func headHint(ctx context.Context, err error) error {
	var job *cluster.JobError
	var program *cluster.VersionError
	var part *coordinator.Error
	switch {
	case errors.As(err, &job):
		return &cli.Error{Err: err,
			Hint: "end that job with its own command, or use another server, or another --work or --store file"}
	case errors.As(err, &program):
		return &cli.Error{Err: err, Hint: "run the same program on all machines"}
	case !errors.As(err, &part) || part.Part == "dial" && ctx.Err() != nil:
		return err
	}
	var open *queue.OpenError
	switch {
	case part.Part == "token":
		return &cli.Error{Err: fmt.Errorf("no token can be kept for workers on this machine: %w", err),
			Hint: "give one: --token-file FILE"}
	case errors.As(err, &open):
		return &cli.Error{Err: err, Hint: "add --token-file FILE, --tls-cert FILE and --tls-key FILE; see docs/cluster.md"}
	case part.Part == "listen":
		return &cli.Error{Err: cli.InFlag("cluster", err)}
	case errors.Is(err, nats.ErrAuthorization):
		return &cli.Error{Err: err, Hint: "the token or the credentials are not those of the server; without --token-file " +
			"only workers of the user who started it may join, on the same machine"}
	}
	return &cli.Error{Err: err,
		Hint: "is the coordinator or the server there, and reached by TLS if it asks for that (--tls-ca)?"}
}

func (a *app) workerCommand() *cobra.Command {
	var k keys
	var join string
	var cores int
	cmd := command("worker --join URL", "Work for a proof or a search that runs elsewhere", cobra.NoArgs,
		func(cmd *cobra.Command, _ []string) error {
			access, err := k.access(cmd.Context(), "join", join)
			if err != nil {
				return err
			}
			err = coordinator.Join(cmd.Context(), access, version, cores, a.Logger())
			return headHint(cmd.Context(), err)
		})
	k.register(cmd)
	addFlags(cmd, flag{&join, "join", joinUsage})
	cli.WorkersFlag(cmd, &cores, ": units of work done at a time")
	cli.Require(cmd, "join")
	return cmd
}

const joinUsage = "address of the coordinator or server: nats://host:port[,...], tls:// for TLS"

func (a *app) clusterCommand() *cobra.Command {
	cmd := command("cluster", "Manage work that is shared by many machines", cobra.NoArgs,
		func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().NFlag() > 0 {
				return cli.Errorf("these flags go with leeway prove --cluster and leeway search --cluster").
					Hinted("leeway cluster status --join nats://host:port shows a job")
			}
			return cmd.Help()
		})
	new(clusterFlags).share(cmd)
	cmd.AddCommand(a.clusterStatusCommand())
	return cmd
}

func (a *app) clusterStatusCommand() *cobra.Command {
	var k keys
	var join string
	cmd := command("status --join URL", "Show the progress of a shared proof or search", cobra.NoArgs,
		func(cmd *cobra.Command, _ []string) error {
			access, err := k.access(cmd.Context(), "join", join)
			if err != nil {
				return err
			}
			s, err := coordinator.AskStatus(cmd.Context(), access)
			if err != nil {
				return headHint(cmd.Context(), err)
			}
			document := struct {
				Schema string `json:"schema"`
				message.Status
			}{"leeway/status/1", s}
			return a.show(document, func() { a.printStatus(s) })
		})
	k.register(cmd)
	addFlags(cmd, flag{&join, "join", joinUsage})
	jsonFlag(cmd)
	cli.Require(cmd, "join")
	return cmd
}

// printStatus writes a status for a person.
func (a *app) printStatus(s message.Status) {
	v := struct {
		message.Status
		Rate  float64
		Cores int
		Left  time.Duration
	}{Status: s, Left: time.Duration(s.SecondsLeft * float64(time.Second)).Round(time.Second)}
	for _, w := range s.Workers {
		v.Rate, v.Cores = v.Rate+w.Rate, v.Cores+w.Cores
	}
	a.tell("status", v)
}
