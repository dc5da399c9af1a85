package web_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/family"
	"leeway/core/labels"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/objective/fast"
	"leeway/results"
	"leeway/results/atlas"
	"leeway/results/picture"
	"leeway/results/web"
)

func TestInBrowser(t *testing.T) {
	b := newBrowser(t)
	engine, program := engineScript(t), buildProgram(t)
	if len(engine) > 5_000_000 {
		t.Errorf("the engine of the editor has %d bytes, more than 5 MB", len(engine))
	}
	claimed := newStore(t) // of both sites: two stores would have two times of admission
	site := siteOf(t, claimed, web.Options{Engine: engine})
	server := httptest.NewServer(web.NewServer(site, web.Access{Loopback: true}))
	t.Cleanup(server.Close)
	folder := t.TempDir()
	static := siteOf(t, claimed, web.Options{Static: true, Engine: engine})
	coretest.Must(static.Export(context.Background(), folder, nil))
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
		mine.waitFor(`document.querySelector("figure.torus .link")`)
		loaded := eval[int](mine,
			`[...document.querySelectorAll("figure.torus .link > title")].filter((t) => !t.textContent.endsWith(": 0")).length`)
		eval[bool](mine, `(document.getElementById("list-loads").click(), true)`)
		mine.waitFor(`document.querySelectorAll("#load-table tbody tr").length === ` + strconv.Itoa(loaded))
	})
	run("cells from disk", func(mine *browser) { cellsUnfold(mine, "file://"+folder) })
	run("cells are the same", func(mine *browser) { cellsAreTheSame(mine, server, folder) })
	run("exchange", exchangePlays)
	run("plots", func(mine *browser) { plotsHaveTheTable(mine, server.URL) })
	run("roles", func(mine *browser) { rolesAreSaid(mine, server.URL) })
	run("roles from disk", func(mine *browser) { rolesAreSaid(mine, "file://"+folder) })
	run("cells are cited", func(mine *browser) { citesCells(mine, "file://"+folder) })
	run("search from disk", func(mine *browser) { wordsFind(mine, program) })
	run("editor", func(mine *browser) { editorWorks(mine, "file://"+folder) })
	run("editor on networks", func(mine *browser) { editorOnNetworks(mine, "file://"+folder) })
	run("editor with clients", func(mine *browser) { editorWithClients(mine, "file://"+folder) })
	run("editor in depth", func(mine *browser) { editorInDepth(mine, "file://"+folder, program) })
	run("editor with tasks", func(mine *browser) { editorWithTasks(mine, "file://"+folder, program) })
	run("engine equals naive", func(mine *browser) { engineEqualsNaive(mine, "file://"+folder) })
	run("engine equals program", func(mine *browser) { engineEqualsProgram(mine, server.URL) })
	run("no engine", func(mine *browser) { noEngineIsSaid(mine, folder) })
	run("is it known", func(mine *browser) { knownIsSaid(mine, server.URL) })
	run("is it known from disk", func(mine *browser) { knownIsSaid(mine, "file://"+folder) })
	run("engine stops", func(mine *browser) { engineStops(mine, "file://"+folder) })
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
		b.do(chromedp.EmulateViewport(1280, 800), chromedp.Navigate(base+address))
		widths := []int64{1280, 1000, 400, 360}
		if disk && !coretest.Long() { // the same pages as those served
			widths = widths[3:]
		}
		for _, width := range widths {
			b.fits(address, width)
		}
	}
}

// naiveLoads returns the loads above 0 by link, as pictures name them.
func naiveLoads(r routing.Routing, p core.Placement) (map[string]string, string) {
	return named(objective.Naive(r, p))
}

// named returns loads by link, as pictures name them, and the largest.
func named(loads *objective.Loads) (map[string]string, string) {
	list := map[string]string{}
	t := loads.Torus()
	name := func(v int) string {
		return "(" + strings.Join(strings.Fields(strings.Trim(fmt.Sprint(t.Coords(v)), "[]")), ",") + ")"
	}
	for l := range t.M() {
		if !t.HasLink(core.Link(l)) {
			continue
		}
		from, to := t.LinkEnds(core.Link(l))
		_, port := t.LinkFrom(core.Link(l))
		list[fmt.Sprintf("%s -> %s %v", name(from), name(to), port)] = loads.Load(core.Link(l)).RatString()
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
		{"/8x8-open-0-1/udr-tie-plus/16.html", "8x8:open=0,1", "udr", "spaced:t=2"},
		{"/8x8-open-1-bandwidth-1-2/odr-tie-plus/13.html", "8x8:open=1:bandwidth=1,2", "odr", "random:n=13:seed=2"},
		{"/3x3x4-open-2-bandwidth-1-2-3/udr-tie-plus/6.html", "3x3x4:open=2:bandwidth=1,2,3", "udr", "random:n=6:seed=1"},
		{"/3x5-twist-2/udr-tie-plus/3.html", "3x5:twist=2", "udr", "nodes:0,0+1,1+2,3"},
		{"/2x3x4-twist-0-1-0-0-0-2-0-0-0/udr-tie-plus/3.html", "2x3x4:twist=0,1,0+0,0,2+0,0,0", "udr",
			"nodes:0,0,0+1,1,1+1,2,3"},
		{"/8x8-open-0-1-fixed-0-0-forbidden-3-3-7-7/udr-tie-plus/8.html", "8x8:open=0,1", "udr",
			"nodes:0,0+1,2+3,4+4,4+5,5+6,1+7,0+7,4"},
	} {
		b.showCell(base, c.address)
		got := eval[[]string](b, `[...document.querySelectorAll("figure.torus .link > title")].map((t) => t.textContent)`)
		t := coretest.Must(core.ParseNetwork(c.torus))
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

// showCell opens the page of a cell, or in a static site the part of a page, and waits for its picture.
func (b *browser) showCell(base, address string) {
	b.t.Helper()
	b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(base+address))
	b.waitFor(`document.querySelector("figure.torus .link")`)
}

// cellsUnfold goes from size to size in a static site: each page has its own cell, picture and certificate.
func cellsUnfold(b *browser, base string) {
	b.do(chromedp.EmulateViewport(1280, 900), chromedp.Navigate(base+"/8x8/udr-tie-both.html"))
	b.waitFor(`document.querySelector(".overview")?.offsetHeight > 0 &&
		document.querySelectorAll("figure.plot .point").length > 2`)
	b.do(chromedp.Navigate(eval[string](b, `document.querySelector("#n8 a").href`)))
	b.waitFor(`location.pathname.endsWith("/8x8/udr-tie-both/8.html") &&
		document.querySelectorAll(".torus .processor:not(.sample)").length === 8 && document.title.startsWith("8 proc")`)
	b.fits("a cell", 360)
	b.do(chromedp.Navigate(base + "/8x8/udr-tie-both/16.html"))
	b.waitFor(`document.querySelectorAll(".torus .processor:not(.sample)").length === 16`)
	text := eval[string](b, `fetch(document.querySelector(".downloads [download]").href).then((r) => r.text())`)
	got, err := results.ReadRecord([]byte(text))
	if name := eval[string](b, `document.querySelector(".downloads [download]").download`); err != nil ||
		got.ClaimSHA256 != record(b.t, claims[0]).ClaimSHA256 || got.FoundBy.Seed != 1<<63+1 || name != "16.json" {
		b.t.Errorf("the certificate %q: %v", name, err)
	}
	b.do(chromedp.Navigate(eval[string](b, `document.querySelector(".trail li:last-child a").href`)))
	b.waitFor(`document.querySelector(".overview")?.offsetHeight > 0 && !document.querySelector(".verdict")`)
}

// cellsAreTheSame: the script of a cell shows the same in a static site and on a server, but for the files that only a
// server makes, for cells of the test store and of the atlas of the program; and what it shows has some words.
func cellsAreTheSame(b *browser, small *httptest.Server, folder string) {
	shipped := coretest.Must(atlas.Shipped())
	large := httptest.NewServer(web.NewServer(coretest.Must(web.NewSite(shipped, web.Options{})), web.Access{}))
	b.t.Cleanup(large.Close)
	static, other := coretest.Must(web.NewSite(shipped, web.Options{Static: true})), b.t.TempDir()
	shown := func(base, cell string) string {
		b.do(chromedp.Navigate(base + cell + ".html"))
		return eval[string](b, `(() => {
		const main = document.getElementById("main").cloneNode(true);
		for (const e of main.querySelectorAll("noscript, #cells, svg, .downloads, [download], [aria-labelledby=lost]"))
			e.remove();
		for (const e of main.querySelectorAll("[href]")) e.setAttribute("href", e.href.replace(`+quoted(base)+`, ""));
		main.removeAttribute("data-size");
		return document.querySelector("header").innerText + "\n" +
			main.innerHTML.replace(/\s+/g, " ").replaceAll("> <", "><").trim() +
			document.querySelector("footer").innerText;
	})()`)
	}
	clients := "8x8-open-0-1-traffic-clients-request-1-reply-4/" + labels.Slug("odr:order=1,0:tie=plus") + "/16"
	words := map[string][]string{
		"4x4x4/udr-tie-both/16": {"a processor's messages have to leave it, and its links are few"},
		"8x8/udr-tie-both/16":   {"<td>256</td>", "leeway eval 16.json", "256 links in all."},
		"8x8-open-0-1-fixed-0-0-forbidden-3-3-7-7/udr-tie-plus/8": {"8 processors",
			"leeway search --torus 8x8:open=0,1 --routing udr:tie=plus --size 8 --fixed 0,0 --forbidden 3,3+7,7 --time 10m"},
		"8x8-traffic-clients-request-1-reply-4-reply-routing-odr-order-1-0-tie-both/odr-tie-both/16": {"16 controllers",
			"on other networks of these sides with this traffic", "leeway search --torus 8x8 --routing odr:tie=both " +
				"--traffic clients:request=1:reply=4 --reply-routing odr:order=1,0:tie=both --size 16 --time 10m"},
	}
	for i, cell := range []string{"8x8/udr-tie-both/16", "8x8/udr-tie-both/8", "6x6/odr-tie-plus/6",
		"8x8-open-0-1-fixed-0-0-forbidden-3-3-7-7/udr-tie-plus/8", "8x8-open-1-bandwidth-1-2/odr-tie-plus/13",
		"8x8-traffic-clients-request-1-reply-4-reply-routing-odr-order-1-0-tie-both/odr-tie-both/16",
		"8x8/udr-tie-both/16", "4x4/odr-tie-both/5", "2x3x4/minimal-tie-both/6", "4x4x4/udr-tie-both/16",
		"6x6/avoid-tie-both/7",
		"10x10/minimal-tie-both/16", clients} {
		server, in := small.URL, folder
		if i > 5 {
			server, in = large.URL, other
			coretest.Must(static.ExportSome(b.t.Context(), in, path.Dir(cell)+".js", cell+".html", "assets/cell.js",
				"assets/picture.js", "assets/site.css", "assets/mark.svg"))
		}
		want, got := shown(server+"/", cell), shown("file://"+in+"/", cell)
		at := 0
		for at < min(len(got), len(want)) && got[at] == want[at] {
			at++
		}
		if got != want || !strings.Contains(got, "E_max") && !strings.Contains(got, "wrong") {
			from := max(0, at-60)
			b.t.Errorf("%s: %.200q where a server has %.200q", cell, got[from:], want[from:])
		}
		for _, w := range words[cell] {
			if !strings.Contains(got, w) {
				b.t.Errorf("%s: %q is not there", cell, w)
			}
		}
	}
}

// exchangePlays: the page of a proved cell goes through the steps of an exchange by buttons, keys and by itself, and
// nothing flows where motion is not wanted.
func exchangePlays(b *browser) {
	server := httptest.NewServer(web.NewServer(coretest.Must(web.NewSite(coretest.Must(atlas.Shipped()), web.Options{})),
		web.Access{}))
	b.t.Cleanup(server.Close)
	b.do(chromedp.EmulateViewport(1280, 900), chromedp.Navigate(server.URL+"/4x4/udr-tie-both/12.html"))
	b.waitFor(`document.getElementById("steps")`)
	says := func(act, want string) {
		eval[bool](b, `(() => {
			const buttons = [...document.querySelectorAll("#steps button")];
			const by = (text) => buttons.find((e) => e.textContent === text),
				press = (key) => by("Back").dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
			`+act+`; return true; })()`)
		b.waitFor(`document.querySelector(".exchange output").textContent.match(` + want + `)`)
	}
	says("", `/^132 blocks wait/`)
	says(`by("Forward").click()`, `/^Step 1 of 6/`)
	says(`press("ArrowRight")`, `/^Step 2 of 6/`)
	working := eval[int](b, `document.querySelectorAll(".exchange .working").length`)
	if said := eval[string](b, `document.querySelector(".exchange output").textContent`); !strings.Contains(said,
		fmt.Sprintf(": %d of 64 links work", working)) {
		b.t.Errorf("%d links work: %s", working, said)
	}
	says(`by("Back").click()`, `/^Step 1 of 6/`)
	says(`press("End")`, `/^Step 6 of 6.* 132 of 132 /`)
	says(`by("First").click(); by("Play").click()`, `/^Step 2 of 6/`)
	says(`by("Pause").click()`, `/^Step [23] of 6/`)
	if reduced := eval[bool](b, `matchMedia("(prefers-reduced-motion: reduce)").matches`); reduced !=
		(eval[string](b, `getComputedStyle(document.querySelector(".working")).animationName`) == "none") {
		b.t.Errorf("reduced motion is %v", reduced)
	}
	b.fits("an exchange", 360)
}

// quoted returns a text as a script writes it.
func quoted(text string) string { return string(coretest.Must(json.Marshal(text))) }

// plotsHaveTheTable: a plot shows the values of the table below it.
func plotsHaveTheTable(b *browser, base string) {
	b.do(chromedp.Navigate(base + "/8x8/udr-tie-both.html"))
	b.waitFor(`document.querySelectorAll("figure.plot .point").length > 0`)
	got := eval[[]string](b,
		`[...document.querySelectorAll("figure[data-plot=table] .point > title")].map((t) => t.textContent)`)
	slices.Sort(got)
	want := []string{"E_max at 16: 4", "E_max at 8: 7/4, open", "lower bound at 8: 0", "the papers' at 16: 7",
		"the papers' at 8: 7/4"}
	if !slices.Equal(got, want) {
		b.t.Errorf("the plot shows %q, want %q", got, want)
	}
	to := eval[string](b, `document.querySelector("figure[data-plot=table] a").href.baseVal`)
	if !strings.HasSuffix(to, ".html") {
		b.t.Errorf("a mark leads to %q", to)
	}
}

// rolesAreSaid points at a fixed processor and at a forbidden node, and at the signs on them.
func rolesAreSaid(b *browser, base string) {
	b.showCell(base, "/8x8-open-0-1-fixed-0-0-forbidden-3-3-7-7/udr-tie-plus/8.html")
	said := eval[[]string](b, `[...document.querySelectorAll("figure.torus .fixed:not(.sample), figure.torus .forbidden")]
		.flatMap((sign) => [sign, sign.previousElementSibling]).map((shape) => {
			shape.dispatchEvent(new PointerEvent("pointerover", {bubbles: true}));
			return document.getElementById("readout").textContent;
		})`)
	want := []string{"fixed processor (0,0)", "fixed processor (0,0)", "forbidden node (3,3)", "forbidden node (3,3)",
		"forbidden node (7,7)", "forbidden node (7,7)"}
	if len(said) < len(want) || !slices.Equal(said[:len(want)], want) {
		b.t.Errorf("pointing says %q", said)
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

// knownIsSaid asks on the start page what placements are, in all the forms that it takes.
func knownIsSaid(b *browser, root string) {
	b.do(chromedp.Navigate(root + "/index.html"))
	ask := func(text, want string) {
		b.t.Helper()
		eval[bool](b, fmt.Sprintf(`(document.querySelector("#identify textarea").value = %q,
			document.querySelector("#identify button").click(), true)`, text))
		b.waitFor(fmt.Sprintf(`document.querySelector("#identify output").textContent.includes(%q)`, want))
	}
	ask("5x5 0,0+1,2+2,4+3,1+4,3", "Also: perfect code of radius 1, 5 nodes each (OEIS A001844)")
	ask("5×5 (1,1) (2,3) (3,0) (4,2) (0,4)", "5x5.odr-tie-plus.5.dbed1cb2")
	ask("5x5 [[0,0],[1,2],[2,4],[3,1],[4,3]]", "E_max 2: ")
	ask("5x5 linear", "best knownLabel 5x5.odr-tie-plus.5")
	ask("http://a/editor.html#torus=5x5&nodes=0,0+1,2+2,4+3,1+4,3&routing=udr", "E_max 1: not in the atlas")
	ask("2x4 0,0+1,1+0,3", "best knownLabel 4x2.minimal-tie-both.3")
	ask("3x31 0,0+1,7", "not in the atlas")
	ask("0,0+1,2", "begin with the network")
	ask("5x5 0,9", "outside 0..4")
	ask(`{"schema": "leeway/record/9"}`, "unknown schema")
	ask(string(coretest.Must(json.Marshal(record(b.t, claims[0])))), "E_max 4: optimal")
	b.waitFor(`document.querySelector("#identify output a[href='c/8x8.udr-tie-both.16.html']")`)
}

// noEngineIsSaid opens an editor whose page names no engine, as that of a program built without one.
func noEngineIsSaid(b *browser, folder string) {
	page := coretest.Must(os.ReadFile(filepath.Join(folder, "editor.html")))
	bare := strings.Replace(string(page), `"engine":"assets/engine.wasm.js"`, `"engine":""`, 1)
	if bare == string(page) {
		b.t.Fatal("the page of the editor names no engine to leave out")
	}
	coretest.Try(os.WriteFile(filepath.Join(folder, "bare.html"), []byte(bare), 0o666))
	b.do(chromedp.Navigate("file://" + folder + "/bare.html#nodes=0,0+3,3"))
	b.waitFor(`document.getElementById("problem").textContent.includes("have no engine: make engine builds one")`)
	if got := eval[string](b, `document.getElementById("readout").textContent`); got != "There is no engine here." {
		b.t.Errorf("below the board stands %q", got)
	}
	b.do(chromedp.Navigate("about:blank"), chromedp.Navigate("file://"+folder+"/bare.html#bandwidth=0,1"))
	b.waitFor(`document.getElementById("problem").textContent.includes('bandwidth "0" is outside 1..4096')`)
	b.do(chromedp.Navigate("about:blank"), chromedp.Navigate("file://"+folder+"/bare.html#nodes=0,0+3,3"))
	// The board is there nevertheless, with the links of the network.
	press(b, 1)
	if got := eval[string](b, `document.getElementById("nodes").value`); got != "0,0+0,1+3,3" {
		b.t.Errorf("after a click the processors are %q", got)
	}
	eval[bool](b, `(document.getElementById("undo").click(), true)`)
	if got := eval[int](b, `document.querySelectorAll('#board [aria-checked="true"]').length`); got != 2 {
		b.t.Errorf("after undo there are %d processors", got)
	}
	for _, text := range []string{"8x8", "2x3x2", "4x4:open=0,1", "7", "5x2:bandwidth=3,1",
		"2x3x4x3:open=2:bandwidth=1,2,3,1"} {
		t := coretest.Must(core.ParseNetwork(text))
		type link struct{ Link, From, To, Dim, Dir int }
		var want []link
		for l := range t.M() {
			if !t.HasLink(core.Link(l)) {
				continue
			}
			from, to := t.LinkEnds(core.Link(l))
			_, port := t.LinkFrom(core.Link(l))
			dir := 1
			if port.Dir == core.Minus {
				dir = -1
			}
			want = append(want, link{l, from, to, port.Dim, dir})
		}
		if got := eval[[]link](b, `Picture.network(`+quoted(text)+`).links`); !slices.Equal(got, want) {
			b.t.Errorf("%s: the script has %d links, the program %d: %v", text, len(got), len(want), got)
		}
	}
}

// engineScript returns what tools/engine.sh makes of this tree.
func engineScript(t *testing.T) []byte {
	t.Helper()
	file := filepath.Join(t.TempDir(), "engine.js")
	if out, err := exec.Command("../../tools/engine.sh", file).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return coretest.Must(os.ReadFile(file))
}

// settle waits until the editor shows what the engine says about its state, or what is wrong with that.
func settle(b *browser) {
	b.t.Helper()
	b.waitFor(`document.body.dataset.settled === "yes"`)
}

// shownIn returns what a field or another part of the editor has, once that is settled.
func shownIn(b *browser, id string) string {
	b.t.Helper()
	settle(b)
	return eval[string](b, fmt.Sprintf(`(() => {
		const box = document.getElementById(%q);
		return box.value ?? box.textContent;
	})()`, id))
}

// editorShows fails unless the editor has a placement on a network of two dimensions, with its loads.
func editorShows(b *browser, network, placement string) {
	b.t.Helper()
	settle(b)
	t, r := coretest.Parse(network, eval[string](b, `document.getElementById("routing").value`))
	p := coretest.Must(family.Parse(t, placement))
	b.waitFor(`document.getElementById("nodes").value === ` + strconv.Quote(nodesText(p)))
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
	if count != t.Links() || len(shown) != t.Links() {
		b.t.Errorf("%s on %s: %d of %d links are as naive has them, %d are shown", placement, t, count, t.Links(),
			len(shown))
	}
}

// press clicks on a node of the editor. The browser hits what lies at a place; its queue of real clicks loses some when
// the machine is busy.
func press(b *browser, node int) {
	b.t.Helper()
	eval[bool](b, fmt.Sprintf(`(() => {
		const spot = document.querySelector('[data-node="%d"]');
		spot.scrollIntoView({block: "center"});
		const box = spot.getBoundingClientRect();
		const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
		hit.closest(".spot").focus(); // as a real click does
		return hit.dispatchEvent(new MouseEvent("click", {bubbles: true}));
	})()`, node))
}

// editorWorks plays with the editor as a person does.
func editorWorks(b *browser, base string) {
	b.do(chromedp.EmulateViewport(1280, 900), chromedp.Navigate(base+"/editor.html#routing=udr:tie=both&nodes=0,0"))
	check := func(placement string) {
		b.t.Helper()
		editorShows(b, "8x8", placement)
	}
	check("nodes:0,0")
	press := func(node int) {
		b.t.Helper()
		press(b, node)
	}
	press(10)
	check("nodes:0,0+1,2")
	b.do(chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(" "))
	check("nodes:0,0+1,2+1,3")
	press(0)
	check("nodes:1,2+1,3")
	drag := func(from, to int) {
		eval[bool](b, fmt.Sprintf(`["pointerdown", "pointerup"].every((kind, i) => document.querySelector(
			'[data-node="' + [%d, %d][i] + '"]').dispatchEvent(new PointerEvent(kind, {bubbles: true})))`, from, to))
	}
	drag(11, 13)
	check("nodes:1,2+1,5")
	drag(13, 10) // which has a processor
	drag(12, 14) // from where there is no processor
	check("nodes:1,2+1,5")
	drag(13, 11)
	check("nodes:1,2+1,3")
	if got := eval[string](b, `document.getElementById("legend").textContent.split(/\s+/).join(" ")`); got !=
		" processor no load to E_max 1" {
		b.t.Errorf("the legend says %q", got)
	}
	// The picture is a document of its own, with its colours in it.
	if got := eval[string](b, `(() => {
		const make = URL.createObjectURL, kept = [];
		URL.createObjectURL = (blob) => { kept.push(blob.type); return make(blob); };
		HTMLAnchorElement.prototype.click = function () { kept.push(this.download); };
		document.getElementById("picture").click();
		URL.createObjectURL = make;
		delete HTMLAnchorElement.prototype.click;
		return kept.join(" ");
	})()`); got != "image/svg+xml leeway-8x8-n2.svg" {
		b.t.Errorf("the picture is saved as %q", got)
	}
	eval[bool](b, `(document.getElementById("diagonal").click(), true)`)
	check("linear")
	answer := func() string { settle(b); return eval[string](b, `document.getElementById("answer").textContent`) }
	if text := answer(); !strings.Contains(text, "The atlas knows") {
		b.t.Errorf("no word about the atlas: %q", text)
	}
	// Networks and conditions have cells of their own; conditions without one fall back to the network.
	for _, c := range [][2]string{
		{"open=0,1&routing=udr:tie=plus", "8x8-open-0-1/udr-tie-plus/8.html"},
		{"open=0,1&routing=udr:tie=both", "8x8-open-0-1/udr-tie-plus/8.html"}, // nothing ties there
		{"open=0,1&routing=udr:tie=plus&nodes=0,0+0,1", ""},
		{"open=0,1&routing=udr:tie=plus&fixed=0,0&forbidden=3,3+7,7&nodes=0,0+1,2+3,4+4,4+5,5+6,1+7,0+7,4",
			"8x8-open-0-1-fixed-0-0-forbidden-3-3-7-7/udr-tie-plus/8.html"},
		{"open=0,1&routing=udr:tie=plus&forbidden=3,3", "8x8-open-0-1/udr-tie-plus/8.html"},
		{"open=0&routing=udr:tie=plus", ""},
	} {
		hash, want := c[0], c[1]
		goTo(b, hash)
		if got := eval[string](b, `document.querySelector("#answer a")?.getAttribute("href") ?? ""`); got != want {
			b.t.Errorf("%s: the cell is %q, want %q", hash, got, want)
		}
		if said := strings.Contains(answer(), "Without fixed and forbidden nodes"); said != strings.HasSuffix(hash,
			"forbidden=3,3") {
			b.t.Errorf("%s: %q", hash, answer())
		}
	}
	b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(base+"/editor.html"))
	check("linear")
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
	b.waitFor(`document.getElementById("problem").textContent.includes("9,9")`)
	if n := eval[int](b, `document.querySelectorAll("#board [aria-checked=true]").length`); n != 8 {
		b.t.Errorf("after a node outside of the torus %d processors are left of 8", n)
	}
}

// change sets a control of the editor and tells its script.
func change(b *browser, id, value string) {
	b.t.Helper()
	eval[bool](b, fmt.Sprintf(`(() => {
		const box = document.getElementById(%q);
		box.value = %q;
		return box.dispatchEvent(new Event("change"));
	})()`, id, value))
}

// open opens or closes a dimension in the editor.
func open(b *browser, dim int, to bool) {
	b.t.Helper()
	if eval[bool](b, fmt.Sprintf(`document.getElementById("open-%d").checked`, dim)) != to {
		eval[bool](b, fmt.Sprintf(`(document.getElementById("open-%d").click(), true)`, dim))
	}
}

// goTo has the editor read another address, which does not load its page and engine again, and waits until it is shown.
func goTo(b *browser, hash string) {
	b.t.Helper()
	eval[bool](b, fmt.Sprintf(`new Promise((done) => {
		addEventListener("hashchange", () => done(true), { once: true });
		location.hash = %q;
	})`, hash))
	settle(b)
}

// role chooses what a click on a node does.
func role(b *browser, name string) {
	b.t.Helper()
	eval[bool](b, fmt.Sprintf(`(document.querySelector("input[value=%s]").click(), true)`, name))
}

// editorOnNetworks plays with meshes, bandwidths, and fixed and forbidden nodes.
func editorOnNetworks(b *browser, base string) {
	text := func(id string) string { return shownIn(b, id) }
	expect := func(id, want string) {
		b.t.Helper()
		if got := text(id); got != want {
			b.t.Errorf("%s is %q, want %q", id, got, want)
		}
	}
	b.do(chromedp.EmulateViewport(1280, 900), chromedp.Navigate("about:blank"), chromedp.Navigate(base+
		"/editor.html#open=0,1&bandwidth=2,1&routing=odr:tie=both&nodes=0,0+1,2+7,7&fixed=0,0+4,4&forbidden=3,3"))
	editorShows(b, "8x8:open=0,1:bandwidth=2,1", "nodes:0,0+1,2+4,4+7,7")
	expect("problem", "")
	expect("fixed", "0,0+4,4")
	expect("forbidden", "3,3")
	expect("eval-command",
		"leeway eval --mesh 8x8:bandwidth=2,1 --routing odr:tie=both --placement nodes:0,0+1,2+4,4+7,7")
	expect("draw-command", "leeway draw --mesh 8x8:bandwidth=2,1 --routing odr:tie=both --placement "+
		"nodes:0,0+1,2+4,4+7,7 --fixed 0,0+4,4 --forbidden 3,3")
	expect("search-command",
		"leeway search --mesh 8x8:bandwidth=2,1 --routing odr:tie=both --size 4 --fixed 0,0+4,4 --forbidden 3,3")
	for i, id := range []string{"eval-command", "draw-command", "search-command"} {
		chosen := eval[string](b, fmt.Sprintf(`(() => {
			document.querySelectorAll("#commands button")[%d].click();
			return getSelection().toString();
		})()`, i))
		expect(id, chosen) // to be copied, where the clipboard is closed
	}
	torus, r := coretest.Parse("8x8", "odr:tie=both")
	_, most := naiveLoads(r, core.MustPlacement(torus, []int{0, 10, 36, 63}))
	expect("on-torus", "On the plain torus the same placement has E_max "+most+".")
	look := func(node int, want string) {
		b.t.Helper()
		settle(b)
		got := eval[string](b, fmt.Sprintf(`(() => {
			const spot = document.querySelector('[data-node="%d"]');
			const seen = ["processor", "fixed", "forbidden"]
				.filter((c) => spot.querySelector("." + c).getAttribute("visibility") === "visible");
			return [spot.getAttribute("aria-checked"), spot.getAttribute("aria-label"), ...seen].join(" ");
		})()`, node))
		if got != want {
			b.t.Errorf("node %d is %q, want %q", node, got, want)
		}
	}
	look(36, "true fixed processor at (4,4) processor fixed")
	look(27, "false forbidden node at (3,3) forbidden")
	look(1, "false node at (0,1)")

	// Processors keep to the conditions; what is fixed or forbidden afterwards changes them.
	press(b, 36)
	press(b, 27)
	editorShows(b, "8x8:open=0,1:bandwidth=2,1", "nodes:0,0+1,2+4,4+7,7")
	role(b, "forbidden")
	press(b, 36)
	press(b, 63)
	look(63, "false forbidden node at (7,7) forbidden")
	role(b, "fixed")
	press(b, 1)
	press(b, 63)
	editorShows(b, "8x8:open=0,1:bandwidth=2,1", "nodes:0,0+0,1+1,2+7,7")
	press(b, 63)
	expect("fixed", "0,0+0,1")
	expect("forbidden", "3,3+4,4")
	change(b, "nodes", "5,5+4,4")
	b.waitFor(`document.getElementById("problem").textContent === "(4,4) is a forbidden node already"`)
	change(b, "nodes", "5,5")
	editorShows(b, "8x8:open=0,1:bandwidth=2,1", "nodes:0,0+0,1+5,5")
	change(b, "forbidden", "0,1")
	b.waitFor(`document.getElementById("problem").textContent === "(0,1) is a fixed processor already"`)
	change(b, "fixed", "")
	change(b, "forbidden", "0,1")
	editorShows(b, "8x8:open=0,1:bandwidth=2,1", "nodes:0,0+5,5")
	eval[bool](b, `(document.getElementById("diagonal").click(), true)`)
	role(b, "nodes")
	press(b, 63)
	editorShows(b, "8x8:open=0,1:bandwidth=2,1", "nodes:0,0+1,7+2,6+3,5+4,4+5,3+6,2+7,1+7,7")

	// Other networks.
	change(b, "bandwidth-0", "1")
	open(b, 0, false)
	change(b, "forbidden", "")
	expect("search-command", "leeway search --torus 8x8:open=1 --routing odr:tie=both --size 9")
	editorShows(b, "8x8:open=1", "nodes:0,0+1,7+2,6+3,5+4,4+5,3+6,2+7,1+7,7")
	eval[bool](b, `(document.getElementById("shift").click(), true)`) // along the dimension that is a ring
	editorShows(b, "8x8:open=1", "nodes:0,1+0,7+1,0+2,7+3,6+4,5+5,4+6,3+7,2")
	change(b, "bandwidth-1", "4096")
	editorShows(b, "8x8:open=1:bandwidth=1,4096", "nodes:0,1+0,7+1,0+2,7+3,6+4,5+5,4+6,3+7,2")
	for _, wrong := range []string{"0", "4097", "", "1.5", "-1"} {
		change(b, "bandwidth-1", wrong)
		b.waitFor(`document.getElementById("problem").textContent.includes("bandwidth")`)
		change(b, "bandwidth-1", "4096")
	}
	change(b, "bandwidth-0", "4095") // the common multiple would be 4096*4095
	b.waitFor(`document.getElementById("problem").textContent.includes("bandwidth")`)
	change(b, "bandwidth-0", "3")

	// The address leads back to what is shown.
	address, state := eval[string](b, "location.href"), text("draw-command")
	b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(address))
	expect("draw-command", state)
	editorShows(b, "8x8:open=1:bandwidth=3,4096", "nodes:0,1+0,7+1,0+2,7+3,6+4,5+5,4+6,3+7,2")
	eval[bool](b, `(location.hash = "#nodes=0,0+0,4&open=0", true)`) // as who edits the address does
	b.waitFor(`document.getElementById("nodes").value === "0,0+0,4"`)
	editorShows(b, "8x8:open=0", "nodes:0,0+0,4")

	// Twisted tori: by the address, by the box, moved over an end, with a side of 1 and with three dimensions.
	eval[bool](b, `(location.hash = "#torus=4x8:twist=4&nodes=0,0+3,1", true)`)
	b.waitFor(`document.getElementById("nodes").value === "0,0+3,1"`)
	editorShows(b, "4x8:twist=4", "nodes:0,0+3,1")
	expect("torus", "4x8:twist=4")
	says := eval[string](b, `[...document.querySelectorAll("#board > text")].map((t) => t.textContent).join(" ")`)
	if !strings.Contains(says, " 0,4") || !strings.Contains(says, " 3,3") {
		b.t.Errorf("the board does not say where shifted ends lead: %s", says)
	}
	change(b, "torus", "3x4:twist=0,0+2,0")
	change(b, "nodes", "0,3+1,1")
	editorShows(b, "3x4:twist=0,0+2,0", "nodes:0,3+1,1")
	eval[bool](b, `(document.getElementById("shift").click(), true)`)
	editorShows(b, "3x4:twist=0,0+2,0", "nodes:1,2+2,0")
	change(b, "torus", "1x11:twist=3")
	change(b, "nodes", "0,0+0,5")
	editorShows(b, "1x11:twist=3", "nodes:0,0+0,5")
	expect("eval-command", "leeway eval --torus 1x11:twist=3 --routing udr:tie=both --placement nodes:0,0+0,5")
	change(b, "torus", "1x4:twist=2")
	change(b, "nodes", "0,0+0,2")
	editorShows(b, "1x4:twist=2", "nodes:0,0+0,2")

	// Addresses that make no sense are said to, and show what is left of them.
	for hash, want := range map[string]string{
		"open=7": "is no list of dimensions here", "open=0,1,2": "is no list of dimensions here",
		"torus=4x8&twist=1,4%2b0,0": "shifts its own coordinate", "torus=4x8&twist=0,4%2b2,0": "in a circle",
		"twist=x": "is no twist", "torus=1x8": "is no network here", "torus=4x8:wrap=1": "is no option of a network",
		"routing=sat":   "unknown routing",
		"bandwidth=0,1": "outside 1..4096", "bandwidth=1,2,3": "for each dimension", "bandwidth=9999,1": "outside 1..4096",
		"bandwidth=4096,4095": "least common multiple", "fixed=9,9": "is no node", "forbidden=<b>": "is no node",
		"nodes=1,1%2b2": "is no node", "fixed=1,1&forbidden=1,1": "(1,1) is fixed and forbidden",
		"nodes=1,1&forbidden=1,1": "(1,1) is a forbidden node already",
	} {
		eval[bool](b, `(location.hash = "#nodes=2,2", true)`) // nothing is wrong with this one
		b.waitFor(`document.getElementById("problem").textContent === "" && document.getElementById("nodes").value === "2,2"`)
		eval[bool](b, fmt.Sprintf(`(location.hash = %q, true)`, hash))
		b.waitFor(fmt.Sprintf(`document.getElementById("problem").textContent.includes(%q)`, want))
	}
	eval[bool](b, `(location.hash = "#open=0,1&nodes=2,2", true)`)
	b.waitFor(`document.getElementById("nodes").value === "2,2"`)
	expect("problem", "")
	b.fits("editor", 360)
}

// editorWithClients plays with client traffic: the loads are those of the naive evaluator, the commands have the
// traffic, the words are those of controllers, and the address leads back to all of it.
func editorWithClients(b *browser, base string) {
	text := func(id string) string { return shownIn(b, id) }
	const nodes = "0,0+1,2+4,4+7,7"
	// shows compares all that is shown with the program's answer to a problem.
	shows := func(network, routed string, d *demand, asked string) {
		b.t.Helper()
		on, r := coretest.Parse(network, routed)
		s := coretest.Must(family.Parse(on, "nodes:"+nodes))
		p := d.apply(b.t, objective.Problem{Routing: r})
		loads := p.Naive(s)
		most, links := loads.Max()
		if got, want := text("max-load"), "E_max "+most.RatString(); got != want {
			b.t.Errorf("%s: %q, want %q", asked, got, want)
		}
		want := fmt.Sprintf("Throughput %s exchanges per unit time. A client is %s links from a controller on average.",
			new(big.Rat).Inv(most).RatString(), fast.MeanDistance(s).RatString())
		if got := text("exchanges"); got != want {
			b.t.Errorf("%s: %q, want %q", asked, got, want)
		}
		answer := text("answer")
		if want := fmt.Sprintf("4 controllers on the %s; %d of %d links", picture.NetworkName(on), links,
			on.Links()); !strings.Contains(answer, want) {
			b.t.Errorf("%s: %q, want %q", asked, answer, want)
		}
		shown := eval[[]string](b, `[...document.querySelectorAll("#board .link > title")].map((t) => t.textContent)`)
		named, _ := named(loads)
		for name, load := range named {
			if want := name[:strings.LastIndex(name, " {")] + ": " + load; !slices.Contains(shown, want) {
				b.t.Errorf("%s: %q is not shown", asked, want)
			}
		}
		if got, want := text("eval-command"), "leeway eval "+asked+" --placement nodes:"+nodes; got != want {
			b.t.Errorf("%q, want %q", got, want)
		}
		if got, want := text("search-command"), "leeway search "+asked+" --size 4"; got != want {
			b.t.Errorf("%q, want %q", got, want)
		}
		if page := eval[string](b, `document.querySelector(".editor").textContent`); strings.Contains(page, "rocessor") {
			b.t.Errorf("%s: controllers are called processors", asked)
		}
	}
	b.do(chromedp.EmulateViewport(1280, 900), chromedp.Navigate("about:blank"), chromedp.Navigate(base+"/editor.html#"+
		"open=0,1&routing=odr:tie=both&traffic=clients:request=1:reply=4&reply-routing=odr:order=1,0:tie=both&nodes="+nodes))
	shows("8x8:open=0,1", "odr:tie=both", &demand{1, 4, "odr:order=1,0:tie=both"}, "--mesh 8x8 --routing odr:tie=both "+
		"--traffic clients:request=1:reply=4 --reply-routing odr:order=1,0:tie=both")
	open(b, 0, false)
	open(b, 1, false)
	change(b, "bandwidth-1", "3")
	shows("8x8:bandwidth=1,3", "odr:tie=both", &demand{1, 4, "odr:order=1,0:tie=both"}, "--torus 8x8:bandwidth=1,3 "+
		"--routing odr:tie=both --traffic clients:request=1:reply=4 --reply-routing odr:order=1,0:tie=both")
	address := eval[string](b, "location.href")
	b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(address))
	shows("8x8:bandwidth=1,3", "odr:tie=both", &demand{1, 4, "odr:order=1,0:tie=both"}, "--torus 8x8:bandwidth=1,3 "+
		"--routing odr:tie=both --traffic clients:request=1:reply=4 --reply-routing odr:order=1,0:tie=both")
	change(b, "replies", "odr:tie=both") // the same as requests
	shows("8x8:bandwidth=1,3", "odr:tie=both", &demand{1, 4, ""}, "--torus 8x8:bandwidth=1,3 --routing odr:tie=both "+
		"--traffic clients:request=1:reply=4")
	change(b, "replies", "minimal:tie=both")
	change(b, "request", "0") // replies alone go by the routing
	shows("8x8:bandwidth=1,3", "odr:tie=both", &demand{0, 4, ""}, "--torus 8x8:bandwidth=1,3 --routing odr:tie=both "+
		"--traffic clients:request=0:reply=4")
	for wrong, want := range map[string]string{"0": "nothing is sent", "": "whole numbers", "-1": "whole numbers",
		"1048577": "outside 0..1048576", "1.5": "whole numbers"} {
		change(b, "reply", wrong)
		b.waitFor(fmt.Sprintf(`document.getElementById("problem").textContent.includes(%q)`, want))
	}
	change(b, "reply", "1048576")
	shows("8x8:bandwidth=1,3", "odr:tie=both", &demand{0, 1 << 20, ""}, "--torus 8x8:bandwidth=1,3 "+
		"--routing odr:tie=both --traffic clients:request=0:reply=1048576")
	if got := text("problem"); got != "" {
		b.t.Errorf("a problem is left: %q", got)
	}
	change(b, "traffic", "all")
	editorShows(b, "8x8:bandwidth=1,3", "nodes:"+nodes)
	if got := text("eval-command"); strings.Contains(got, "traffic") {
		b.t.Errorf("all to all: %q", got)
	}
	change(b, "routing", "avoid:tie=both")
	change(b, "traffic", "clients")
	b.waitFor(`document.getElementById("problem").textContent.includes("depend on the placement")`)
	change(b, "routing", "udr:tie=both")
	shows("8x8:bandwidth=1,3", "udr:tie=both", &demand{0, 1 << 20, ""}, "--torus 8x8:bandwidth=1,3 "+
		"--routing udr:tie=both --traffic clients:request=0:reply=1048576")

	for hash, want := range map[string]string{
		"traffic=nobody": "is no traffic", "traffic=clients:request=0:reply=0": "nothing is sent",
		"traffic=":                            "is no traffic",
		"traffic=clients:request=1:request=1": "is no traffic", "traffic=clients:reply=1048577": "outside 0..1048576",
		"reply-routing=udr:tie=both":                         "all-to-all traffic has no replies",
		"traffic=clients:reply=0&reply-routing=udr:tie=both": "needs requests and replies",
		"traffic=clients&reply-routing=avoid:tie=both":       "depend on the placement",
		"traffic=clients&routing=avoid:tie=both":             "depend on the placement",
	} {
		eval[bool](b, fmt.Sprintf(`(location.hash = %q, true)`, hash))
		b.waitFor(fmt.Sprintf(`document.getElementById("problem").textContent.includes(%q)`, want))
	}

	// What the atlas knows of the same traffic; where nothing ties under either tie rule.
	controllers := coretest.Must(family.Parse(core.MustTorus(8, 8), "diamond"))
	const dir = "8x8-open-0-1-traffic-clients-request-1-reply-4"
	for hash, want := range map[string]string{
		"open=0,1&traffic=clients:reply=4&routing=odr:tie=both":                            dir + "/odr-tie-plus/16.html",
		"open=0,1&traffic=clients:reply=4&routing=odr:tie=plus&reply-routing=odr:tie=both": dir + "/odr-tie-plus/16.html",
		"open=0,1&traffic=clients:reply=4&routing=odr:tie=both&reply-routing=odr:order=1,0:tie=both": dir +
			"-reply-routing-odr-order-1-0-tie-plus/odr-tie-plus/16.html",
		"open=0,1&traffic=clients:reply=4&routing=odr:tie=plus&forbidden=0,0": dir + "/odr-tie-plus/16.html",
		"open=0,1&traffic=clients:reply=5&routing=odr:tie=plus":               "",
		"traffic=clients:reply=4&routing=odr:tie=both":                        "",
	} {
		goTo(b, hash+"&nodes="+nodesText(controllers))
		if got := eval[string](b, `document.querySelector("#answer a")?.getAttribute("href") ?? ""`); got != want {
			b.t.Errorf("%s: the cell is %q, want %q", hash, got, want)
		}
	}
	b.fits("editor with clients", 360)
}

// editorInDepth looks into links and paths, undoes, compares, works on other networks, searches, proves and opens
// records, on a phone and in the dark too.
func editorInDepth(b *browser, base, program string) {
	text := func(id string) string { return shownIn(b, id) }
	click := func(selector string) {
		b.t.Helper()
		settle(b)
		eval[bool](b, fmt.Sprintf(`document.querySelector(%q).dispatchEvent(new MouseEvent("click", {bubbles: true}))`,
			selector))
		settle(b)
	}
	nodes := func(want string) {
		b.t.Helper()
		settle(b)
		if got := eval[string](b, `document.getElementById("nodes").value`); got != want {
			b.t.Errorf("nodes %q, want %q", got, want)
		}
	}
	b.do(chromedp.EmulateViewport(1280, 900), chromedp.Navigate("about:blank"),
		chromedp.Navigate(base+"/editor.html#routing=udr:tie=both&nodes=0,0+1,1"))
	settle(b)
	if at := eval[string](b, `location.hash`); at != "#torus=8x8&routing=udr:tie=both&nodes=0,0+1,1" {
		b.t.Errorf("the address of the editor ends in %s", at)
	}
	// From (0,0) to (1,1) there are two paths, and one of them leaves by each of two links.
	settle(b)
	b.do(chromedp.Focus(`[data-node="0"]`))
	eval[bool](b, `document.querySelector('[data-node="0"]').dispatchEvent(
		new KeyboardEvent("keydown", {key: "ArrowRight", shiftKey: true, bubbles: true}))`)
	if got := text("detail-title") + " " + text("detail-rows"); got !=
		"Link (0,0) -> (0,1) messageshare of its pathsload(0,0) to (1,1)1/21/2" {
		b.t.Errorf("the link says %q", got)
	}
	click("#detail-rows button")
	if got := text("detail-rows"); got != "paths(0,0) (1,0) (1,1)(0,0) (0,1) (1,1)" &&
		got != "paths(0,0) (0,1) (1,1)(0,0) (1,0) (1,1)" {
		b.t.Errorf("the paths are %q", got)
	}
	click("#close")
	role(b, "paths")
	click(`[data-node="9"]`)
	if got := text("detail-title") + " " + text("detail-rows"); got != "What (1,1) sends pathsto (0,0)" {
		b.t.Errorf("the processor says %q", got)
	}
	click("#close")
	role(b, "nodes")
	click(`[data-node="2"]`)
	nodes("0,0+0,2+1,1")
	click("#undo")
	nodes("0,0+1,1")
	click("#redo")
	nodes("0,0+0,2+1,1")
	click("#compare")
	click(`[data-node="2"]`)
	torus, r := coretest.Parse("8x8", "udr:tie=both")
	_, three := naiveLoads(r, core.MustPlacement(torus, []int{0, 2, 9}))
	_, two := naiveLoads(r, core.MustPlacement(torus, []int{0, 9}))
	if got := text("other-says"); text("max-load") != "E_max "+two || three == two ||
		!strings.HasPrefix(got, "3 processors, E_max "+three) || !strings.HasSuffix(got, "; more than the placement above") {
		b.t.Errorf("compared: %q and %q, naive has %s and %s", text("max-load"), got, two, three)
	}
	click("#swap")
	nodes("0,0+0,2+1,1")
	click("#drop")

	// Other networks, in slices.
	for network, count := range map[string]int{"9": 9, "3x3x3": 27, "2x3x2x3": 36} {
		change(b, "torus", network)
		settle(b)
		if got := eval[int](b, `document.querySelectorAll("#board .spot").length`); got != count {
			b.t.Errorf("%s: %d nodes", network, got)
		}
		t := coretest.Must(core.ParseNetwork(network))
		p := core.MustPlacement(t, eval[[]int](b,
			`[...document.querySelectorAll('#board [aria-checked="true"]')].map((s) => Number(s.dataset.node))`))
		r := coretest.Must(routing.Parse(t, "udr:tie=both"))
		if _, most := naiveLoads(r, p); text("max-load") != "E_max "+most {
			b.t.Errorf("%s: %q, naive %s", network, text("max-load"), most)
		}
		b.fits("editor on "+network, 400)
		b.do(chromedp.EmulateViewport(1280, 900))
	}

	// A search gives a record, which is checked and opened again.
	change(b, "torus", "4x4")
	change(b, "routing", "odr:tie=both")
	click("#prove")
	b.waitFor(`document.querySelector("#outcome button") !== null`)
	if got := text("progress"); !strings.HasPrefix(got, "E_max 1: optimal") { // section 5 of the papers' facts
		b.t.Errorf("proved: %q", got)
	}
	click("#outcome button")
	if got := text("max-load"); got != "E_max 1" {
		b.t.Errorf("shown: %q", got)
	}
	eval[bool](b, `(() => {
		window.saved = [];
		const make = URL.createObjectURL;
		URL.createObjectURL = (blob) => { if (blob.type === "application/json") saved.push(blob.text()); return make(blob); };
		for (const b of document.querySelectorAll("#outcome button")) if (b.textContent.startsWith("Save")) b.click();
		document.getElementById("save").click();
		return true;
	})()`)
	click("#check")
	b.waitFor(`document.getElementById("progress").textContent.startsWith("The record is valid, its proof verified.")`)
	settle(b)
	if got := text("outcome"); got != "Show it Save the record " {
		b.t.Errorf("after the check there is %q to press", got)
	}

	// The command line reads what is saved.
	for i := range 2 {
		file := filepath.Join(b.t.TempDir(), "saved.json")
		coretest.Try(os.WriteFile(file, []byte(eval[string](b, fmt.Sprintf("saved[%d]", i))), 0o666))
		if out, err := exec.Command(program, "eval", file).CombinedOutput(); err != nil ||
			!strings.Contains(string(out), "E_max        1 on") || !strings.Contains(string(out), "odr:tie=both") {
			b.t.Errorf("eval of file %d: %v: %s", i, err, out)
		}
	}

	// What the editor saves it opens again: a record, which can be checked, and an evaluation, which cannot.
	for i, check := range []bool{true, false} {
		before := eval[string](b, `location.hash`)
		change(b, "torus", "5x5")
		settle(b)
		eval[bool](b, fmt.Sprintf(`(async () => {
			const files = new DataTransfer(), box = document.getElementById("file");
			files.items.add(new File([await saved[%d]], "saved.json"));
			box.files = files.files;
			return box.dispatchEvent(new Event("change"));
		})()`, i))
		b.waitFor(`location.hash === ` + quoted(before))
		settle(b)
		if got := text("problem"); got != "" || eval[bool](b, `document.getElementById("check").disabled`) == check {
			b.t.Errorf("file %d: problem %q, check %v", i, got, check)
		}
	}
	b.fits("editor with a record", 400)

	// What was found about a network goes with it, and so does work under way.
	change(b, "torus", "4x4")
	click("#prove")
	b.waitFor(`document.querySelector("#outcome button") !== null`)
	click("#prove")
	change(b, "torus", "5x5")
	b.waitFor(`!document.getElementById("prove").disabled`)
	if got := text("progress") + text("outcome"); got != "" ||
		!eval[bool](b, `document.getElementById("check").disabled`) {
		b.t.Errorf("on another network there is %q left", got)
	}
	eval[bool](b, `(() => {
		Engine.start = async () => ({ ask: (_, tell) => { tell({ total: 255 }); return new Promise(() => {}); }, end() {} });
		document.getElementById("prove").click();
		return true;
	})()`)
	b.waitFor(`document.getElementById("progress").textContent.includes("255")`)
	if got := text("progress"); got != "Proving: 0 of 255" {
		b.t.Errorf("progress without a first part: %q", got)
	}
}

// A demand is a client traffic as the script has it; Replies "" is the routing of the requests.
type demand struct {
	Request int    `json:"request"`
	Reply   int    `json:"reply"`
	Replies string `json:"replies"`
}

// apply returns a problem with the traffic.
func (d *demand) apply(t *testing.T, p objective.Problem) objective.Problem {
	if d == nil {
		return p
	}
	traffic := objective.Traffic{Request: d.Request, Reply: d.Reply}
	var err error
	if d.Replies != "" {
		traffic.Replies, err = routing.Parse(p.Torus(), d.Replies)
	}
	if err == nil {
		p, err = p.WithTraffic(traffic)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// drawDemand draws a client traffic: small or great numbers, one of them at times 0, replies by one of some routings.
func drawDemand(rng *rand.Rand, ways []string) *demand {
	d := &demand{Request: 1 + rng.IntN(4), Reply: 1 + rng.IntN(4)}
	switch rng.IntN(8) {
	case 0:
		d.Request = 0
	case 1:
		d.Reply = 0
	case 2:
		d.Request, d.Reply = objective.MaxMessages-rng.IntN(2), objective.MaxMessages-rng.IntN(2)
	}
	if d.Request > 0 && d.Reply > 0 && rng.IntN(2) == 0 {
		d.Replies = ways[rng.IntN(len(ways))]
	}
	return d
}
