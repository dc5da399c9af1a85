package web_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"leeway/core"
	"leeway/core/family"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/bound"
	"leeway/results/web"
)

func TestInBrowser(t *testing.T) {
	b := newBrowser(t)
	server := httptest.NewServer(web.NewServer(newSite(t, web.Options{}), web.Access{Loopback: true}))
	t.Cleanup(server.Close)
	folder := t.TempDir()
	if _, err := newSite(t, web.Options{Static: true}).Export(context.Background(), folder); err != nil {
		t.Fatal(err)
	}
	run := func(name string, test func(*browser)) {
		t.Run(name, func(t *testing.T) {
			mine := &browser{t: t, ctx: b.ctx}
			test(mine)
			b.t = t
			for _, complaint := range b.heard(name) {
				t.Errorf("the console says %s", complaint)
			}
		})
	}
	run("served pages", func(mine *browser) { everyPage(mine, server.URL) })
	run("pages from disk", func(mine *browser) { everyPage(mine, "file://"+folder) })
	run("picture", func(mine *browser) { pictureEqualsNaive(mine, server.URL) })
	run("picture from disk", func(mine *browser) {
		pictureEqualsNaive(mine, "file://"+folder)
		mine.do(chromedp.Navigate("file://" + folder + "/8x8/odr-tie-plus/13.html"))
		loaded := eval[int](mine,
			`[...document.querySelectorAll(".link > title")].filter((t) => !t.textContent.endsWith(": 0")).length`)
		eval[bool](mine, `document.getElementById("from-picture").open = true`)
		mine.until(`document.querySelectorAll("#load-table tbody tr").length === ` + strconv.Itoa(loaded))
	})
	run("split", func(mine *browser) {
		mine.do(chromedp.Navigate(server.URL + "/8x8/udr-tie-both/16.html"))
		mine.until(`document.querySelector("#split table")?.textContent.includes("527/105")`)
	})
	run("search from disk", func(mine *browser) {
		mine.do(chromedp.Navigate("file://" + folder + "/search.html?q=8x8+n%3D16+udr"))
		if got := eval[string](mine,
			`[...document.querySelectorAll("#found a")].map((a) => a.getAttribute("href")).join(" ")`,
		); got != "8x8/udr-tie-both.html 8x8/udr-tie-both/16.html" {
			mine.t.Errorf("found %q", got)
		}
	})
	run("editor", func(mine *browser) { editorWorks(mine, "file://"+folder) })
	run("editor equals naive", func(mine *browser) { editorEqualsNaive(mine, "file://"+folder) })
	run("live", liveFollows)
	t.Run("a complaint is seen", func(t *testing.T) {
		eval[bool](b, `(console.error("on purpose"), true)`)
		if heard := b.heard("end"); len(heard) != 1 {
			t.Errorf("complaints %q, want one", heard)
		}
	})
}

// everyPage loads pages of all kinds, on a wide screen and on a phone.
func everyPage(b *browser, base string) {
	for address := range pages {
		disk := strings.HasPrefix(base, "file:")
		if address == "/" {
			address = "/index.html"
		}
		if disk && strings.Contains(address, ".split.") {
			continue // stands in the page of the cell
		}
		b.do(chromedp.EmulateViewport(1280, 800), chromedp.Navigate(base+address))
		b.fits(address, 1280)
		b.fits(address, 360)
	}
}

// naiveLoads returns the loads above 0 by link, as pictures name them.
func naiveLoads(r routing.Routing, p core.Placement) (map[string]string, string) {
	loads := objective.Naive(r, p)
	list := map[string]string{}
	t := r.Torus()
	name := func(v int) string {
		return "(" + strings.Join(strings.Fields(strings.Trim(fmt.Sprint(t.Coords(v)), "[]")), ",") + ")"
	}
	for l := range t.M() {
		from, to := t.LinkEnds(core.Link(l))
		_, port := t.LinkFrom(core.Link(l))
		list[fmt.Sprintf("%s -> %s %v", name(from), name(to), port)] = loads.At(core.Link(l)).RatString()
	}
	most, _ := loads.Max()
	return list, most.RatString()
}

// pictureEqualsNaive reads every number of the picture of a cell.
func pictureEqualsNaive(b *browser, base string) {
	for _, c := range []struct{ address, torus, routing, placement string }{
		{"/8x8/odr-tie-plus/13.html", "8x8", "odr", "random:n=13:seed=2"},
		{"/3x3x3/udr-tie-plus/9.html", "3x3x3", "udr", "linear"},
		{"/8x8/udr-tie-both/16.html", "8x8", "udr:tie=both", "spaced:t=2"},
	} {
		b.do(chromedp.Navigate(base + c.address))
		got := eval[[]string](b, `[...document.querySelectorAll("figure.torus .link > title")].map((t) => t.textContent)`)
		t, _ := core.ParseTorus(c.torus)
		r, _ := routing.Parse(t, c.routing)
		p, _ := family.Parse(t, c.placement)
		loads, _ := naiveLoads(r, p)
		var want []string
		for name, load := range loads {
			want = append(want, name[:strings.LastIndex(name, " {")]+": "+load)
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			b.t.Errorf("%s: the picture shows %d links %.300q, naive has %.300q", c.address, len(got), got, want)
		}
		if got, want := eval[int](b, `[...document.querySelectorAll("figure.torus .processor > title")].length`),
			p.Size(); got != want {
			b.t.Errorf("%s: %d processors have a title, want %d", c.address, got, want)
		}
		point := eval[string](b, `(() => {
			const l = document.querySelector("figure.torus .link");
			l.dispatchEvent(new PointerEvent("pointerover", {bubbles: true}));
			return document.getElementById("readout").textContent;
		})()`)
		if !slices.Contains(want, point) {
			b.t.Errorf("%s: pointing at a link shows %q", c.address, point)
		}
	}
}

// nodesText returns nodes as the editor writes them.
func nodesText(p core.Placement) string {
	var parts []string
	for _, c := range p.Coords() {
		parts = append(parts, fmt.Sprintf("%d,%d", c[0], c[1]))
	}
	return strings.Join(parts, "+")
}

// editorWorks plays with the editor as a person does.
func editorWorks(b *browser, base string) {
	b.do(chromedp.EmulateViewport(1280, 900), chromedp.Navigate(base+"/8x8/editor.html?routing=udr:tie=both&nodes=0,0"))
	check := func(placement string) {
		b.t.Helper()
		t := core.MustTorus(8, 8)
		r, _ := routing.Parse(t, eval[string](b, `document.getElementById("routing").value`))
		p, err := family.Parse(t, placement)
		if err != nil {
			b.t.Fatal(err)
		}
		b.until(`document.getElementById("nodes").value === ` + strconv.Quote(nodesText(p)))
		loads, most := naiveLoads(r, p)
		if got := eval[string](b, `document.getElementById("max-load").textContent`); got != "E_max "+most {
			b.t.Errorf("%s: the editor says %q, naive %s", placement, got, most)
		}
		shown := eval[[]string](b, `[...document.querySelectorAll("#board .link > title")].map((t) => t.textContent)`)
		count := 0
		for name, load := range loads {
			if slices.Contains(shown, name[:strings.LastIndex(name, " {")]+": "+load) {
				count++
			}
		}
		if count != t.M() || len(shown) != t.M() {
			b.t.Errorf("%s: %d of %d links are as naive has them", placement, count, t.M())
		}
	}
	check("nodes:0,0")
	// The browser hits what lies at a place; its queue of real clicks loses some when the machine is busy.
	press := func(node int) {
		b.t.Helper()
		eval[bool](b, fmt.Sprintf(`(() => {
			const box = document.querySelector('[data-node="%d"]').getBoundingClientRect();
			const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
			hit.closest(".spot").focus(); // as a real click does
			return hit.dispatchEvent(new MouseEvent("click", {bubbles: true}));
		})()`, node))
	}
	press(10)
	check("nodes:0,0+1,2")
	b.do(chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(" "))
	check("nodes:0,0+1,2+1,3")
	press(0)
	check("nodes:1,2+1,3")
	eval[bool](b, `(document.getElementById("diagonal").click(), true)`)
	check("linear")
	if text := eval[string](b, `document.getElementById("answer").textContent`); !strings.Contains(text,
		"The atlas knows") {
		b.t.Errorf("no word about the atlas: %q", text)
	}
	eval[bool](b, `(() => {
		const s = document.getElementById("routing");
		s.value = "avoid:tie=both";
		s.dispatchEvent(new Event("change"));
		return true;
	})()`)
	check("linear")
	eval[bool](b, `(() => {
		const n = document.getElementById("nodes");
		n.value = "9,9";
		n.dispatchEvent(new Event("change"));
		return true;
	})()`)
	b.until(`document.getElementById("problem").textContent.includes("9,9")`)
	if n := eval[int](b, `document.querySelectorAll("#board [aria-checked=true]").length`); n != 8 {
		b.t.Errorf("after a node outside of the torus %d processors are left of 8", n)
	}
}

// A question is an instance for the script of the editor, with its answer.
type question struct {
	Sides   []int             `json:"sides"`
	Routing string            `json:"routing"`
	Nodes   []int             `json:"nodes"`
	Loads   []string          `json:"loads"` // by number of link
	Bounds  map[string]string `json:"bounds"`
}

// editorEqualsNaive holds the script of the editor against the naive evaluator and the bounds of the program on
// random placements.
func editorEqualsNaive(b *browser, base string) {
	b.do(chromedp.Navigate(base + "/8x8/editor.html"))
	rng := rand.New(rand.NewPCG(11, 0))
	ways := []string{"udr:tie=both", "udr", "odr", "odr:tie=both", "odr:order=1,0", "minimal", "avoid"}
	var list []question
	for _, sides := range [][]int{{2, 2}, {2, 3}, {4, 2}, {3, 3}, {4, 4}, {5, 4}, {6, 6}, {3, 8}, {8, 8}} {
		t := core.MustTorus(sides...)
		for _, name := range ways {
			r, err := routing.Parse(t, name)
			if err != nil {
				b.t.Fatal(err)
			}
			for range 6 {
				list = append(list, newQuestion(r, family.Draw(t, 1+rng.IntN(min(t.N(), 18)), rng), name))
			}
		}
	}
	data, err := json.Marshal(list)
	if err != nil {
		b.t.Fatal(err)
	}
	wrong := eval[[]string](b, `(`+string(data)+`).flatMap((q) => {
		const t = Loads.torus(q.sides), r = Loads.evaluate(t, q.routing, q.nodes);
		const loads = q.loads.map((want, l) => [Loads.text(r.at(l)), want, "link " + l]);
		const bounds = Loads.bounds(t, q.nodes).map((have) => [Loads.text(have.value), q.bounds[have.name], have.name]);
		return loads.concat(bounds).filter(([have, want]) => have !== want)
			.map((x) => JSON.stringify([q.sides, q.routing, q.nodes, x]));
	})`)
	if len(wrong) > 0 {
		b.t.Errorf("%d differences, the first is %s", len(wrong), wrong[0])
	}
}

func newQuestion(r routing.Routing, p core.Placement, name string) question {
	loads := objective.Naive(r, p)
	q := question{Sides: r.Torus().Dims(), Routing: name, Nodes: p.Nodes(), Bounds: map[string]string{}}
	for l := range r.Torus().M() {
		q.Loads = append(q.Loads, loads.At(core.Link(l)).RatString())
	}
	for _, have := range bound.ForPlacement(r, p) {
		q.Bounds[have.Name] = have.Value.RatString()
	}
	return q
}

// liveFollows publishes and sees it on the page.
func liveFollows(b *browser) {
	hub := web.NewLive("Work")
	hub.Publish(web.Event{Topic: "search", Title: "A search", Fields: []web.Field{{Name: "best", Value: "9"}}})
	server := liveServer(b.t, hub)
	b.do(chromedp.Navigate(server.URL))
	b.until(`document.querySelector("#topics dd")?.textContent === "9"`)
	for _, v := range []string{"8", "15/2", "7"} {
		hub.Publish(web.Event{Topic: "search", Title: "A search", Fields: []web.Field{{Name: "best", Value: v}},
			Line: "found " + v})
		b.until(`document.querySelector("#topics dd")?.textContent === "` + v + `"`)
	}
	hub.Publish(web.Event{Picture: &web.Picture{Name: "p.svg", About: "a picture",
		SVG: []byte(`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>`)}})
	b.until(`document.querySelector("#pictures img")?.naturalWidth === 9`)
	hub.Publish(web.Event{Line: hostile})
	b.until(`document.getElementById("log").lastChild.textContent.startsWith("<script>")`)
	if n := eval[int](b, `document.querySelectorAll("#log li").length`); n != 4 {
		b.t.Errorf("%d lines", n)
	}
	hub.Publish(web.Event{Done: true})
	b.until(`document.getElementById("connection").textContent === "Finished."`)
	b.fits("live", 360)
}
