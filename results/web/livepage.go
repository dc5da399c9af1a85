package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// writeTime is how long one event may take to be written to a reader; heartbeat is
// how often a reader without news gets a sign of life.
const (
	writeTime = 10 * time.Second
	heartbeat = 20 * time.Second
)

// liveBody is what a live page shows before its script runs, or without it.
type liveBody struct {
	liveState
	Title      string
	Events     string // address of the events
	PicturesAt string // where pictures lie
}

// Handler returns the pages of a hub as a site of their own, with the live page at the
// root.
func (l *Live) Handler(access Access) (http.Handler, error) {
	site, err := NewSite(nothing{}, Options{Bare: true})
	if err != nil {
		return nil, err
	}
	s := NewServer(site, access)
	live := l.handler(site, "runs/")
	s.mux.Handle("GET /{$}", live)
	s.mux.Handle("GET /"+startAddress, live)
	s.mux.Handle("GET /runs/", live)
	return s, nil
}

// handler answers with the page, the events and the pictures. The latter lie in a
// folder beside the page.
func (l *Live) handler(site *Site, folder string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, isFile := strings.CutPrefix(r.URL.Path, "/"+folder)
		switch {
		case isFile && name == "events":
			l.stream(w, r)
		case isFile && name == "":
			home := runsAddress
			if site.options.Bare {
				home = startAddress
			}
			http.Redirect(w, r, "/"+home, http.StatusSeeOther)
		case isFile:
			svg, ok := l.picture(name)
			if !ok {
				site.fail(w, http.StatusNotFound, "Not found", "There is no such picture of a running search.")
				return
			}
			w.Header().Set("Content-Type", kindSVG)
			// The style of a picture stands in it.
			w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
			w.Write(svg)
		default:
			l.page(w, site, folder)
		}
	})
}

func (l *Live) page(w http.ResponseWriter, site *Site, folder string) {
	l.mu.Lock()
	state := l.state()
	l.mu.Unlock()
	d, err := site.render("live", runsAddress, l.title, nil, liveBody{liveState: state, Title: l.title, Events: folder + "events", PicturesAt: folder})
	if err != nil {
		http.Error(w, "the page could not be made", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", d.kind)
	w.Header().Set("Cache-Control", "no-store")
	w.Write(d.body)
}

// stream sends the state and then every event, until the reader leaves or is too
// slow.
func (l *Live) stream(w http.ResponseWriter, r *http.Request) {
	control := http.NewResponseController(w)
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	events, state := l.join()
	defer l.leave(events)
	data, err := json.Marshal(state)
	if err != nil {
		panic("web: text always encodes")
	}
	send := func(format string, args ...any) bool {
		control.SetWriteDeadline(time.Now().Add(writeTime)) // not every writer has one
		if _, err := fmt.Fprintf(w, format, args...); err != nil {
			return false
		}
		return control.Flush() == nil
	}
	if !send("event: state\ndata: %s\n\n", data) {
		return
	}
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for {
		ok := true
		select {
		case <-r.Context().Done():
			return
		case <-beat.C:
			ok = send(": still here\n\n")
		case data, open := <-events:
			ok = open && send("data: %s\n\n", data)
		}
		if !ok {
			return
		}
	}
}
