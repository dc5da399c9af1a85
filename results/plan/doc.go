// Package plan reads lists of problems that are to be searched one after the other, with their budgets: the files of
// search --plan. A plan is YAML, read strictly: whatever is not understood in full is refused with its place before any
// work starts. docs/formats.md describes the file.
//
//	searches, err := plan.Read(ctx, "nightly.yaml", []string{"family", "genetic"})
package plan
