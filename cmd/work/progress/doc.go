// Package progress says how a session goes, in a line of fields.
package progress
