package web

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"regexp"
	"strconv"
	"strings"

	"leeway/results/atlas"
)

// Addresses of pages, relative to the root of the site.
const (
	startAddress  = "index.html"
	searchAddress = "search.html"
	aboutAddress  = "about.html"
	auditAddress  = "audit.html"
	wrongAddress  = "wrong.html"
	runsAddress   = "runs.html"
)

// plain are the routings whose address is their text with other separators.
var plain = regexp.MustCompile(`^[a-z]+(:tie=(plus|both))?$`)

// slug returns a routing as part of an address: udr-tie-both. Texts that would lose
// something on the way get their hash.
func slug(routing string) string {
	if plain.MatchString(routing) {
		return strings.NewReplacer(":", "-", "=", "-").Replace(routing)
	}
	name, _, _ := strings.Cut(routing, ":")
	if !plain.MatchString(name) {
		name = "routing"
	}
	sum := sha256.Sum256([]byte(routing))
	return name[:min(len(name), 20)] + "-" + hex.EncodeToString(sum[:8])
}

// torusAddress is the page of a torus.
func torusAddress(torus string) string { return torus + ".html" }

// editorAddress is the page on which placements on a torus are made by hand.
func editorAddress(torus string) string { return torus + "/editor.html" }

// frontierAddress is a page of the sizes of a torus and a routing; pages count from 1.
func frontierAddress(torus, routing string, page int) string {
	if page > 1 {
		return torus + "/" + slug(routing) + ".p" + strconv.Itoa(page) + ".html"
	}
	return torus + "/" + slug(routing) + ".html"
}

// cellAddress is the page of a cell, or with another ending a file about it.
func cellAddress(k atlas.Key, ending string) string {
	return torusSlug(k) + "/" + strconv.Itoa(k.Size) + ending
}

func torusSlug(k atlas.Key) string { return k.Torus + "/" + slug(k.Routing) }

// The endings of files about a cell.
const (
	pageEnding   = ".html"
	recordEnding = ".json"
	svgEnding    = ".svg"
	pngEnding    = ".png"
	splitEnding  = ".split.html"
)

// root returns the way from a page up to the root, "" or "../" or "../../".
func root(address string) string { return strings.Repeat("../", strings.Count(address, "/")) }

// clean returns an address in the one form that names it, and false for what is
// none, such as a path out of the site.
func clean(address string) (string, bool) {
	address = strings.TrimPrefix(address, "/")
	if address == "" {
		return startAddress, true
	}
	return address, path.Clean(address) == address && !strings.HasPrefix(address, "..") && !strings.ContainsAny(address, "\\\x00")
}
