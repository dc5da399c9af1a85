// Package docs holds the documents as part of the program, for its web pages.
package docs

import "embed"

// Files are the documents and the pictures in them.
//
//go:embed *.md pictures/multilinear-8x8.svg pictures/spaced-8x8.svg pictures/controllers-*.svg
var Files embed.FS

// Reference is the page about the commands.
//
//go:embed reference.md
var Reference string
