// Command leeway finds, proves and publishes optimal placements of processors on tori: the
// command line, and nothing that knows mathematics. Run it with --help. A sub-command is a
// file of its name, or several that begin with it; those that search and prove share more:
//
//	main.go, root.go                 one run: commands, exit status; terminal.go what is said, and errors
//	flags.go                         flags that several commands have
//	session.go                       questions of search and prove: tasks in, answers out; live pages
//	publish.go, describe.go          answers to files and people; progress.go tasks under way
//	cluster_flags.go, lead.go        work that is shared; worker.go what joins it
//	sheet.go, stopped.go             where pictures go; commands that are stopped
//
// What is done with a task is package leeway/cmd/work's.
package main
