package findings_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"leeway/core/coretest"
	"leeway/results/atlas"
	"leeway/results/findings"
)

// rawCell is what this test reads of a line of a file of the atlas, by itself.
type rawCell struct {
	Torus, Routing string
	Size           int
	Record         struct {
		Status    string
		MaxLoad   string `json:"max_load"`
		Orbits    int
		Fixed     [][]int
		Forbidden [][]int
		Radius    int
		Distance  int
		Proof     struct {
			Kind, Basis string
			Steps       *int64
		}
	}
}

// rawLines reads the lines of files of the atlas.
func rawLines[T any](t *testing.T, pattern string) (list []T) {
	for _, name := range coretest.Must(filepath.Glob("../atlas/" + pattern)) {
		for line := range strings.Lines(string(coretest.Must(os.ReadFile(name)))) {
			var v T
			if err := json.Unmarshal([]byte(line), &v); err != nil {
				t.Fatal(name, err)
			}
			if strings.HasPrefix(line, `{"torus"`) {
				list = append(list, v)
			}
		}
	}
	return list
}

// TestCompletenessNumbers counts every number of the page outside of the table of networks in the files of the atlas.
func TestCompletenessNumbers(t *testing.T) {
	coretest.Alone(t)
	page := coretest.Must(findings.Completeness(coretest.Must(atlas.Shipped())))
	all, optimal, conditioned, listed, bySteps := 0, 0, 0, 0, 0
	kinds, loads := map[string]int{}, map[string]string{}
	key := func(torus, routing string, size int) string { return fmt.Sprint(torus, " ", routing, " ", size) }
	for _, pattern := range []string{"a*.jsonl", "c*.jsonl", "m*.jsonl", "r*.jsonl", "t*.jsonl"} {
		for _, c := range rawLines[rawCell](t, pattern) {
			r := c.Record
			all++
			loads[key(c.Torus, c.Routing, c.Size)] = r.MaxLoad
			if r.Fixed != nil || r.Forbidden != nil || r.Radius+r.Distance > 0 {
				conditioned++
			}
			if r.Status == "optimal" {
				optimal++
				kinds[r.Proof.Kind]++
				if (r.Proof.Kind == "steps" || r.Proof.Basis == "steps") && r.Proof.Steps == nil {
					t.Errorf("%s: the kernel has accepted no proof", key(c.Torus, c.Routing, c.Size))
				}
			}
			if r.Orbits > 0 {
				listed++
				if r.Proof.Kind == "steps" {
					bySteps++
				}
			}
		}
	}
	want := []string{fmt.Sprintf("%d cells, %d optimal, %d open.", all, optimal, all-optimal),
		fmt.Sprintf("\n%d cells have fixed or forbidden nodes", conditioned),
		fmt.Sprintf("optima**: %d cells say", listed),
		fmt.Sprintf("On %d of them the proof", bySteps), fmt.Sprintf("below it | %d |", kinds["steps"]),
		fmt.Sprintf("weaker routing | %d |", kinds["monotone"])}
	if n := kinds["bound"]; n > 0 {
		want = append(want, fmt.Sprintf("closed form | %d |", n))
	}

	type old struct {
		Torus, Routing, Until string
		Size                  int
		MaxLoad               string `json:"max_load"`
	}
	past := rawLines[old](t, "history.jsonl")
	days := map[string][2]int{}
	for i, o := range past {
		next := loads[key(o.Torus, o.Routing, o.Size)]
		for _, later := range past[i+1:] {
			if later.Torus == o.Torus && later.Routing == o.Routing && later.Size == o.Size {
				next = later.MaxLoad
				break
			}
		}
		if next == "" {
			continue // not in the atlas under this name any more
		}
		d := days[o.Until]
		if next != o.MaxLoad {
			d[0]++
		} else {
			d[1]++
		}
		days[o.Until] = d
	}
	for day, n := range days {
		want = append(want, fmt.Sprintf("\n| %s | %d | %d |", day, n[0], n[1]))
	}
	for _, text := range want {
		if !strings.Contains(page, text) {
			t.Errorf("the page does not say %q", text)
		}
	}
	numbers := regexp.MustCompile(`[0-9]+`)
	_, rest, _ := strings.Cut(page, "\n\n"+strconv.Itoa(conditioned)+" cells have")
	said := numbers.FindAllString(strings.NewReplacer("at most 64", "", "in 64", "").Replace(rest), -1)
	for _, text := range want[2:] {
		for _, n := range numbers.FindAllString(text, -1) {
			if i := slices.Index(said, n); i >= 0 {
				said = slices.Delete(said, i, i+1)
			}
		}
	}
	if len(said) > 0 {
		t.Errorf("nothing here counts the numbers %v of the page", said)
	}
}

// TestCompleteness reads every number of the table of networks back: each size of the page is a cell of the atlas with
// that status, and all cells without conditions are there.
func TestCompleteness(t *testing.T) {
	coretest.Alone(t)
	view := coretest.Must(atlas.Shipped())
	page := coretest.Must(findings.Completeness(view))
	said := map[string]bool{} // network, routing, size and whether it is proved
	for line := range strings.Lines(page) {
		columns := strings.Split(strings.TrimSpace(line), "|")
		if len(columns) != 6 || !strings.HasPrefix(columns[2], " `") {
			continue
		}
		where := strings.TrimSpace(columns[1])
		for way := range strings.SplitSeq(strings.TrimSpace(columns[2]), ", ") {
			way = strings.Trim(way, "`")
			if !strings.Contains(way, "tie=") {
				name, _, _ := strings.Cut(way, ":")
				way += map[bool]string{true: ":tie=both", false: ":tie=plus"}[name == "minimal" || name == "avoid"]
			}
			for i, list := range columns[3:5] {
				list = strings.Trim(list, " *")
				if list == "all" {
					c, _ := view.Cells(atlas.Filter{Torus: where, Routing: way})
					list = "1.." + strconv.Itoa(len(c))
				}
				for part := range strings.SplitSeq(list, ", ") {
					from, to, isRange := strings.Cut(part, "..")
					if !isRange {
						to = from
					}
					first, _ := strconv.Atoi(from)
					last, _ := strconv.Atoi(to)
					for n := max(1, first); n <= last; n++ {
						said[where+" "+way+" "+strconv.Itoa(n)+" "+strconv.FormatBool(i == 0)] = true
					}
				}
			}
		}
	}
	cells, _ := view.Cells(atlas.Filter{})
	count := 0
	for _, c := range cells {
		if c.Conditioned() {
			continue
		}
		count++
		at := c.Where() + " " + c.Routing + " " + strconv.Itoa(c.Size) + " "
		if is := c.Status == atlas.Optimal; !said[at+strconv.FormatBool(is)] || said[at+strconv.FormatBool(!is)] {
			t.Errorf("%s is %s, the page says otherwise", at, c.Status)
		}
	}
	if len(said) != count {
		t.Errorf("the page has %d cells, the atlas %d", len(said), count)
	}
}
