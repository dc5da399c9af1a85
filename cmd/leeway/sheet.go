package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"leeway/cmd/cli"
	"leeway/results/picture"
)

// The values of --theme and --format.
var (
	themes         = []string{"auto", "light", "dark"}
	pictureFormats = []string{"terminal", "svg", "png"}
)

// A sheet holds the flags that say how and where a picture is put down.
type sheet struct {
	format, out, theme, title string
	ascii                     bool
}

func (s *sheet) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.format, "format", "",
		"format: "+strings.Join(pictureFormats, ", ")+" (default: by the ending of --out)")
	cmd.Flags().StringVar(&s.out, "out", "", "file to write (default: standard output)")
	cmd.Flags().StringVar(&s.theme, "theme", "auto", "background of the picture: "+strings.Join(themes, ", "))
	cmd.Flags().StringVar(&s.title, "title", "", "title of the picture")
	cmd.Flags().BoolVar(&s.ascii, "ascii", false, "terminal: use ASCII characters only")
}

// read validates the flags, settles the format and returns the theme.
func (s *sheet) read() (picture.Theme, error) {
	theme := slices.Index(themes, s.theme)
	if theme < 0 {
		return 0, cli.OneOf("theme", s.theme, themes)
	}
	if s.format == "" {
		switch ending := strings.TrimPrefix(filepath.Ext(s.out), "."); ending {
		case "svg", "png":
			s.format = ending
		case "", "txt":
			s.format = "terminal"
		default:
			return 0, &cli.Error{Err: cli.Errorf("--out %q: no picture is written as %s", s.out, ending),
				Hint: "end the name in .svg, .png or .txt, or say --format"}
		}
	}
	return picture.Theme(theme), cli.OneOf("format", s.format, pictureFormats)
}

// put renders a picture in the format wanted, and whole before it writes, so that a failure leaves nothing
// half-written.
func (a *app) put(s sheet, p picture.Picture) error {
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
