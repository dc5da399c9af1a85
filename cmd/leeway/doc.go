// Command leeway finds, proves and publishes optimal placements of processors on tori. It turns flags into tasks, and
// answers into text and files; what is done in between is in package leeway/cmd/work, what any command line needs, from
// help to output, in leeway/cmd/cli. Run it with --help.
//
// A command is a file of its name; a sub-command of draw or atlas has its own file, which begins with that name. The
// commands share:
//
//	main.go, root.go       one run: the commands
//	options.go             what package leeway/cmd/cli is told of them: topics of help, values for a shell
//	terminal.go            JSON, hints and exit statuses
//	flags.go               the flags of several commands; cluster_flags.go: those of shared work
//	session.go             tasks of search, prove and resume; progress.go shows how they go
//	publish.go             answers to files and people; describe.go: records as text
//	sheet.go               where pictures go
package main
