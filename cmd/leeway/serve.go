package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"leeway/cmd/cli"
	"leeway/results/atlas"
	"leeway/results/store"
	"leeway/results/web"
	"leeway/search/refuters"
)

// defaultListen is where serve listens: on this machine only.
const defaultListen = "127.0.0.1:8080"

func (a *app) serveCommand() *cobra.Command {
	var storeFile, tokenFile string
	listen := defaultListen
	cmd := command("serve", "Show the atlas as web pages", cobra.NoArgs, func(cmd *cobra.Command, _ []string) error {
		return a.serve(cmd.Context(), storeFile, listen, tokenFile)
	})
	storeFlag(cmd, &storeFile)
	addFlags(cmd, flag{&listen, "listen", "show the pages at HOST:PORT; port 0 takes a free one"},
		flag{&tokenFile, "token-file", "file with the token for posting records; needs --store"})
	cli.Need(cmd, "token-file", "store", "--token-file lets records into a store: add --store")
	return cmd
}

// serve shows a store, or the atlas of the program without one, until the context ends.
func (a *app) serve(ctx context.Context, storeFile, listen, tokenFile string) error {
	token, err := readToken(ctx, tokenFile)
	switch {
	case err != nil:
		return err
	case strings.ContainsAny(token, " \t\n"):
		return cli.Errorf("--token-file %q: a token is one word", tokenFile)
	}
	err = withAtlas(ctx, storeFile, func(view *atlas.Atlas) error {
		options := web.Options{Name: "The atlas of the program", Version: version, Engine: a.editorEngine()}
		access := web.Access{Token: token, Report: func(err error) { a.Remark("%v", err) }}
		if storeFile != "" {
			s, err := store.Open(storeFile)
			if err != nil {
				return cli.InFlag("store", err)
			}
			defer s.Close()
			options.Name, options.Runs, access.Post = "Store "+storeFile, s, web.Submit(s, refuters.Produce)
		}
		site, err := web.NewSite(view, options)
		if err != nil {
			return err
		}
		listener, err := cli.Listen("listen", listen, defaultListen)
		if err != nil {
			return err
		}
		if access.Loopback = web.Loopback(listener); !access.Loopback {
			a.Remark("%s can be reached from other machines", listener.Addr())
		}
		a.Remark("%s: http://%s/ (Ctrl-C ends)", options.Name, listener.Addr())
		return web.Serve(ctx, listener, web.NewServer(site, access))
	})
	if early := (*cli.StoppedError)(nil); errors.As(err, &early) {
		return nil // Ctrl-C ends it at any time
	}
	return err
}

// editorEngine returns the engine of the editor, a file that make engine puts beside the program and make install into
// share/leeway; nil, with a remark, where there is none.
func (a *app) editorEngine() []byte {
	program, err := os.Executable()
	if err == nil {
		program, err = filepath.EvalSymlinks(program)
	}
	if err == nil {
		for _, folder := range []string{"", "../share/leeway"} {
			if engine, err := os.ReadFile(filepath.Join(filepath.Dir(program), folder, "engine.wasm.js")); err == nil {
				return engine
			}
		}
	}
	a.Remark("the editor of these pages cannot compute: the program has no engine.wasm.js beside it")
	cli.Say(a.Stderr, "hint: make engine\n")
	return nil
}
