// Command leeway finds, proves and publishes optimal placements of processors on tori. It turns flags into tasks, and
// answers into text and files; what is done in between is in package leeway/cmd/work. Run it with --help.
//
// A command is a file of its name; a sub-command of draw or atlas has its own file, which begins with that name. The
// commands share:
//
//	main.go, root.go       one run: the commands, the exit status
//	terminal.go            output, errors, hints; stopped.go: commands that are interrupted
//	words.go               command lines with a word too many, too few, or misspelt
//	flags.go               the flags of several commands; cluster_flags.go: those of shared work
//	session.go             tasks of search, prove and resume; progress.go shows how they go
//	publish.go             answers to files and people; describe.go: records as text
//	help.go                help by topic; manual.go prints all of it; completion.go offers values to a shell
//	sheet.go               where pictures go
package main
