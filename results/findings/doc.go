// Package findings writes docs/findings.md: what the cells of an atlas say, taken
// together. Every number of the page is computed from the cells.
package findings
