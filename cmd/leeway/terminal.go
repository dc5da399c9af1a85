package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"leeway/cmd/cli"
	"leeway/cmd/work"
	"leeway/cmd/work/schedule"
	"leeway/core"
	"leeway/core/routing"
	"leeway/docs"
	"leeway/objective/exchange/wormhole"
	"leeway/results/disk"
	"leeway/results/export"
	"leeway/results/layout"
	"leeway/results/networks"
	"leeway/search/backend"
	"leeway/search/joint"
)

// An app is one run of this program.
type app struct{ *cli.Program }

// printJSON writes one JSON document to stdout. The first field of each is its schema.
func (a *app) printJSON(v any) error {
	data, err := layout.Encode(v)
	if err != nil {
		return err
	}
	return a.Stdout.WriteRaw(data)
}

// jsonFlag adds --json to a command.
func jsonFlag(cmd *cobra.Command) { cmd.Flags().Bool("json", false, "print one JSON document") }

// asksJSON reports whether a command was given --json.
func asksJSON(cmd *cobra.Command) bool {
	asked, err := cmd.Flags().GetBool("json")
	return asked && err == nil
}

// asJSON reports whether the command that runs was given --json.
func (a *app) asJSON() bool { return asksJSON(a.Running()) }

// show prints a document as JSON, or as text by a function.
func (a *app) show(document any, text func()) error {
	if a.asJSON() {
		return a.printJSON(document)
	}
	text()
	return nil
}

// answer shows a document, to people by the template of a name, or returns the error that came in its place.
func answer(a *app, document any, err error, name string) error {
	if err != nil {
		return err
	}
	return a.show(document, func() { a.tell(name, document) })
}

// printList writes a single document as itself, and several as {"schema": ..., "items": [...]}.
func printList[T any](a *app, schema string, list []T, several bool) error {
	if len(list) == 1 && !several {
		return a.printJSON(list[0])
	}
	return a.printJSON(struct {
		Schema string `json:"schema"`
		Items  []T    `json:"items"`
	}{schema, append([]T{}, list...)})
}

// keep writes a document to a file, or to stdout where no file is named.
func (a *app) keep(path string, document any) error {
	data, err := layout.Encode(document)
	if err != nil {
		return err
	}
	return a.deliver(path, data)
}

// keepIn is keep, which writes nothing where no file is named.
func (a *app) keepIn(path string, document any) error {
	if path == "" {
		return nil
	}
	return a.keep(path, document)
}

// deliver writes data to a file, as writing does, or to stdout where no file is named.
func (a *app) deliver(path string, data []byte) error {
	if path == "" {
		return a.Stdout.WriteRaw(data)
	}
	return a.Writing(func() error { return disk.WriteFile(path, data) }, path)
}

// options returns what the command line must know of the commands and flags of this program.
func options() cli.Options {
	return cli.Options{
		Reference:  docs.Reference,
		Topics:     topics,
		ValueNames: valueNames,
		Values:     flagValues,
		Arguments:  map[string][][]string{"law": {families, routings}},
		ForFiles:   "files are read by leeway check, draw, export and atlas merge",
		Keepers:    keepers,
		Guess:      guess,
		Idle:       "cluster",
		Diagnose:   diagnose,
	}
}

// topics lists what flags are about, in the order of help.
var topics = []cli.Topic{
	{Title: "Problem", Flags: "question torus mesh network dims sides graph placement routing traffic " +
		"reply-routing then size max-load fixed forbidden radius distance per-node plan single-path min-paths by " +
		"below all symmetry known formula strengthen break-symmetry to rate draw/schedule phase orbit " +
		"algorithm variant model startup transmit block direct sync worst-permutation objective rounds deadlock repair " +
		"channels open beaten wrong gap limit min-nodes max-nodes record nodes sort best"},
	{Title: "Effort", Flags: "seed time evaluations workers methods engine backend refuter again " +
		"renew cluster steps memory"},
	{Title: "Output", Flags: "out stream certificate json loads format largest optima schedule ranks title values " +
		"ascii listen history finder source server"},
	{Title: "Store", Flags: "store work"},
	{Title: "Cluster", Flags: onlyShared, In: "cluster"},
	{Title: "Other", Flags: "help"},
}

// valueNames lists the flags by what stands for their values in help.
var valueNames = map[string]string{
	"SIDES":     "torus mesh",
	"@FILE":     "network",
	"GRAPH":     "graph",
	"PLACEMENT": "placement",
	"ROUTING":   "routing reply-routing",
	"N":         "size steps",
	"V":         "channels",
	"NODES":     "fixed forbidden",
	"R":         "radius",
	"LINKS":     "distance",
	"LOAD":      "max-load below gap",
	"WHAT":      "by",
	"TRAFFIC":   "traffic",
	"C":         "per-node",
	"-":         "question",
	"KEY":       "then objective sort",
	"ELEMENTS":  "symmetry",
	"NAME":      "claim algorithm variant model engine backend to format formula refuter finder",
	"FRACTION":  "alpha rate startup transmit block",
	"LIST":      "methods sides",
	"FILE": "history record out store plan work schedule ranks token-file creds-file tls-ca tls-cert " +
		"tls-key stream",
	"TEXT":      "title source",
	"WHERE":     "cluster",
	"URL":       "join server",
	"HOST:PORT": "listen",
	"FILES":     "known",
	"FOLDER":    "man certificate",
	"SIZE":      "memory",
}

// What a shell offers for placements and routings, but for files.
var (
	families = []string{"full", "linear", "multilinear:t=", "spaced:t=", "residues:c=", "random:n=", "nodes:", "diamond",
		"x", "rows:at=", "columns:at=", "corners:side="}
	routings = append(routing.Names(), "odr:tie=both", "udr:tie=both", "orders:", "avoid:tie=plus", "minimal:tie=plus")
)

// flagValues lists the values that a shell offers for flags.
var flagValues = map[string][]string{
	"routing":             append(slices.Clone(routings), "@"),
	"search/routing":      append(slices.Clone(routings), "free", "@"),
	"placement":           append(slices.Clone(families), "@"),
	"methods":             append(work.MethodNames(), joint.Name),
	"traffic":             {"all", "clients", "clients:request=", "pattern:", "@"},
	"reply-routing":       {"odr", "odr:tie=both", "odr:order=", "udr", "udr:tie=both", "minimal"},
	"then":                {"distance"},
	"objective":           {objectiveLoad, objectiveWorst},
	"torus":               {"8x8", "8^3"},
	"mesh":                {"8x8", "8^3"},
	"network":             {"@"},
	"engine":              work.EngineNames(),
	"backend":             backend.Names(),
	"refuter":             formulaRefuters,
	"exchange/backend":    {backend.CaDiCaL}, // which writes proofs
	"algorithm":           schedule.Algorithms,
	"variant":             {wormhole.Published.String(), wormhole.Balanced.String()},
	"model":               exchangeModels,
	"by":                  {"auto", "displacement", "pair"},
	"format":              pictureFormats,
	"export/format":       export.Formats,
	"atlas export/format": append(slices.Clone(export.Formats), "atlas", "sqlite", "streams", "site"),
	"formula":             work.FormulaFormats,
	"to":                  exportTargets,
	"time":                {"10s", "90s", "5m", "8h"},
	"cluster":             {"listen:4222", "nats://"},
	"join":                {"nats://127.0.0.1:4222", "tls://"},
	"listen":              {defaultListen},
	"sort":                networks.Orders,
	"alpha":               {"1/2", "1/3", "1/4"},
	"replicas":            {"1", "3", "5"},
}

// keepers lists the commands that end by themselves after Ctrl-C.
var keepers = []string{"search", "resume", "restrict", "prove", "fill", "merge", "verify", "serve", "worker", "status"}

// guess takes a word that is a torus for one.
func guess(word string) cli.Guess {
	if _, err := core.ParseNetwork(word); err != nil {
		return cli.Guess{}
	}
	g := cli.Guess{Kind: "a torus", Example: "leeway search --torus " + word + " --size N --routing udr"}
	if strings.Contains(word, "x") { // a number may be anything
		g.Flags = []string{"torus", "mesh"}
	}
	return g
}
