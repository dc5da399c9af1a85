package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"leeway/cmd/cli"
	"leeway/core"
	"leeway/core/labels"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/deadlock"
	"leeway/objective/fast"
	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/compose"
	"leeway/results/disk"
	"leeway/results/frontier"
	"leeway/results/picture"
	"leeway/results/schedules"
)

// A drawing holds the flags of draw.
type drawing struct {
	subject
	pictureFlags
	schedule string
	phase    int
	orbit    int // of the optima of a record, from 1; 0: its placement
	values   bool
	deadlock bool
}

func (a *app) drawCommand() *cobra.Command {
	var d drawing
	cmd := command("draw [FILE]", "Draw a placement with the load of every link", cobra.MaximumNArgs(1),
		func(cmd *cobra.Command, files []string) error {
			if d.schedule != "" {
				return a.drawPhase(d, cmd, files)
			}
			return a.draw(cmd.Context(), d, files)
		})
	d.mostNodes = picture.MaxNodes
	d.flags(cmd, "torus", "network", "placement", "routing", "traffic", "conditions")
	d.pictureFlags.register(cmd)
	addFlags(cmd, []flag{
		{&d.schedule, "schedule", "draw a phase of this schedule of complete exchange instead"},
		{&d.phase, "phase", "with --schedule: the phase, from 0"},
		{&d.orbit, "orbit", "draw this one of the optima that the record lists, from 1"},
		{&d.values, "values", "SVG and PNG: print the exact load beside every link, as a terminal always does"},
		{&d.deadlock, "deadlock", "draw a shortest cycle of links that wait for each other, instead of the loads"},
	}...)
	cli.Need(cmd, "phase", "schedule", "add --schedule FILE")
	cli.Exclude(cmd, "schedule", "torus mesh network placement routing traffic reply-routing per-node fixed forbidden "+
		"orbit values deadlock", "the schedule says itself what is drawn")
	cmd.AddCommand(a.drawFrontierCommand())
	return cmd
}

// draw draws a placement with its loads.
func (a *app) draw(ctx context.Context, d drawing, files []string) error {
	if err := d.pictureFlags.read(); err != nil {
		return err
	}
	q, p, err := d.placedProblem(ctx, files)
	if err == nil && d.orbit != 0 {
		p, err = optimum(ctx, files, d.orbit)
	}
	if err != nil {
		return err
	}
	loads, err := d.numbers(ctx, q, p)
	if err != nil {
		return err
	}
	problem, err := d.conditionsOn(ctx, q.Routing, p)
	if err != nil {
		return err
	}
	params := picture.Params{Title: d.title, Routing: q.RoutingText(), Placement: p, Loads: loads, Fixed: problem.Fixed,
		Forbidden: problem.Forbidden, Traffic: q.Traffic, Values: d.values,
		ASCII: d.ascii, Cycle: d.deadlock}
	if len(files) > 0 && q.Routing.String() != results.TableRouting {
		k := texts.KeyOf(problem)
		params.Label = labels.Cell(k.Torus, k.Routing, p.Size())
	}
	params.Color, params.Width = a.paper(d.out)
	return a.put(d.pictureFlags, params)
}

// numbers returns what stands at links: their loads, or their places in a cycle.
func (d *drawing) numbers(ctx context.Context, q objective.Problem, p core.Placement) (*objective.Loads, error) {
	if !d.deadlock {
		return fast.EvaluateContext(ctx, q, p)
	}
	g, err := deadlock.New(ctx, q, p)
	if err != nil {
		return nil, cli.InFlag("deadlock", err)
	}
	var links []core.Link
	for _, c := range g.Cycle() {
		links = append(links, c.Link)
	}
	if links == nil {
		return nil, cli.Errorf("--deadlock: no links wait for each other in a circle: %s is free of deadlock",
			q.Routing).Hinted("leeway eval --deadlock prints the order of links that every path goes by")
	}
	return picture.PlacesIn(p.Torus(), links), nil
}

// conditionsOn returns the problem that a placement solves, with the fixed and forbidden nodes of its record and those
// of the flags, to which it must keep.
func (d *drawing) conditionsOn(ctx context.Context, r routing.Routing, p core.Placement) (objective.Problem, error) {
	recorded := objective.Problem{Routing: r, Size: p.Size(), Terms: d.recorded}
	asked, err := d.conditions(ctx, p)
	if err != nil {
		return asked, err
	}
	both := func(a, b core.Set) []int {
		return slices.Compact(slices.Sorted(slices.Values(append(a.Nodes(), b.Nodes()...))))
	}
	return recorded.WithNodes(both(recorded.Fixed, asked.Fixed), both(recorded.Forbidden, asked.Forbidden))
}

// optimum returns one of the optima that a record lists, by its number from 1.
func optimum(ctx context.Context, files []string, number int) (core.Placement, error) {
	if len(files) == 0 {
		return core.Placement{}, cli.Errorf("--orbit is one of the optima of a record: name its file")
	}
	record, err := disk.ReadRecordFile(ctx, files[0])
	if err != nil {
		return core.Placement{}, err
	}
	_, list, err := compose.ListedOptima(record)
	switch {
	case err != nil:
		return core.Placement{}, results.InFile(err, files[0])
	case len(list) == 0:
		return core.Placement{}, cli.Errorf("--orbit %d: %s lists no optima", number, files[0]).
			Hinted("leeway prove --all lists them")
	case number < 1 || number > len(list):
		return core.Placement{}, cli.Errorf("--orbit %d: %s lists orbits 1 to %d", number, files[0], len(list))
	}
	return list[number-1], nil
}

// drawPhase draws one phase of a schedule.
func (a *app) drawPhase(d drawing, cmd *cobra.Command, files []string) error {
	switch {
	case len(files) > 0:
		return cli.Errorf("%s: --schedule says itself what is drawn", files[0])
	case d.phase < 0:
		return cli.Errorf("--phase %d: phases count from 0", d.phase)
	}
	if err := d.pictureFlags.read(); err != nil {
		return err
	}
	r, err := schedules.Open(cmd.Context(), d.schedule)
	if err != nil {
		return err
	}
	defer r.Close()
	p, err := picture.PhaseAt(r.Head, r.Phases(), d.phase)
	var input *core.InputError
	var missing *picture.NoPhaseError
	switch {
	case errors.As(err, &missing):
		return &cli.Error{Err: cli.InFlag("phase", err)}
	case errors.As(err, &input):
		return cli.InFlag("schedule", err)
	case err != nil:
		return results.InFile(err, d.schedule)
	}
	p.Title, p.ASCII, p.Values = cmp.Or(d.title, p.Title), d.ascii, true
	p.Color, p.Width = a.paper(d.out)
	return a.put(d.pictureFlags, p)
}

func (a *app) drawFrontierCommand() *cobra.Command {
	var of subject
	var look pictureFlags
	var store string
	cmd := command("frontier", "Plot E_max against the number of processors, with bounds", cobra.NoArgs,
		func(cmd *cobra.Command, _ []string) error {
			if err := look.read(); err != nil {
				return err
			}
			return withAtlas(cmd.Context(), store, func(view *atlas.Atlas) error {
				if err := of.read(cmd.Context(), "torus", "routing"); err != nil {
					return err
				}
				where, err := of.key(cmd.Context())
				if err != nil {
					return err
				}
				cells, total := view.Cells(atlas.Filter{Torus: where, Routing: of.chosen.String()})
				if total == 0 {
					return noCell(fmt.Sprintf("of torus %s under %s", where, of.chosen))
				}
				chart, err := frontier.Chart(cells)
				if err != nil {
					return err
				}
				chart.ASCII, chart.Title = look.ascii, cmp.Or(look.title, chart.Title)
				chart.Color, chart.Width = a.paper(look.out)
				return a.put(look, chart)
			})
		})
	of.flags(cmd, "torus", "routing", "traffic", "conditions")
	storeFlag(cmd, &store)
	look.register(cmd)
	return cmd
}

// pictureFormats are the values of --format.
var pictureFormats = []string{"terminal", "svg", "png"}

// PictureFlags are the flags that say how and where a picture is put down.
type pictureFlags struct {
	format, out, title string
	ascii              bool
}

func (s *pictureFlags) register(cmd *cobra.Command) {
	addFlags(cmd, []flag{
		{&s.format, "format", "format: " + strings.Join(pictureFormats, ", ") + " (default: by the ending of --out)"},
		{&s.out, "out", "file to write (default: standard output)"},
		{&s.title, "title", "title of the picture"},
		{&s.ascii, "ascii", "terminal: use ASCII characters only"},
	}...)
}

// read validates the flags and settles the format.
func (s *pictureFlags) read() error {
	if s.format == "" {
		switch ending := strings.TrimPrefix(filepath.Ext(s.out), "."); ending {
		case "svg", "png":
			s.format = ending
		case "", "txt":
			s.format = "terminal"
		default:
			return cli.Errorf("--out %q: no picture is written as %s", s.out, ending).
				Hinted("end the name in .svg, .png or .txt, or say --format")
		}
	}
	return cli.OneOf("format", s.format, pictureFormats)
}

// put renders a picture in the format wanted, and whole before it writes, so that a failure leaves nothing
// half-written.
func (a *app) put(s pictureFlags, p picture.Picture) error {
	write := map[string]func(io.Writer, picture.Picture) error{"svg": picture.SVG, "png": picture.PNG,
		"terminal": picture.Terminal}[s.format]
	var b bytes.Buffer
	if err := write(&b, p); err != nil {
		return err
	}
	return a.deliver(s.out, b.Bytes())
}

// paper says whether text that goes to a file, or to stdout without one, may have colours, and how wide it may be: 0
// where that is not known.
func (a *app) paper(out string) (color bool, width int) {
	if file, columns := cli.Terminal(a.Stdout); file != nil && out == "" {
		return os.Getenv("NO_COLOR") == "", max(columns, 40)
	}
	return false, 0
}
