// Plots draws cost against size, both on logarithmic scales: it reads what BenchmarkScale of cmd/work prints
// and writes an SVG for each kind of cost to the folder that it is given. The slope behind the name of a series
// is that of the line of least squares through the larger half of its points. It is a module of its own: the
// program does not depend on the plotter.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
)

// kinds are the pictures: their titles and axes.
var kinds = map[string][3]string{
	"evaluate": {"Full evaluation of k*k processors on k x k x k", "directed links", "time"},
	"search":   {"An evaluation within a search for 2k-1 processors on k x k", "directed links", "time"},
	"prove":    {"Proof of the optimum, with the search before it", "processors", "time"},
	"check":    {"What the checker needs for the same records", "processors", "time"},
}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: plots FOLDER <BENCHMARKS")
	}
	if err := draw(os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

// A series has its points in the sequence in which they were read.
type series struct {
	name   string
	points plotter.XYs
}

func draw(folder string) error {
	read := map[string][]*series{}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		kind, name, point, ok := parse(lines.Text())
		if !ok {
			continue
		}
		list := read[kind]
		if len(list) == 0 || list[len(list)-1].name != name {
			read[kind] = append(list, &series{name: name})
			list = read[kind]
		}
		list[len(list)-1].points = append(list[len(list)-1].points, point)
	}
	if err := lines.Err(); err != nil {
		return err
	}
	for kind, words := range kinds {
		if len(read[kind]) == 0 {
			return errors.New("no benchmark of the kind " + kind)
		}
		p := plot.New()
		p.Title.Text, p.X.Label.Text, p.Y.Label.Text = words[0], words[1], words[2]
		p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
		p.X.Tick.Marker, p.Y.Tick.Marker = ticks(count), ticks(seconds)
		p.Legend.Top, p.Legend.Left, p.Legend.Padding = true, true, 3
		p.Add(plotter.NewGrid())
		for i, s := range read[kind] {
			line, marks, err := plotter.NewLinePoints(s.points)
			if err != nil {
				return err
			}
			line.Color, marks.Color, marks.Shape = plotutil.Color(i), plotutil.Color(i), plotutil.Shape(i)
			p.Add(line, marks)
			p.Legend.Add(fmt.Sprintf("%s, slope %.2f", s.name, slope(s.points[len(s.points)/2:])), line, marks)
		}
		if err := p.Save(18*vg.Centimeter, 13*vg.Centimeter, filepath.Join(folder, "cost-"+kind+".svg")); err != nil {
			return err
		}
	}
	return nil
}

// parse reads a line as "BenchmarkScale/evaluate/odr/8^3 100 7103 ns/op 3072 size".
func parse(line string) (kind, name string, point plotter.XY, ok bool) {
	words := strings.Fields(line)
	if len(words) == 0 || !strings.HasPrefix(words[0], "BenchmarkScale/") {
		return "", "", point, false
	}
	path := strings.Split(words[0], "/")
	for i, unit := range words {
		switch unit {
		case "ns/op":
			point.Y, _ = strconv.ParseFloat(words[i-1], 64)
			point.Y /= 1e9
		case "size":
			point.X, _ = strconv.ParseFloat(words[i-1], 64)
		}
	}
	return path[1], strings.ReplaceAll(path[2], "_", " "), point, len(path) == 4 && point.X > 0 && point.Y > 0
}

// ticks are marks at 1, 2 and 5 times the powers of ten, those at powers of ten with words, on a short axis all.
type ticks func(float64) string

func (words ticks) Ticks(least, most float64) (list []plot.Tick) {
	for e := math.Floor(math.Log10(least)); math.Pow(10, e) <= most; e++ {
		for _, m := range []float64{1, 2, 5} {
			if v := m * math.Pow(10, e); v >= least && v <= most {
				t := plot.Tick{Value: v}
				if m == 1 || most/least < 100 {
					t.Label = words(v)
				}
				list = append(list, t)
			}
		}
	}
	return list
}

func count(v float64) string { return strconv.FormatFloat(math.Round(v), 'f', -1, 64) }

func seconds(v float64) string {
	for _, u := range []struct {
		unit float64
		name string
	}{{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}} {
		if v >= u.unit*0.999 {
			return count(v/u.unit) + " " + u.name
		}
	}
	return ""
}

// slope returns that of the line of least squares through the logarithms.
func slope(points plotter.XYs) float64 {
	var x, y, xx, xy float64
	for _, p := range points {
		a, b := math.Log(p.X), math.Log(p.Y)
		x, y, xx, xy = x+a, y+b, xx+a*a, xy+a*b
	}
	n := float64(len(points))
	return (n*xy - x*y) / (n*xx - x*x)
}
