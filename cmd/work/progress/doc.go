// Package progress says how a session goes: as a line of fields (line.go), and on a live page (live.go).
package progress
