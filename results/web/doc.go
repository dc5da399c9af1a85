// Package web shows an atlas as pages: served by a program, or written out as a site
// that opens from disk.
//
// A Site renders. Every page has one address, a path relative to the root such as
// 8x8/udr-tie-both/16.html, and all links are relative, so that a served page and a
// written one are the same bytes. A Server answers requests from a Site; Export
// writes every page of one. Live is the hub of a page that follows work in progress.
//
// Pages are HTML of the server and work without scripts; a script adds what needs
// one: loads under the pointer, the editor, the live page. Nothing comes from another
// host, and the Content-Security-Policy says so. All text that comes from records is
// escaped by html/template.
//
//	site, err := web.NewSite(atlas, web.Options{})
//	server := web.NewServer(site, web.Access{Loopback: true})
//	err = http.Serve(listener, server)
package web
