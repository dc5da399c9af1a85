// Package cli holds what any command line needs, and knows no command of Leeway and nothing of placements:
//
//	program.go     one run: its streams, files and exit status; work that Ctrl-C cuts off
//	errors.go      errors about flags and their values, with hints
//	output.go      text that cannot steer a terminal; fold.go: lines that are too wide for one
//	words.go       command lines with a word too many, too few, or misspelt
//	values.go      values of flags: ranges, seeds, times, workers; listen.go: addresses
//	help.go        help by topic, and all of it as one page
//	completion.go  what a shell offers
//	progress.go    how far long work is, on a terminal and elsewhere
//
// What it must know of a program is in Options.
package cli
