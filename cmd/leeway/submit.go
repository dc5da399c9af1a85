package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"leeway/cmd/cli"
	"leeway/objective"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/check"
	"leeway/results/check/documents"
	"leeway/results/disk"
	"leeway/results/layout"
	"leeway/results/web"
	"leeway/search/refuters"
)

// A contribution is a checked record with the label of its orbit and who is to be named, and beside its fields how it
// stands beside the atlas. Whatever reads records reads it.
type contribution struct {
	results.Record
	Cell      string `json:"cell"`
	Standing  string `json:"standing"`
	BestKnown string `json:"best_known"`
}

func (a *app) submitCommand() *cobra.Command {
	var c contribution
	var credit results.Credit
	var storeFile, out, to, tokenFile string
	cmd := command("submit FILE", "Check a record and write it as a contribution to the atlas, or send it to a server",
		cobra.ExactArgs(1),
		func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			token, err := readToken(ctx, tokenFile)
			if err != nil {
				return err
			}
			err = withAtlas(ctx, storeFile, func(view *atlas.Atlas) error { return c.fill(ctx, view, args[0]) })
			if err != nil {
				return err
			}
			if credit != (results.Credit{}) {
				c.Credit = &credit
			}
			a.Remark("%s: E_max %s, %s", c.Label, decimal(c.Record.MaxLoad), c.Standing)
			if to != "" {
				return a.send(ctx, to, token, c.Record)
			}
			return a.keep(out, c)
		})
	storeFlag(cmd, &storeFile)
	addFlags(cmd, []flag{
		{&credit.Finder, "finder", "who found the placement"},
		{&credit.Paper, "source", "where it was published: title, DOI or address"},
		{&credit.Year, "year", "year of the publication"},
		{&out, "out", "file for the contribution"},
		{&to, "server", "address of a server that takes records in, as http://localhost:8080"},
		{&tokenFile, "token-file", "file that holds the token of the server"},
	}...)
	cli.Need(cmd, "server", "token-file", "who runs the server gives out its token")
	cli.Need(cmd, "token-file", "server", "add --server URL")
	return cmd
}

// fill reads and checks a record, and compares it with an atlas. What is no better than what the atlas has, nor another
// orbit of equal E_max, is refused.
func (c *contribution) fill(ctx context.Context, view *atlas.Atlas, file string) error {
	data, err := disk.ReadFile(ctx, file)
	if err != nil {
		return err
	}
	if c.Record, err = results.ReadRecord(data); err != nil {
		return results.InFile(err, file)
	}
	v := documents.Document(ctx, data, filepath.Dir(file), check.Options{Produce: refuters.Produce})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if v.Verdict != check.Valid {
		return fmt.Errorf("%s: %s: %s", file, v.Verdict, strings.Join(v.Reasons, "; "))
	}
	s := subject{}
	q, placed, err := s.toIdentify(ctx, file)
	if err != nil {
		return err
	}
	id, err := view.Identify(ctx, []objective.Problem{q}, placed)
	if err != nil {
		return err
	}
	cell, _, known := view.Find(q)
	if known && id.Standing == atlas.StandingWorse {
		return fmt.Errorf("%s: E_max %s is above the best known, %s", file, id.MaxLoad, id.BestKnown)
	}
	switch d, found, err := view.Labelled(ctx, id.Label); {
	case err != nil:
		return err
	case found && (d.Status == atlas.Optimal || c.Record.Status == results.StatusFeasible):
		return cli.Errorf("%s: the atlas has this placement", file).Hinted("leeway atlas show " + id.Label)
	}
	c.Label, c.Cell, c.Standing, c.BestKnown = id.Label, id.Cell, id.Standing, id.BestKnown
	if !known || cell.Where() == c.Record.Where() && cell.Routing == c.Record.Routing {
		c.Record.Nodes = slices.Clone(id.Nodes)
		c.Record.ClaimSHA256 = c.Record.Hash()
	}
	return nil
}

// send posts a record to a server and says what it answers.
func (a *app) send(ctx context.Context, to, token string, r results.Record) error {
	data, err := layout.Encode(r)
	if err != nil {
		return err
	}
	address, err := url.JoinPath(to, "records")
	if err != nil {
		return cli.InFlag("server", err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(data))
	if err != nil {
		return cli.InFlag("server", err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	var said struct {
		web.Receipt
		Error string `json:"error"`
	}
	if err := json.NewDecoder(io.LimitReader(answer.Body, 1<<20)).Decode(&said); err != nil {
		return fmt.Errorf("%s answers %s", address, answer.Status)
	}
	switch answer.StatusCode {
	case http.StatusCreated:
		a.Printf("taken in\n")
	case http.StatusOK:
		a.Printf("valid, but the server has one as good\n")
	default:
		return fmt.Errorf("%s answers %s: %s", address, answer.Status, strings.Join(append(said.Reasons, said.Error), "; "))
	}
	return nil
}
