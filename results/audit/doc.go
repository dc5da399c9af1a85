// Package audit checks what the papers say. Each numbered statement is a [Claim]:
// a small program over the library that computes the truth for every parameter
// within [Limits], exactly, and compares. Claims are kept in the papers' order, one
// or more files for each paper, named after it; claims.go joins the lists.
//
// A check trusts the definitions (core, the naive evaluator) and exact engines that
// are tested against them, and never a closed form. Where a printed closed form is
// wrong the finding conjectures the right one from computed values and says in which
// range that one was tested.
package audit
