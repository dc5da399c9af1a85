package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

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
	cmd.Flags().StringVar(&storeFile, "store", "", "store to show (default: the atlas that is part of the program)")
	cmd.Flags().StringVar(&listen, "listen", defaultListen, "address to listen on, HOST:PORT; port 0 takes a free one")
	cmd.Flags().StringVar(&tokenFile, "token-file", "", "file with the token that lets others post records; needs --store")
	return cmd
}

// serve shows a store, or the atlas of the program without one, until the context
// ends.
func (a *app) serve(ctx context.Context, storeFile, listen, tokenFile string) error {
	token, err := readToken(tokenFile)
	if err != nil {
		return err
	}
	if token != "" && storeFile == "" {
		return usagef("--token-file lets records into a store: add --store")
	}
	access := web.Access{Token: token}
	options := web.Options{Name: "The atlas of the program", Version: version}
	cells, err := openAtlas(storeFile)
	if err != nil {
		return err
	}
	defer cells.Close()
	var live *web.Live
	if storeFile != "" {
		s, err := store.Open(storeFile)
		if err != nil {
			return err
		}
		defer s.Close()
		access.Post = web.Submit(s)
		options.Name, options.Runs = "Store "+storeFile, true
		live = web.NewLive("Running searches")
		watching, stop := context.WithCancel(ctx)
		defer stop()
		go web.Watch(watching, s, live)
	}
	site, err := web.NewSite(cells, options)
	if err != nil {
		return err
	}
	listener, err := a.listen(listen)
	if err != nil {
		return err
	}
	access.Loopback = loopback(listener)
	server := web.NewServer(site, access)
	if live != nil {
		server.Follow(live)
	}
	a.remark("serving %s at http://%s/ (Ctrl-C ends)", options.Name, listener.Addr())
	return serveUntil(ctx, listener, server)
}

// openAtlas opens the view of a store, or of the atlas of the program without one.
func openAtlas(storeFile string) (*atlas.Atlas, error) {
	if storeFile == "" {
		return atlas.Shipped()
	}
	return atlas.OpenStore(storeFile)
}

// readToken returns the token in a file, "" without one.
func readToken(file string) (string, error) {
	if file == "" {
		return "", nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return "", &usageError{err: fmt.Errorf("--token-file %w", err)}
	}
	token := strings.TrimSpace(string(data))
	if len(token) < minToken || strings.ContainsAny(token, " \t\n") {
		return "", &usageError{err: fmt.Errorf("--token-file %q: a token is one word of at least %d characters", file, minToken), hint: "for instance: head -c 24 /dev/urandom | base64 > " + file}
	}
	return token, nil
}

// listen opens an address. An address that is no address is bad usage, one that is in
// use is failed work.
func (a *app) listen(address string) (net.Listener, error) {
	if _, _, err := net.SplitHostPort(address); err != nil {
		return nil, &usageError{err: fmt.Errorf("address %q: not HOST:PORT", address), hint: "write for instance " + defaultListen}
	}
	l, err := net.Listen("tcp", address)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, &busyError{address}
	case err != nil:
		return nil, fmt.Errorf("cannot listen on %s: %w", address, err)
	}
	if !loopback(l) {
		a.remark("%s can be reached from other machines", l.Addr())
	}
	return l, nil
}

// A busyError says that an address is in use.
type busyError struct{ address string }

func (e *busyError) Error() string {
	return fmt.Sprintf("%s is in use by another program", e.address)
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
