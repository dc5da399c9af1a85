package web_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"github.com/chromedp/chromedp"

	"leeway/cmd/work"
	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/bound"
	"leeway/objective/lowerbound"
	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/answers"
	"leeway/results/compose"
)

// asked is a question to the engine, as the page poses it.
type asked map[string]any

// ask returns the answers of the engine of a page to some questions, each as T.
func askEngine[T any](b *browser, list []asked) []T {
	b.t.Helper()
	data := coretest.Must(json.Marshal(list))
	answers := eval[string](b, `(async () => {
		window.engine ??= await Engine.start(JSON.parse(document.getElementById("data").textContent).engine);
		return JSON.stringify(await Promise.all(`+string(data)+`.map((q) => window.engine.ask(q))));
	})()`)
	var found []T
	coretest.Try(json.Unmarshal([]byte(answers), &found))
	return found
}

// An instance is a placement under a problem, with the texts of both.
type instance struct {
	problem objective.Problem
	s       core.Placement
	asked   asked
}

// instances draws placements on networks of one to four dimensions under all routings and traffics.
func instances(b *browser) (list []instance) {
	rng := rand.New(rand.NewPCG(11, 0))
	ways := []string{"udr:tie=both", "udr", "odr", "odr:tie=both", "minimal", "minimal:tie=plus", "avoid"}
	for _, sides := range [][]int{{2, 2}, {9}, {2, 3}, {4, 4}, {5, 4}, {3, 3, 3}, {2, 4, 2}, {3, 2, 2, 2}} {
		for _, name := range ways {
			for i := range 4 {
				t := core.MustTorus(sides...)
				if i >= 2 {
					var open, bandwidth []int
					for j := range sides {
						if rng.IntN(2) == 0 {
							open = append(open, j)
						}
						bandwidth = append(bandwidth, 1+rng.IntN(6))
					}
					var err error
					if t, err = t.WithLinks(open, bandwidth); err != nil {
						b.t.Fatal(err)
					}
				}
				r := coretest.Must(routing.Parse(t, name))
				p := objective.Problem{Routing: r}
				if i%2 == 1 && !r.DependsOnPlacement() {
					p = drawDemand(rng, ways[:len(ways)-1]).apply(b.t, p)
				}
				s := family.Draw(t, 1+rng.IntN(min(t.N(), 18)), rng)
				list = append(list, instance{p, s, asked{"where": p.Where(), "routing": name,
					"placement": "nodes:" + core.JoinNodes(s.Coords())}})
			}
		}
	}
	return list
}

// question returns the question about an instance with a command and what that needs.
func (i instance) question(command string, more ...any) asked {
	q := asked{"command": command}
	for key, value := range i.asked {
		q[key] = value
	}
	for k := 0; k < len(more); k += 2 {
		q[more[k].(string)] = more[k+1]
	}
	return q
}

// engineEqualsNaive holds the engine in the browser against the naive evaluator, the paths of routings and the bounds
// of the program, on random placements.
func engineEqualsNaive(b *browser, base string) {
	b.do(chromedp.Navigate(base + "/editor.html"))
	list := instances(b)
	rng := rand.New(rand.NewPCG(12, 0))
	var evals, links, paths []asked
	for _, i := range list {
		i.asked["link"] = drawLink(i.s.Torus(), rng)
		evals = append(evals, i.question("eval"))
		links = append(links, i.question("link"))
		paths = append(paths, i.question("paths", "from", i.s.Nodes()[0]))
	}
	type placed struct {
		Loads      []string
		Bounds     []answers.Bound
		Evaluation compose.Evaluation
	}
	type user struct {
		From, To    int
		Share, Load string
		Reply       bool
	}
	sent := askEngine[struct{ Loads []string }](b, paths)
	users := askEngine[[]user](b, links)
	for k, have := range askEngine[placed](b, evals) {
		i, t := list[k], list[k].s.Torus()
		name := fmt.Sprintf("%s %s %v", i.problem.Where(), i.problem.Routing, i.s.Nodes())
		loads := i.problem.Naive(i.s)
		var want []string
		for l := range t.M() {
			want = append(want, loads.Load(core.Link(l)).RatString())
		}
		if !slices.Equal(have.Loads, want) {
			b.t.Errorf("%s: loads %v, naive %v", name, have.Loads, want)
		}
		most, count := loads.Max()
		if have.Evaluation.MaxLoad != most.RatString() || have.Evaluation.LinksAtMax != count {
			b.t.Errorf("%s: E_max %s on %d links, naive %s on %d", name, have.Evaluation.MaxLoad,
				have.Evaluation.LinksAtMax, most.RatString(), count)
		}
		bounds := bound.QuickPlacementBounds(i.s)
		if i.problem.Traffic.Clients() {
			bounds = bound.ClientPlacementBounds(context.Background(), i.problem, i.s)
		}
		for _, one := range have.Bounds {
			if !slices.ContainsFunc(bounds, func(o lowerbound.Bound) bool {
				return o.Name == one.Name && o.Value.RatString() == one.Value
			}) {
				b.t.Errorf("%s: the bound %s %s is none of the program's", name, one.Name, one.Value)
			}
		}
		// What uses the link, and what the first processor sends, from lists of paths.
		link := core.Link(i.asked["link"].(int))
		_, port := t.LinkFrom(link)
		var uses []user
		out := make([]*big.Rat, t.M())
		for l := range out {
			out[l] = new(big.Rat)
		}
		for m := range i.problem.Messages(i.s) {
			count, through := 0, make([]int, t.M())
			for path, weight := range m.Routing.Paths(m.From, m.To, i.s.Set()) {
				count += int(weight)
				for _, l := range path {
					through[l] += int(weight)
				}
			}
			for l, times := range through {
				if times == 0 {
					continue
				}
				_, p := t.LinkFrom(core.Link(l))
				load := big.NewRat(int64(times)*m.Count, int64(count*t.Bandwidth(p.Dim)))
				if m.From == i.s.Nodes()[0] {
					out[l].Add(out[l], load)
				}
				if core.Link(l) == link {
					uses = append(uses, user{m.From, m.To, big.NewRat(int64(times), int64(count)).RatString(), load.RatString(),
						m.Reply})
				}
			}
		}
		order := func(x, y user) int {
			return slices.Compare([]int{x.From, x.To, len(x.Share)}, []int{y.From, y.To, len(y.Share)})
		}
		if port.Dim >= 0 {
			mine := slices.Clone(users[k])
			slices.SortStableFunc(mine, order)
			slices.SortStableFunc(uses, order)
			same := len(mine) == len(uses)
			for _, u := range mine {
				same = same && slices.Contains(uses, u)
			}
			if !same {
				b.t.Errorf("%s: link %d is used by %v, by its paths %v", name, link, mine, uses)
			}
		}
		for l, load := range sent[k].Loads {
			if load != out[l].RatString() {
				b.t.Errorf("%s: link %d gets %s from node %d, by its paths %s", name, l, load, i.s.Nodes()[0],
					out[l].RatString())
			}
		}
	}
}

// drawLink returns the number of some link of a network.
func drawLink(t *core.Torus, rng *rand.Rand) int {
	for {
		if l := rng.IntN(t.M()); t.HasLink(core.Link(l)) {
			return l
		}
	}
}

// engineEqualsProgram searches, proves and checks in the browser: the records are those of the program for the same
// seed, and they are valid.
func engineEqualsProgram(b *browser, base string) {
	b.do(chromedp.Navigate(base + "/editor.html"))
	var questions []asked
	var want []map[string]any
	for _, c := range []struct {
		command, where, routing string
		size                    int
		evaluations             int64
		below                   string
		all                     bool
	}{
		{command: "search", where: "6x6", routing: "odr:tie=plus", size: 7, evaluations: 20_000},
		{command: "search", where: "4x5:open=0:bandwidth=1,2", routing: "udr:tie=both", size: 5, evaluations: 5_000},
		{command: "search", where: "4x4:fixed=0,0:forbidden=1,1", routing: "minimal:tie=both", size: 4, evaluations: 3_000},
		{command: "search", where: "4x4:open=0,1:traffic=clients:request=1:reply=4", routing: "odr:tie=plus", size: 4,
			evaluations: 3_000},
		{command: "search", where: "3x3x3", routing: "udr:tie=plus", size: 9, evaluations: 10_000},
		{command: "search", where: "3x3", routing: "avoid:tie=both", size: 4, evaluations: 2_000},
		{command: "search", where: "4x4", routing: "free", size: 4, evaluations: 2_000},
		{command: "prove", where: "4x4", routing: "odr:tie=both", size: 5},
		{command: "prove", where: "5x5", routing: "udr:tie=plus", size: 6, all: true},
		{command: "prove", where: "8x8", routing: "udr:tie=both", size: 16},
		{command: "prove", where: "4x4:open=0,1", routing: "odr:tie=plus", size: 5, below: "2"},
		{command: "prove", where: "3x3x3", routing: "udr:tie=plus", size: 4},
	} {
		questions = append(questions, asked{"command": c.command, "where": c.where, "routing": c.routing, "size": c.size,
			"seed": 3, "evaluations": c.evaluations, "below": c.below, "all": c.all})
		p := coretest.Must(texts.ParseProblem(c.where, c.routing, c.size))
		task := work.Task{Problem: p, Budget: work.Budget{Seed: 3, Evaluations: c.evaluations}}
		if c.command == "prove" {
			task.Proof = &work.Proof{Engine: work.EngineAuto, All: c.all}
			if c.below != "" {
				task.Proof.Below, _ = new(big.Rat).SetString(c.below)
			}
		}
		s := work.Session{Version: work.Version, Workers: 2, Known: &work.Known{}}
		answer := coretest.Must(s.Solve(b.t.Context(), task))
		var document any = answer.Record
		if answer.Record == nil {
			document = answer.Below
		}
		want = append(want, timeless(b.t, document))
	}
	var records []asked
	for k, have := range askEngine[map[string]any](b, questions) {
		text := coretest.Must(json.Marshal(have))
		if have["schema"] == results.RecordSchema {
			records = append(records, asked{"command": "check", "text": string(text)})
		}
		if have := timeless(b.t, have); !reflect.DeepEqual(have, want[k]) {
			b.t.Errorf("%v: %v, the program has %v", questions[k], have, want[k])
		}
	}
	if len(records) != len(questions)-1 {
		b.t.Errorf("%d records, want %d", len(records), len(questions)-1)
	}
	for k, v := range askEngine[struct {
		Verdict string
		Reasons []string
	}](b, records) {
		if v.Verdict != "valid" {
			b.t.Errorf("record %d is %s: %v", k, v.Verdict, v.Reasons)
		}
	}
	wrong := asked{"command": "check", "text": `{"schema":"leeway/record/1"}`}
	if v := askEngine[struct{ Verdict string }](b, []asked{wrong}); v[0].Verdict != "unreadable" {
		b.t.Errorf("a record without fields is %s", v[0].Verdict)
	}
}

// timeless returns a document without what depends on when, where and how it was asked for.
func timeless(t *testing.T, document any) map[string]any {
	t.Helper()
	data := coretest.Must(json.Marshal(document))
	var fields map[string]any
	coretest.Try(json.Unmarshal(data, &fields))
	for _, name := range []string{"time", "started", "command"} {
		delete(fields, name)
	}
	if by, ok := fields["found_by"].(map[string]any); ok {
		delete(by, "seconds")
	}
	return fields
}

// engineStops stops a search without an end: its answer is the best so far.
func engineStops(b *browser, base string) {
	b.do(chromedp.Navigate(base + "/editor.html"))
	for _, q := range []asked{
		{"command": "search", "where": "8x8", "routing": "minimal", "size": 21, "seed": 1},
		{"command": "prove", "where": "10x10", "routing": "minimal", "size": 25},
	} {
		data, _ := json.Marshal(q)
		status := eval[string](b, `(async () => {
			const e = await Engine.start(JSON.parse(document.getElementById("data").textContent).engine);
			let told = 0;
			const found = await e.ask(`+string(data)+`, (p) => { if (p.value && told++ === 0) e.stop(); });
			e.end();
			return found.status + " " + (found.nodes.length);
		})()`)
		if want := "feasible " + strconv.Itoa(q["size"].(int)); status != want {
			b.t.Errorf("%v: %q, want %q", q, status, want)
		}
	}
}
