package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/spf13/cobra"

	"leeway/cmd/work"
	"leeway/results"
	"leeway/search/cluster/queue"
)

// keys holds the flags that say who may join.
type keys struct {
	tokenFile, credsFile, caFile string
	logJSON                      bool
}

func (k *keys) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&k.tokenFile, "token-file", "", "cluster: file that holds the token")
	cmd.Flags().StringVar(&k.credsFile, "creds-file", "", "cluster: credentials of a NATS user, for an outside server")
	cmd.Flags().StringVar(&k.caFile, "tls-ca", "", "cluster: certificates to trust, in PEM")
	cmd.Flags().BoolVar(&k.logJSON, "log-json", false, "cluster: write the log as lines of JSON")
}

// token reads the token, "" without a file.
func (k *keys) token(ctx context.Context) (string, error) {
	if k.tokenFile == "" {
		return "", nil
	}
	data, err := results.ReadFile(ctx, k.tokenFile)
	if err != nil {
		return "", &usageError{err: fmt.Errorf("--token-file %w", err)}
	}
	token := strings.TrimSpace(string(data))
	if len(token) < 16 {
		return "", &usageError{err: fmt.Errorf("--token-file %q: a token of %d characters is too short", k.tokenFile, len(token)), hint: "openssl rand -hex 32 > " + k.tokenFile}
	}
	return token, nil
}

// smallFile refuses what would keep a library waiting that reads the file of a flag whole: a
// pipe, a device, and anything large. What is not there is left to the library.
func smallFile(flag, path string) error {
	info, err := os.Stat(path)
	switch {
	case path == "" || err != nil:
	case !info.Mode().IsRegular():
		return usagef("--%s %q: this is no regular file", flag, path)
	case info.Size() > results.MaxFileBytes:
		return usagef("--%s %q: the file has more than %d bytes, the most that is read", flag, path, results.MaxFileBytes)
	}
	return nil
}

// logger writes to stderr.
func (a *app) logger(asJSON bool) *slog.Logger {
	if asJSON {
		return slog.New(slog.NewJSONHandler(a.stderr, nil))
	}
	return slog.New(slog.NewTextHandler(a.stderr, nil))
}

// access returns how to reach a server by its URLs. Beyond loopback it must ask for
// a token or credentials, and for TLS.
func (k *keys) access(ctx context.Context, flag, urls string) (queue.Access, error) {
	token, err := k.token(ctx)
	if err != nil {
		return queue.Access{}, err
	}
	for _, f := range [][2]string{{"tls-ca", k.caFile}, {"creds-file", k.credsFile}} {
		if err := smallFile(f[0], f[1]); err != nil {
			return queue.Access{}, err
		}
	}
	for _, one := range strings.Split(urls, ",") {
		u, err := url.Parse(one)
		if err != nil || u.Scheme != "nats" && u.Scheme != "tls" || u.Hostname() == "" || u.Path != "" || u.User != nil {
			return queue.Access{}, &usageError{err: fmt.Errorf("--%s %q: %q is no address of a server", flag, urls, one), hint: "write nats://host:port, or several with commas between"}
		}
		if !queue.Loopback(u.Hostname()) && (token == "" && k.credsFile == "" || u.Scheme != "tls" && k.caFile == "") {
			return queue.Access{}, &usageError{err: fmt.Errorf("--%s %q: %s is not this machine: a token or credentials, and TLS, are needed", flag, urls, u.Hostname()),
				hint: "add --token-file FILE and --tls-ca FILE; see docs/cluster.md"}
		}
	}
	host, _ := os.Hostname() // "" will do
	a := queue.Access{URLs: urls, Token: token, CredsFile: k.credsFile, CAFile: k.caFile, Name: "leeway " + host}
	if token == "" && k.credsFile == "" {
		a.TokenOf = func() string { return work.FoundToken(urls) }
	}
	return a, nil
}

// dial opens the queue of a server, with hints for what usually is wrong.
func dial(ctx context.Context, access queue.Access, log *slog.Logger) (*queue.Nats, error) {
	access.Changed = func(err error) {
		if err != nil {
			log.Warn("connection lost, waiting until it is back: the job may be over", "error", err.Error())
			return
		}
		log.Info("connected again")
	}
	q, err := queue.Dial(ctx, access)
	return q, dialHint(ctx, err)
}

func dialHint(ctx context.Context, err error) error {
	switch {
	case err == nil || ctx.Err() != nil:
		return err
	case errors.Is(err, nats.ErrAuthorization):
		return &usageError{err: err, hint: "the token or the credentials are not those of the server; without --token-file only workers of the user who started it may join, on the same machine"}
	}
	return &usageError{err: err, hint: "is the coordinator or the server there, and reached by TLS if it asks for that (--tls-ca)?"}
}

// The values of --confirm, and how many results are one sample.
const (
	confirmAll    = "all"
	confirmSample = "sample"
	sampleOf      = 128
)

// clusterFlags holds the flags of a coordinator.
type clusterFlags struct {
	keys
	where, cert, key, metrics string
	unit, patience            time.Duration
	replicas                  int
	confirm                   string
}

func (f *clusterFlags) register(cmd *cobra.Command) {
	f.keys.register(cmd)
	cmd.Flags().StringVar(&f.where, "cluster", "", "share the work: listen:PORT or listen:HOST:PORT starts a server, nats://host:port[,...] uses one")
	cmd.Flags().StringVar(&f.cert, "tls-cert", "", "cluster: certificate of the server that listens, in PEM")
	cmd.Flags().StringVar(&f.key, "tls-key", "", "cluster: its key")
	cmd.Flags().StringVar(&f.metrics, "metrics", "", "cluster: address for metrics in the form of Prometheus, like 127.0.0.1:9100")
	cmd.Flags().DurationVar(&f.unit, "unit-time", 20*time.Second, "cluster: time that a unit of work should take")
	cmd.Flags().DurationVar(&f.patience, "patience", 30*time.Second, "cluster: time after which the work of a silent worker goes to another")
	cmd.Flags().StringVar(&f.confirm, "confirm", confirmAll, "cluster: walk what workers have walked again before it counts: all, or a sample; then a proof rests on their word until check")
	cmd.Flags().IntVar(&f.replicas, "replicas", 1, "cluster: nodes of an outside cluster that keep everything, 1, 3 or 5")
}

// validate refuses cluster flags without a cluster, and the other way round.
func (f *clusterFlags) validate(cmd *cobra.Command, workers int) error {
	if f.where == "" {
		for _, name := range []string{"token-file", "creds-file", "tls-ca", "log-json", "tls-cert", "tls-key", "metrics", "unit-time", "patience", "replicas", "confirm"} {
			if cmd.Flags().Changed(name) {
				return &usageError{err: usagef("--%s is about a cluster", name), hint: "add --cluster listen:PORT"}
			}
		}
		if workers < 1 {
			return usagef("-j %d: at least 1 worker is needed", workers)
		}
		return nil
	}
	switch {
	case workers < 0:
		return usagef("-j %d: 0, or some workers of this process", workers)
	case (f.cert == "") != (f.key == ""):
		return usagef("--tls-cert and --tls-key belong together")
	case f.unit <= 0 || f.unit > time.Hour:
		return usagef("--unit-time %s: above 0 and at most 1h", f.unit)
	case f.patience < time.Second || f.patience > time.Hour:
		return usagef("--patience %s: 1s..1h", f.patience)
	case f.confirm != confirmAll && f.confirm != confirmSample:
		return usagef("--confirm %q: all or sample", f.confirm)
	case f.replicas != 1 && f.replicas != 3 && f.replicas != 5:
		return usagef("--replicas %d: 1, 3 or 5", f.replicas)
	}
	return nil
}

// listen reads listen:PORT or listen:HOST:PORT, false for another text.
func (f *clusterFlags) listen(ctx context.Context) (queue.Listen, bool, error) {
	text, ok := strings.CutPrefix(f.where, "listen:")
	if !ok {
		return queue.Listen{}, false, nil
	}
	if !strings.Contains(text, ":") {
		text = "127.0.0.1:" + text
	}
	host, portText, err := net.SplitHostPort(text)
	port, errPort := strconv.Atoi(portText)
	if err != nil || errPort != nil || port < 1 || port > 65535 || host == "" {
		return queue.Listen{}, true, &usageError{err: usagef("--cluster %q: not an address to listen on", f.where), hint: "write listen:4222 or listen:0.0.0.0:4222"}
	}
	token, err := f.token(ctx)
	return queue.Listen{Host: host, Port: port, Token: token, CertFile: f.cert, KeyFile: f.key}, true, err
}
