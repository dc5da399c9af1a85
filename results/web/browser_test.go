package web_test

import (
	"context"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"leeway/core/coretest"
)

// A browser is a real one, without a window, with what it complained about.
type browser struct {
	t   *testing.T
	ctx context.Context

	mu         sync.Mutex
	complaints []string
	marks      chan string // lines that heard wrote to the console itself
}

// newBrowser starts Chromium. Tests with a browser are left out with -short, and where there is none: tools/check.sh
// installs it.
func newBrowser(t *testing.T) *browser {
	t.Helper()
	if testing.Short() {
		t.Skip("a browser takes its time")
	}
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		if os.Getenv("LEEWAY_BROWSER") == "required" {
			t.Fatal("no Chromium on the path, though LEEWAY_BROWSER says that it is required")
		}
		t.Skip("no Chromium on the path: the pages are not tested in a browser")
	}
	// A hung browser ends a little before the tests are killed, so that it is said where. On a busy machine a browser
	// is slow, which is not a reason to give up any sooner.
	limited, cancel := context.Background(), context.CancelFunc(func() {})
	left := time.Hour
	if end, ok := t.Deadline(); ok {
		left = time.Until(end) * 9 / 10
		limited, cancel = context.WithTimeout(limited, left)
	}
	t.Cleanup(cancel)
	// A page that was left is not kept with its engine, and the next one needs no process of its own.
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox,
		chromedp.DisableGPU, chromedp.WSURLReadTimeout(left), chromedp.Flag("disable-features",
			"site-per-process,Translate,BackForwardCache,ProactivelySwapBrowsingInstance,SpareRendererForSitePerProcess"))
	alloc, cancelAlloc := chromedp.NewExecAllocator(limited, options...)
	t.Cleanup(cancelAlloc)
	ctx, cancelBrowser := chromedp.NewContext(alloc)
	t.Cleanup(cancelBrowser)
	b := &browser{t: t, ctx: ctx, marks: make(chan string, 1)}
	messages := chromedp.Console(ctx)
	go func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			if strings.HasPrefix(m.Text, mark) {
				b.marks <- m.Text
			} else if kind := string(m.Type); m.IsException() || kind == "error" || kind == "warning" || kind == "assert" {
				b.mu.Lock()
				b.complaints = append(b.complaints, m.String())
				b.mu.Unlock()
			}
		}
	}()
	b.do(chromedp.Navigate("about:blank"))
	return b
}

func (b *browser) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	coretest.Try(chromedp.Do(b.ctx, steps...))
}

// eval returns the value of a script, which may be a promise.
func eval[T any](b *browser, script string) T {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](script, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%.200s: %v", script, err)
	}
	return v
}

// waitFor waits until a condition on the page holds.
func (b *browser) waitFor(condition string) {
	b.t.Helper()
	script := `new Promise((done, fail) => {
		const end = performance.now() + 120000;
		const look = () => { if (` + condition + `) done(true); else if (performance.now() > end) done(false);
			else setTimeout(look, 10); };
		look();
	})`
	if !eval[bool](b, script) {
		b.t.Errorf("not true in two minutes: %s\n%.600s", condition, eval[string](b, "document.body.innerText"))
	}
}

// mark begins what heard writes to the console, so that it knows when all before has come.
const mark = "mark of the test: "

// heard returns what the browser has complained about since the last call.
func (b *browser) heard(where string) []string {
	b.t.Helper()
	eval[bool](b, `(console.log(`+strconv.Quote(mark+where)+`), true)`)
	select {
	case <-b.marks:
	case <-b.ctx.Done():
		b.t.Fatal("the console is silent")
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	list := b.complaints
	b.complaints = nil
	return list
}

// fits fails if the page must be scrolled sideways, or cuts off a picture; the board of the editor may be scrolled, so
// that its nodes stay large enough for a finger.
func (b *browser) fits(where string, width int64) {
	b.t.Helper()
	b.do(chromedp.EmulateViewport(width, 740))
	if cut := eval[[]string](b, `[...document.querySelectorAll("figure:not(.board), figure:not(.board) .scroll")]
		.filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.className + " of " +
		e.closest("figure").textContent.trim().slice(0, 40) + ": " + e.scrollWidth + " in " + e.clientWidth)`); len(cut) > 0 {
		b.t.Errorf("%s: at width %d %d pictures are cut off: %.300q", where, width, len(cut), cut)
	}
	if over := eval[int](b, "document.documentElement.scrollWidth - document.documentElement.clientWidth"); over > 0 {
		b.t.Errorf("%s: at width %d the page is %d pixels too wide", where, width, over)
	}
}
