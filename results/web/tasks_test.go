package web_test

import (
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/chromedp/chromedp"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/labels"
	"leeway/core/routing"
	"leeway/objective"
	"leeway/results/atlas"
	"leeway/results/disk"
	"leeway/results/web"
)

// editorWithTasks opens matrices, moves tasks by pointer and keys, saves and searches: E_max is that of the definition,
// and the program says the same of what is saved.
func editorWithTasks(b *browser, base, program string) {
	text := func(id string) string { return shownIn(b, id) }
	give := func(name, content string) {
		b.t.Helper()
		settle(b)
		eval[bool](b, fmt.Sprintf(`(() => {
			const files = new DataTransfer();
			files.items.add(new File([%s], %q));
			return document.dispatchEvent(new DragEvent("drop", { dataTransfer: files, cancelable: true })) || true;
		})()`, quoted(content), name))
	}
	// matrix of 5 tasks, and what the definition says of it on 2x3 under xy.
	const csv = "from,to,amount\n0,1,2\n1,2,1/3\n2,0,0.5\n3,4,1\n4,0,3\n0,3,5/2\n"
	torus := core.MustTorus(2, 3)
	p := objective.Problem{Routing: coretest.Must(routing.Parse(torus, "xy"))}
	shows := func(tasks ...int) string {
		b.t.Helper()
		q := coretest.Must(p.WithTraffic(objective.Traffic{Matrix: coretest.Must(disk.ReadMatrix([]byte(csv))), PerNode: 2}))
		most, _ := q.Naive(coretest.Must(core.PlaceTasks(torus, tasks))).Max()
		var nodes []string
		for _, v := range tasks {
			nodes = append(nodes, core.JoinInts(torus.Coords(v), ","))
		}
		if got, want := text("nodes"), strings.Join(nodes, "+"); got != want {
			b.t.Errorf("tasks are on %s, want %s", got, want)
		}
		if got := text("max-load"); got != "E_max "+most.RatString() {
			b.t.Errorf("%v: %q, by the definition %s", tasks, got, most.RatString())
		}
		return most.RatString()
	}
	b.do(chromedp.EmulateViewport(1280, 900), chromedp.Navigate("about:blank"),
		chromedp.Navigate(base+"/editor.html#torus=2x3&routing=odr:order=1,0:tie=plus"))
	give("demands.csv", csv)
	b.waitFor(`document.querySelectorAll("#board .in-processor:not(:empty)").length === 5`)
	shows(0, 1, 2, 3, 4)
	b.waitFor(`document.getElementById("bounds").rows.length > 2`)

	// A pointer drags task 0 to a free node, and then to that of task 2, which takes its place.
	drag := func(from, to int) {
		b.t.Helper()
		settle(b)
		eval[bool](b, fmt.Sprintf(`(() => {
			const at = (v, kind) => document.querySelector('#board [data-node="' + v + '"]').dispatchEvent(
				new PointerEvent(kind, { bubbles: true, pointerId: 1 }));
			return at(%d, "pointerdown") && at(%d, "pointerup");
		})()`, from, to))
	}
	drag(0, 5)
	load := shows(5, 1, 2, 3, 4)
	if got, want := text("readout"), "Task 0 is on (1,2): E_max "+load; !strings.HasPrefix(got, want) {
		b.t.Errorf("it says %q, want %q", got, want)
	}
	drag(5, 2)
	shows(2, 1, 5, 3, 4)

	// Keys: the space bar takes up task 3, arrows move it, over task 0 on the way, and Escape lays it down.
	press := func(keys ...string) {
		b.t.Helper()
		for _, key := range keys {
			settle(b)
			eval[bool](b, fmt.Sprintf(`document.activeElement.dispatchEvent(new KeyboardEvent("keydown",
				{ key: %q, bubbles: true })) || true`, key))
		}
	}
	b.do(chromedp.Focus(`#board [data-node="3"]`))
	press(" ", "ArrowUp", "ArrowLeft")
	load = shows(0, 1, 5, 2, 4)
	if got := text("readout"); !strings.Contains(got, "Task 3 is on (0,2), task 0 on (0,0): E_max "+load) {
		b.t.Errorf("it says %q", got)
	}
	press("Escape")
	if n := eval[int](b, `document.querySelectorAll("#board .held").length`); n != 0 {
		b.t.Errorf("%d tasks are held", n)
	}
	change(b, "per-node", "2")
	drag(4, 5)
	shows(0, 1, 5, 2, 5)
	if label := eval[string](b, `document.querySelector('#board [data-node="5"] text').textContent`); label != "2+" {
		b.t.Errorf("two tasks are called %q", label)
	}
	change(b, "fixed", "1=1,1")
	shows(0, 4, 5, 2, 5)
	drag(4, 0)
	if got := text("problem"); got != "Task 1 is fixed on (1,1)" {
		b.t.Errorf("a fixed task moves: %q", got)
	}
	load = shows(0, 4, 5, 2, 5)
	if got, want := text("search-command"), "leeway search --torus 2x3 --routing odr:order=1,0:tie=plus --traffic "+
		"@matrix.json --per-node 2 --fixed 1=1,1"; got != want {
		b.t.Errorf("%q, want %q", got, want)
	}

	// The address keeps all, and the program says the same of what is saved.
	address := eval[string](b, "location.href")
	b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(address))
	shows(0, 4, 5, 2, 5)
	eval[bool](b, `(() => {
		window.saved = [];
		const make = URL.createObjectURL;
		URL.createObjectURL = (blob) => { if (blob.type === "application/json") saved.push(blob.text()); return make(blob); };
		document.getElementById("save").click();
		document.getElementById("save-matrix").click();
		document.getElementById("evaluations").value = 2000;
		document.getElementById("search").click();
		return true;
	})()`)
	b.waitFor(`document.querySelector("#outcome button") !== null`)
	found := eval[string](b, `(() => {
		for (const b of document.querySelectorAll("#outcome button")) if (b.textContent.startsWith("Save")) b.click();
		document.querySelector("#outcome button").click();
		return document.getElementById("progress").textContent;
	})()`)
	best := strings.TrimPrefix(text("max-load"), "E_max ")
	if m, err := disk.ReadMatrix([]byte(eval[string](b, "saved.splice(1, 1)[0]"))); err != nil ||
		m.SHA256() != coretest.Must(disk.ReadMatrix([]byte(csv))).SHA256() {
		b.t.Errorf("the matrix that is saved is %v, %v", m, err)
	}
	if key := text("legend"); !strings.Contains(key, "with a border: fixed") {
		b.t.Errorf("the legend says %q", key)
	}
	if !strings.HasPrefix(found, "E_max "+best) {
		b.t.Errorf("it found %q and shows %s", found, best)
	}
	for i, c := range []struct{ command, says string }{{"eval", "E_max        " + load + " "}, {"check", "valid"},
		{"eval", "E_max        " + best + " "}} {
		file := filepath.Join(b.t.TempDir(), "saved.json")
		coretest.Must(0, os.WriteFile(file, []byte(eval[string](b, fmt.Sprintf("saved[%d]", (i+1)/2))), 0o666))
		if out, err := exec.Command(program, c.command, file).CombinedOutput(); err != nil ||
			!strings.Contains(string(out), c.says) {
			b.t.Errorf("%s: %v: %s, want %q", c.command, err, out, c.says)
		}
	}
	// The page of the record leads here, with its tasks, their matrix and what is fixed.
	record := eval[string](b, "saved[1]")
	placed, most := text("nodes"), text("max-load")
	view := coretest.Must(atlas.OfRecords([]byte(record)))
	cells, _ := view.Cells(atlas.Filter{})
	server := httptest.NewServer(web.NewServer(coretest.Must(web.NewSite(view, web.Options{})), web.Access{}))
	b.t.Cleanup(server.Close)
	saved := eval[string](b, "saved[0]")
	b.do(chromedp.Navigate(fmt.Sprintf("%s/%s/%s/%d.html", server.URL, labels.Place(cells[0].Where()),
		labels.Slug(cells[0].Routing), cells[0].Size)))
	to := eval[string](b,
		`[...document.querySelectorAll(".downloads a")].find((a) => a.textContent.startsWith("Open")).hash`)
	b.do(chromedp.Navigate(base + "/editor.html" + to))
	have := []string{text("nodes"), text("max-load"), text("fixed"), text("per-node"), text("problem")}
	if !slices.Equal(have, []string{placed, most, "1=1,1", "2", ""}) {
		b.t.Errorf("the page of the record leads to %q, want %s, %s", have, placed, most)
	}
	give("saved.json", saved)
	b.waitFor(`document.getElementById("nodes").value === "0,0+1,1+1,2+0,2+1,2"`)
	shows(0, 4, 5, 2, 5)

	// What is wrong with a file is what the program says of it.
	for name, content := range map[string]string{"word.csv": "0,1,2\n1,x,3\n", "short.txt": "0 1\n", "none.csv": "",
		"minus.json": `{"schema":"leeway/matrix/1","tasks":2,"demands":[[0,1,-1]]}`,
		"cut.json":   "{\"schema\":\"leeway/matrix/1\",\n\"tasks\":2", "twice.csv": "0,1,2\n0,1,3\n"} {
		file := filepath.Join(b.t.TempDir(), name)
		coretest.Must(0, os.WriteFile(file, []byte(content), 0o666))
		command := exec.Command(program, "eval", "--torus", "2x3", "--routing", "xy", "--placement", "full", "--traffic",
			"@"+name)
		command.Dir = filepath.Dir(file)
		out, _ := command.CombinedOutput()
		said, hint, _ := strings.Cut(strings.TrimPrefix(string(out), "leeway: --traffic "), "\nhint: ")
		give(name, content)
		want := strings.TrimSpace(said)
		if hint != "" {
			want += "; " + strings.TrimSpace(hint)
		}
		b.waitFor(`document.getElementById("problem").textContent === ` + quoted(want))
		shows(0, 4, 5, 2, 5)
	}
	b.fits("editor with tasks", 400)
	b.do(chromedp.EmulateViewport(1280, 900))
}
