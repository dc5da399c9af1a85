// Package labels names cells and orbits of placements for good: by what they are, with no list that later finds change.
//
// The label of a cell is its network with traffic and conditions, its routing and its size, 8x8.udr-tie-both.16. That
// of an orbit of placements in it has the hash of one of them besides, 8x8.udr-tie-both.16.1f0c33ab: see Orbit.
package labels

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"leeway/core"
)

// Cell returns the label of a cell: of a network with traffic and conditions and of a routing, as canonical texts, and
// of a number of processors.
func Cell(where, routing string, size int) string {
	return Place(where) + "." + Slug(routing) + "." + strconv.Itoa(size)
}

// hashed is how many hexadecimal digits stand for a placement.
const hashed = 8

// Orbit returns the label of an orbit of placements in a cell, from the coordinates of the one that comes first of all
// its images under the group that preserves E_max, nodes ascending: the first digits of the SHA-256 of their text
// "0,0+1,3+...".
func Orbit(cell string, first [][]int) string {
	return cell + "." + hash(core.JoinNodes(first))[:hashed]
}

// Split returns the label of a cell and, from the label of an orbit, the digits after it; "" if there are none. ok is
// false where the text is not a label.
func Split(label string) (cell, orbit string, ok bool) {
	parts := strings.Split(label, ".")
	if len(parts) == 4 && len(parts[3]) == hashed {
		orbit, parts = parts[3], parts[:3]
	}
	ok = len(parts) == 3 && parts[0] != "" && parts[1] != "" && core.Plain(parts[2])
	return strings.Join(parts, "."), orbit, ok
}

// hash returns the hexadecimal SHA-256 of a text.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// plain are the routings whose label is their text with other separators.
var plain = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([a-z]+(-[a-z]+)?|odr:order=[0-9,]+|orders:[0-9+]+)` +
		`(:tie=(plus|both))?$`)
})

// dashes makes texts parts of labels.
var dashes = strings.NewReplacer(":", "-", "=", "-", ",", "-", "+", "-")

// Slug returns a routing as part of a label or an address: udr-tie-both. Texts that would lose something on the way get
// their hash.
func Slug(routing string) string {
	if plain().MatchString(routing) && len(routing) <= maxPlace {
		return dashes.Replace(routing)
	}
	name, _, _ := strings.Cut(routing, ":")
	if !plain().MatchString(name) {
		name = "routing"
	}
	return name[:min(len(name), 20)] + "-" + hash(routing)[:16]
}

// placed are the networks with traffic and conditions whose label is their text with other separators. The words say
// how many numbers follow in a row, so that no two texts have the same label.
var placed = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[0-9x]+(:open=[0-9,]+)?(:bandwidth=[0-9,]+)?(:twist=[0-9,+]+)?` +
		`(:traffic=clients:request=[0-9]+:reply=[0-9]+)?(:reply-routing=[a-z]+(:order=[0-9,]+)?(:tie=(plus|both))?)?` +
		`(:fixed=[0-9,+]+)?(:forbidden=[0-9,+]+)?(:radius=[0-9]+)?(:distance=[0-9]+)?$`)
})

// maxPlace is the longest part of a label that names a network, or a routing, in words.
const maxPlace = 100

// Place returns a network with traffic and conditions as part of a label or an address: 8x8,
// 8x8-open-0-1-fixed-0-0-7-7. Long texts, and others than objective.Problem.Where writes, get their hash.
func Place(where string) string {
	sides, _, more := strings.Cut(where, ":")
	switch {
	case !more:
		return where
	case placed().MatchString(where) && len(where) <= maxPlace:
		return dashes.Replace(where)
	}
	return sides + "-" + hash(where)[:16]
}
