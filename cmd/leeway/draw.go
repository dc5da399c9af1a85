package main

import (
	"bytes"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"leeway/core"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results"
	"leeway/results/picture"
)

// themes are the values of --theme.
var themes = []string{"auto", "light", "dark"}

// A drawing holds the flags of draw.
type drawing struct {
	subject
	format, out, theme, title string
	schedule                  string
	phase                     int
	values, ascii             bool
}

func (a *app) drawCommand() *cobra.Command {
	var d drawing
	cmd := &cobra.Command{
		Use:   "draw [RECORD]",
		Short: "Draw a placement with the load of every link",
		Long: `Draw a placement and the exact load of every link, in the terminal or as SVG. The
subject is a record, or --torus, --placement and --routing. Tori of more than two
dimensions are drawn in slices.`,
		Example: `  leeway draw best.json
  leeway draw --torus 8x8 --placement spaced:t=2 --routing udr:tie=both --out spaced.svg
  leeway draw --schedule mesh.json --phase 3 --out phase3.svg`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, files []string) error {
			if d.schedule != "" || cmd.Flags().Changed("phase") {
				return a.drawPhase(d, cmd, files)
			}
			p, err := d.params(files)
			if err != nil {
				return err
			}
			return a.draw(d, p)
		},
	}
	d.torusFlag(cmd)
	d.placementFlag(cmd)
	d.routingFlag(cmd)
	cmd.Flags().StringVar(&d.format, "format", "", "format: terminal or svg (default: by the ending of --out)")
	cmd.Flags().StringVar(&d.out, "out", "", "file to write (default: standard output)")
	cmd.Flags().StringVar(&d.theme, "theme", "auto", "background of the picture: "+strings.Join(themes, ", "))
	cmd.Flags().StringVar(&d.title, "title", "", "title of the picture")
	cmd.Flags().StringVar(&d.schedule, "schedule", "", "draw a phase of this schedule of complete exchange instead")
	cmd.Flags().IntVar(&d.phase, "phase", 0, "with --schedule: the phase, from 0")
	cmd.Flags().BoolVar(&d.values, "values", false, "print the exact load beside every link")
	cmd.Flags().BoolVar(&d.ascii, "ascii", false, "terminal: use ASCII characters only")
	return cmd
}

// params reads the subject and the looks of a picture.
func (d *drawing) params(files []string) (picture.Params, error) {
	theme, err := d.looks()
	if err != nil {
		return picture.Params{}, err
	}
	r, p, err := d.subject.drawn(files)
	if err != nil {
		return picture.Params{}, err
	}
	return picture.Params{Title: d.title, Routing: r.String(), Placement: p, Loads: objective.Evaluate(r, p),
		Theme: theme, Values: d.values, ASCII: d.ascii}, nil
}

// looks reads theme and format.
func (d *drawing) looks() (picture.Theme, error) {
	theme := slices.Index(themes, d.theme)
	if theme < 0 {
		return 0, &usageError{err: usagef("--theme %q: unknown theme", d.theme), hint: "themes are " + strings.Join(themes, ", ")}
	}
	if d.format == "" {
		d.format = "terminal"
		if strings.HasSuffix(d.out, ".svg") {
			d.format = "svg"
		}
	}
	if d.format != "svg" && d.format != "terminal" {
		return 0, &usageError{err: usagef("--format %q: unknown format", d.format), hint: "formats are terminal and svg"}
	}
	return picture.Theme(theme), nil
}

// drawn reads routing and placement from a record or from the flags.
func (s *subject) drawn(files []string) (routing.Routing, core.Placement, error) {
	if len(files) == 1 {
		if s.torusText+s.placementText+s.routingText != "" {
			return nil, core.Placement{}, usagef("a record says torus, placement and routing itself: leave the flags away")
		}
		return readRecord(files[0])
	}
	return s.instance()
}

// readRecord returns routing and placement of a record file.
func readRecord(name string) (routing.Routing, core.Placement, error) {
	record, err := results.ReadRecordFile(name)
	if err != nil {
		return nil, core.Placement{}, err
	}
	t, err := core.NewTorus(record.Torus...)
	if err != nil {
		return nil, core.Placement{}, err
	}
	r, err := record.ReadRouting(t)
	if err != nil {
		return nil, core.Placement{}, err
	}
	p, err := core.PlacementFromCoords(t, record.Nodes)
	return r, p, err
}

// draw renders the picture whole before it writes, so that a failure leaves
// nothing half-written.
func (a *app) draw(d drawing, p picture.Params) error {
	var b bytes.Buffer
	render := picture.SVG
	if d.format == "terminal" {
		render = picture.Terminal
		if d.out == "" && isTerminal(a.stdout) {
			p.Color = os.Getenv("NO_COLOR") == ""
			if width, _, err := term.GetSize(int(a.stdout.(*os.File).Fd())); err == nil {
				p.Width = max(width, 40)
			}
		}
	}
	if err := render(&b, p); err != nil {
		return err
	}
	if d.out != "" {
		return results.WriteFile(d.out, b.Bytes())
	}
	_, err := a.stdout.Write(b.Bytes())
	return err
}
