package web_test

import (
	"net/http/httptest"
	"net/url"
	"testing"

	"leeway/core/coretest"
	"leeway/results/web"
)

// FuzzRequests asks for any address and query: the answer is a page, a file, or a refusal, never a fault.
func FuzzRequests(f *testing.F) {
	site := coretest.Must(web.NewSite(&many{tori: 3, sizes: 5}, web.Options{}))
	server := web.NewServer(site, web.Access{})
	for address := range pages {
		f.Add(address, "n=3 2^3 open")
	}
	f.Add("/2x2x3/odr-tie-plus/3.html", "8x8 n=")
	f.Fuzz(func(t *testing.T, path, query string) {
		r := httptest.NewRequest("GET", "/", nil)
		r.URL = &url.URL{Path: path, RawQuery: "q=" + url.QueryEscape(query)}
		w := httptest.NewRecorder()
		server.ServeHTTP(w, r)
		if w.Code >= 500 {
			t.Errorf("%q %q: status %d", path, query, w.Code)
		}
		if w.Code == 200 && w.Body.Len() == 0 {
			t.Errorf("%q %q: an empty answer", path, query)
		}
	})
}
