package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/store"
	"leeway/results/web"
)

// defaultListen is where serve listens: on this machine only.
const defaultListen = "127.0.0.1:8080"

// minToken is the fewest characters of a token.
const minToken = 16

func (a *app) serveCommand() *cobra.Command {
	var storeFile, listen, tokenFile string
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Show the atlas as web pages",
		Long: `Serve the atlas as web pages: tables of tori, frontier plots, a page for every cell
with its picture, reasons and certificate, a search, and an editor for placements.
Without --store the atlas that is part of the program is shown; with it the store,
as it grows, and the searches that run on it. Ctrl-C ends it.

It listens on this machine only, unless --listen says otherwise, and only reads.
With --token-file it lets those who send the token post records to /records; each
is checked whole, its proof too, before it goes into the store.`,
		Example: `  leeway serve
  leeway serve --store nightly.store --listen 127.0.0.1:9000`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.serve(cmd.Context(), storeFile, listen, tokenFile)
		},
	}
	storeFlag(cmd, &storeFile)
	cmd.Flags().StringVar(&listen, "listen", defaultListen, "address to listen on, HOST:PORT; port 0 takes a free one")
	cmd.Flags().StringVar(&tokenFile, "token-file", "", "file with the token that lets others post records; needs --store")
	return cmd
}

// serve shows a store, or the atlas of the program without one, until the context
// ends.
func (a *app) serve(ctx context.Context, storeFile, listen, tokenFile string) error {
	token, err := readToken(ctx, tokenFile)
	if err != nil {
		return err
	}
	if token != "" && storeFile == "" {
		return usagef("--token-file lets records into a store: add --store")
	}
	err = withAtlas(ctx, storeFile, func(view *atlas.Atlas) error {
		options := web.Options{Name: "The atlas of the program", Version: version}
		if storeFile == "" {
			return a.serveAtlas(ctx, view, options, web.Access{}, nil, listen)
		}
		s, err := store.Open(storeFile)
		if err != nil {
			return inFlag("store", err)
		}
		defer s.Close()
		options.Name, options.Runs = "Store "+storeFile, true
		live := web.NewLive("Running searches")
		watching, stop := context.WithCancel(ctx)
		var watcher sync.WaitGroup
		watcher.Go(func() { web.Watch(watching, s, live) })
		defer watcher.Wait() // before the store is closed
		defer stop()
		return a.serveAtlas(ctx, view, options, web.Access{Token: token, Post: web.Submit(s)}, live, listen)
	})
	if early := (*stoppedError)(nil); errors.As(err, &early) {
		return nil // Ctrl-C ends it at any time
	}
	return err
}

// serveAtlas answers requests for the pages of an atlas, and of a live hub unless it is
// nil.
func (a *app) serveAtlas(ctx context.Context, view *atlas.Atlas, o web.Options, access web.Access, live *web.Live, listen string) error {
	site, err := web.NewSite(view, o)
	if err != nil {
		return err
	}
	listener, err := a.listen("listen", listen)
	if err != nil {
		return err
	}
	access.Loopback = loopback(listener)
	access.Report = func(err error) { a.remark("%v", err) }
	server := web.NewServer(site, access)
	if live != nil {
		server.Follow(live)
	}
	a.remark("serving %s at http://%s/ (Ctrl-C ends)", o.Name, listener.Addr())
	return serveUntil(ctx, listener, server)
}

// readToken returns the token in a file, "" without one.
func readToken(ctx context.Context, file string) (string, error) {
	if file == "" {
		return "", nil
	}
	data, err := results.ReadFile(ctx, file)
	if err != nil {
		return "", &usageError{err: fmt.Errorf("--token-file %w", err)}
	}
	token := strings.TrimSpace(string(data))
	if len(token) < minToken || strings.ContainsAny(token, " \t\n") {
		return "", &usageError{err: fmt.Errorf("--token-file %q: a token is one word of at least %d characters", file, minToken), hint: "for instance: head -c 24 /dev/urandom | base64 > " + file}
	}
	return token, nil
}

// listen opens the address of a flag. An address that is no address is bad usage, one
// that is in use is failed work.
func (a *app) listen(flag, address string) (net.Listener, error) {
	if _, _, err := net.SplitHostPort(address); err != nil {
		return nil, &usageError{err: fmt.Errorf("--%s %q: not HOST:PORT", flag, address), hint: "write for instance " + defaultListen}
	}
	l, err := net.Listen("tcp", address)
	var port *net.AddrError
	var host *net.DNSError
	switch {
	case errors.As(err, &port), errors.As(err, &host), errors.Is(err, syscall.EADDRNOTAVAIL):
		return nil, &usageError{err: fmt.Errorf("--%s %q: no address of this machine: %w", flag, address, err), hint: "write for instance " + defaultListen}
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, &busyError{flag, address}
	case err != nil:
		return nil, fmt.Errorf("--%s: %w", flag, err)
	}
	if !loopback(l) {
		a.remark("%s can be reached from other machines", l.Addr())
	}
	return l, nil
}

// loopback reports whether only this machine reaches a listener.
func loopback(l net.Listener) bool {
	tcp, ok := l.Addr().(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// serveUntil answers requests until the context ends, and then ends those under way.
func serveUntil(ctx context.Context, l net.Listener, h http.Handler) error {
	requests, cancel := context.WithCancel(context.Background())
	server := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 16 << 10,
		BaseContext: func(net.Listener) context.Context { return requests }}
	stop := context.AfterFunc(ctx, func() {
		cancel() // live pages would stay open for ever
		ending, done := context.WithTimeout(context.Background(), 2*time.Second)
		defer done()
		if server.Shutdown(ending) != nil {
			server.Close()
		}
	})
	defer stop()
	defer cancel()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
