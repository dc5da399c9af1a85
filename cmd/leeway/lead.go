package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"sync/atomic"
	"time"

	"leeway/cmd/work"
	"leeway/search/cluster"
	"leeway/search/cluster/message"
	"leeway/search/cluster/queue"
)

// A lead is a coordinator with everything around it.
type lead struct {
	*cluster.Coordinator
	log  *slog.Logger
	stop []func() // in the order of making
	live atomic.Pointer[work.Live]
}

// startLead makes this process a coordinator that keeps what it needs in dir, "" for
// nowhere, and works with some workers itself.
func (a *app) startLead(ctx context.Context, f *clusterFlags, dir, job string, workers int) (l *lead, err error) {
	l = &lead{log: a.logger(f.logJSON)}
	defer func() {
		if err != nil {
			l.end()
			l = nil
		}
	}()
	listen, own, err := f.listen(ctx)
	if err != nil {
		return l, err
	}
	confirmers := workers
	if workers == 0 {
		confirmers = runtime.NumCPU()
	}
	leaveRoom(workers + confirmers)
	key, err := work.CoordinatorKey(dir, f.where)
	if err != nil {
		return l, err
	}
	access := queue.Access{}
	if own {
		listen.Dir = dir
		listen.Announce = func(token string) error {
			if listen.Token != "" {
				return nil // who joins has it
			}
			remove, err := work.KeepToken(listen.Port, token)
			if err != nil {
				return &usageError{err: fmt.Errorf("no token can be kept for workers on this machine: %w", err), hint: "give one: --token-file FILE"}
			}
			l.stop = append(l.stop, remove)
			return nil
		}
		if access.Server, err = queue.Start(listen); err != nil {
			return l, openHint(err)
		}
		l.stop = append(l.stop, access.Server.Stop)
		access.Name = "coordinator"
		l.log.Info("listening", "address", access.Server.Addr())
	} else if access, err = f.access(ctx, "cluster", f.where); err != nil {
		return l, err
	}
	access.Lead, access.Patience, access.Replicas = true, f.patience, f.replicas
	q, err := dial(ctx, access, l.log)
	if err != nil {
		return l, err
	}
	l.stop = append(l.stop, func() { _ = q.Close() })
	o := cluster.Options{Program: version, Job: job, Log: l.log, UnitTime: f.unit, Patience: f.patience, Key: key, Own: own,
		Confirm: work.ConfirmTree, Confirmers: confirmers,
		Watch: func(s message.Status) { l.live.Load().Cluster(s) }}
	if f.confirm == confirmSample {
		o.Sample = sampleOf
	}
	l.Coordinator, err = cluster.Open(ctx, q, o)
	if err != nil {
		return l, jobHint(err)
	}
	l.stop = append(l.stop, l.Coordinator.Close)
	if err := l.serveMetrics(f.metrics); err != nil {
		return l, err
	}
	if workers > 0 {
		t := a.tools(workers, l.log)
		t.Vouch, t.Planned = l.Vouch, l.Planned
		l.join(ctx, q, t)
	}
	return l, nil
}

// show has a live page show the cluster from now on. A nil lead shows nothing.
func (l *lead) show(live *work.Live) {
	if l != nil {
		l.live.Store(live)
	}
}

// join has this process work too.
func (l *lead) join(ctx context.Context, q queue.Queue, t cluster.WorkerOptions) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := cluster.Work(ctx, q, t); err != nil && ctx.Err() == nil {
			l.log.Error("this process does not work any more", "error", err.Error())
		}
	}()
	l.stop = append(l.stop, func() { cancel(); <-ended })
}

// serveMetrics answers on an address, unless that is "".
func (l *lead) serveMetrics(address string) error {
	if address == "" {
		return nil
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return &usageError{err: fmt.Errorf("--metrics %q: %w", address, err)}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4")
		_ = cluster.WriteMetrics(w, l.Status()) // the reader has gone
	})
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go func() { _ = server.Serve(listener) }() // ends with Close
	l.stop = append(l.stop, func() { _ = server.Close() })
	return nil
}

// end ends everything, the last first.
func (l *lead) end() {
	for i := len(l.stop) - 1; i >= 0; i-- {
		l.stop[i]()
	}
}

// openHint says how to listen to other machines, and what is wrong with a port.
func openHint(err error) error {
	var usage *usageError
	if errors.As(err, &usage) {
		return err
	}
	var open *queue.OpenError
	if errors.As(err, &open) {
		return &usageError{err: err, hint: "add --token-file FILE, --tls-cert FILE and --tls-key FILE; see docs/cluster.md"}
	}
	return &usageError{err: fmt.Errorf("--cluster %w", err)}
}

// jobHint says what to do about a queue that is taken.
func jobHint(err error) error {
	var job *cluster.JobError
	if errors.As(err, &job) {
		return &usageError{err: err, hint: "end that job with its own command, or use another server, or another --work or --store file"}
	}
	return err
}

// clusterEnding is what a coordinator adds to the name of the file of the proof or
// search, to keep the queue in a folder next to it.
const clusterEnding = ".cluster"

// queueDir returns the folder of a queue, "" where the work is not kept either.
func queueDir(file string) string {
	if file == "" {
		return ""
	}
	return file + clusterEnding
}
