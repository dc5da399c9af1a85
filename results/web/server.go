package web

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"time"

	"leeway/results"
	"leeway/results/check"
	checker "leeway/results/check/documents"
	"leeway/results/store"
	"leeway/results/web/pages"
)

// Access says who may do what.
type Access struct {
	// Loopback says that the server listens on a loopback address: then requests must name one as their host, so that
	// no other site can read through a browser on this machine (DNS rebinding).
	Loopback bool
	// Token lets those who send it post records; "" lets nobody.
	Token string
	// Post takes in a record that was posted and verifies it first; see Submit. It is called by as many
	// requests at once as there are processors, and its context ends when the sender goes.
	Post func(context.Context, []byte) (Receipt, error)
	// Report is told what keeps the source from being read; nil: nobody is.
	Report func(error)
}

// A Server answers requests for the pages of a site. It only reads, unless Access says otherwise.
type Server struct {
	site   *Site
	access Access
	mux    *http.ServeMux
	checks chan struct{} // records being checked

	refresh func() error // nil: the source never changes
	mu      sync.Mutex
	fresh   time.Time // of the last refresh
}

// maxAddress is the longest address, query included, that is looked at.
const maxAddress = 2048

// refreshInterval is how often a source is asked for changes at most.
const refreshInterval = time.Second

// policy allows what the pages need: style, scripts and pictures of this site, and the engine of the editor, a worker
// that it makes.
const policy = "default-src 'none'; style-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src blob:; " +
	"img-src 'self'; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// NewServer returns the server of a site. Its source is refreshed now and then if it has a method for that.
func NewServer(site *Site, access Access) *Server {
	s := &Server{site: site, access: access, mux: http.NewServeMux(),
		checks: make(chan struct{}, runtime.GOMAXPROCS(0))}
	if r, ok := site.source.(interface{ Refresh() error }); ok {
		s.refresh = r.Refresh
	}
	s.mux.HandleFunc("GET /", s.get)
	s.mux.HandleFunc("POST /records", s.post)
	return s
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	guard(w)
	switch {
	case s.access.Loopback && !localHost(r.Host):
		s.site.fail(w, http.StatusMisdirectedRequest, "Unknown host",
			fmt.Sprintf("This server answers to localhost only, not to %q.", r.Host))
	case len(r.RequestURI) > maxAddress:
		s.site.fail(w, http.StatusRequestURITooLong, "Address too long",
			fmt.Sprintf("Addresses have at most %d characters.", maxAddress))
	case r.Method != http.MethodGet && r.Method != http.MethodHead && (r.Method != http.MethodPost ||
		r.URL.Path != "/records"):
		w.Header().Set("Allow", "GET, HEAD")
		s.site.fail(w, http.StatusMethodNotAllowed, "Not allowed", "This site is read, not written to.")
	default:
		s.mux.ServeHTTP(w, r)
	}
}

// guard sets the headers that every answer has.
func guard(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
}

// Loopback reports whether only this machine can reach a listener.
func Loopback(l net.Listener) bool {
	tcp, ok := l.Addr().(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// Serve answers requests until the context ends, and then ends those under way.
func Serve(ctx context.Context, l net.Listener, h http.Handler) error {
	requests, cancel := context.WithCancel(context.Background())
	server := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 16 << 10, BaseContext: func(net.Listener) context.Context { return requests }}
	stop := context.AfterFunc(ctx, func() {
		cancel() // of records that are being checked
		ending, done := context.WithTimeout(context.Background(), 2*time.Second)
		defer done()
		if server.Shutdown(ending) != nil {
			server.Close()
		}
	})
	defer stop()
	defer cancel()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// localHost reports whether a Host header names this machine as itself.
func localHost(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.Trim(name, "[]")
	ip := net.ParseIP(name)
	return strings.EqualFold(name, "localhost") || ip != nil && ip.IsLoopback()
}

// get answers with a page.
func (s *Server) get(w http.ResponseWriter, r *http.Request) {
	address, ok := pages.Clean(r.URL.Path)
	if !ok {
		s.site.fail(w, http.StatusNotFound, "Not found", "There is no such page.")
		return
	}
	if to, named, err := pages.Written(address); err != nil {
		s.site.fail(w, http.StatusBadRequest, "No such network", err.Error())
		return
	} else if named {
		http.Redirect(w, r, "/"+to, http.StatusSeeOther)
		return
	}
	if err := s.renew(); err != nil {
		s.broken(w, err)
		return
	}
	var d document
	var err error
	if address == pages.SearchAddress {
		query := r.URL.Query().Get("q")
		if len(query) > pages.MaxQuery {
			s.site.fail(w, http.StatusRequestURITooLong, "Query too long",
				fmt.Sprintf("Queries have at most %d characters.", pages.MaxQuery))
			return
		}
		d, err = s.site.html(pages.Search(s.site.source, query), nil)
	} else {
		d, err = s.site.page(address)
	}
	switch {
	case errors.Is(err, ErrNotFound):
		s.site.fail(w, http.StatusNotFound, "Not found", "There is no such page: the atlas has no such cell.")
	case err != nil:
		s.broken(w, err)
	default:
		w.Header().Set("Cache-Control", "no-cache")
		d.send(w, http.StatusOK)
	}
}

// send answers with a document.
func (d document) send(w http.ResponseWriter, status int) {
	w.Header().Set("Content-Type", d.kind)
	w.WriteHeader(status)
	w.Write(d.body) // an error means that the reader has gone
}

// renew refreshes the source, at most once in the interval.
func (s *Server) renew() error {
	if s.refresh == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if time.Since(s.fresh) < refreshInterval {
		return nil
	}
	err := s.refresh()
	s.fresh = time.Now()
	return err
}

// broken answers that the source could not be read.
func (s *Server) broken(w http.ResponseWriter, err error) {
	if s.access.Report != nil {
		s.access.Report(err)
	}
	s.site.fail(w, http.StatusInternalServerError, "Something is wrong here",
		"The atlas could not be read. The terminal of the server says why.")
}

// fail answers with a page that says what is wrong.
func (s *Site) fail(w http.ResponseWriter, status int, title, text string) {
	d, err := s.html(pages.Fault(title, text), nil)
	if err != nil {
		http.Error(w, title, status)
		return
	}
	d.send(w, status)
}

// A Receipt says what became of a record that was posted.
type Receipt struct {
	Verdict string   `json:"verdict"` // valid, wrong or unreadable, as check says
	Reasons []string `json:"reasons"`
	Kept    bool     `json:"kept"` // false where the store knows as good
}

// Submit returns the function that takes records into a store: each is checked whole first, its proof too. A proof
// file must lie beside the store already; steps that are in no file are produced.
func Submit(to *store.Store, produce check.Producer) func(context.Context, []byte) (Receipt, error) {
	return func(ctx context.Context, data []byte) (Receipt, error) {
		verdict := checker.Document(ctx, data, to.Folder(), check.Options{Produce: produce})
		if ctx.Err() != nil {
			return Receipt{}, ctx.Err()
		}
		answer := Receipt{Verdict: verdict.Verdict, Reasons: append([]string{}, verdict.Reasons...)}
		if verdict.Verdict != check.Valid {
			return answer, nil
		}
		record, err := results.ReadRecord(data)
		if err != nil {
			return Receipt{Verdict: check.Unreadable, Reasons: []string{"only records are taken in: " + err.Error()}}, nil
		}
		answer.Kept, err = to.AddRecord(record)
		var conflict *store.ConflictError
		if errors.As(err, &conflict) {
			return Receipt{Verdict: check.Wrong, Reasons: []string{err.Error()}}, nil
		}
		return answer, err
	}
}

// retryAfter is after how many seconds who was sent away may try again: a check of a short record takes less.
const retryAfter = "10"

// post takes in a record from whoever has the token.
func (s *Server) post(w http.ResponseWriter, r *http.Request) {
	token, sent := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	switch {
	case s.access.Token == "" || s.access.Post == nil:
		s.refuse(w, http.StatusForbidden, "this server only reads: start it with --token-file to let records in")
		return
	case !sent || subtle.ConstantTimeCompare([]byte(token), []byte(s.access.Token)) != 1:
		w.Header().Set("WWW-Authenticate", "Bearer")
		s.refuse(w, http.StatusUnauthorized, "the token is missing or wrong")
		return
	}
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, results.MaxFileBytes))
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		s.refuse(w, http.StatusRequestEntityTooLarge, "records have at most 32 MiB")
		return
	}
	if err != nil {
		return // the sender has gone
	}
	select {
	case s.checks <- struct{}{}:
		defer func() { <-s.checks }()
	default:
		w.Header().Set("Retry-After", retryAfter)
		s.refuse(w, http.StatusServiceUnavailable,
			"the server is checking as many records at a time as it may: try again later")
		return
	}
	answer, err := s.access.Post(r.Context(), data)
	switch {
	case err != nil && r.Context().Err() != nil: // the sender has gone
	case err != nil:
		s.broken(w, err)
	case answer.Verdict != check.Valid:
		writeJSON(w, http.StatusUnprocessableEntity, answer)
	case answer.Kept:
		writeJSON(w, http.StatusCreated, answer)
	default:
		writeJSON(w, http.StatusOK, answer)
	}
}

// refuse answers a program.
func (s *Server) refuse(w http.ResponseWriter, status int, problem string) {
	writeJSON(w, status, map[string]string{"error": problem})
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", kindJSON)
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(v) // an error means that the reader has gone
}
