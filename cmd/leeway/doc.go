// Command leeway finds, proves and publishes optimal placements of processors on tori: the
// command line, and nothing that knows mathematics. Run it with --help. A sub-command is a
// file of its name, or several that begin with it; those that search and prove share more:
//
//	main.go, root.go                       one run: commands, exit status; terminal.go what is said, and errors
//	flags.go, free.go, methods.go          flags that several commands have, and what they name
//	search.go, resume.go, jobs.go          search: flags and plans become jobs
//	night.go, pursuit.go                   jobs in turn; one of them under way. pursuit_store.go, pattern.go the store's part
//	prove.go, engines.go, backend.go       prove: flags, which engines; below.go, optima.go, symmetric.go: --below, --all, --symmetry
//	hunt.go, neighbour.go, worklog.go      problems in turn; proofs of other sizes; --work
//	lower.go, record.go                    the lower bound of a problem, and the record of what was found
//	publish.go, describe.go, progress.go   records to files and people, searches under way
//	together.go, lead.go, cluster_flags.go search and prove with --cluster; worker.go what joins them
//	broadcast.go, sheet.go                 live pages; where pictures go
//
// A problem is a torus with a routing and a size. A job is a problem, or a load limit, with methods,
// seed and budget, as a plan lists it; a store knows it as a run. A task is how prove looks at a
// problem. A hunt is some problems with the flags that search and prove share, a night a list of jobs with
// the store that keeps what they find, a pursuit one job of a night under way.
package main
