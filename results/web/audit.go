package web

import "leeway/results/audit"

// auditBody is what the page about the papers' claims shows.
type auditBody struct {
	Claims, Holds, Fails, Untested int
	MaxK                           int
	Failures                       []audit.Item
	Papers                         []paperItems
}

// paperItems are the claims of a paper that do not fail.
type paperItems struct {
	audit.Paper
	Holds, Untested []audit.Item
}

// audit is the page about the papers' claims. It shows the findings that are part of the
// program, which do not depend on what the site shows.
func (s *Site) audit() (document, error) {
	items, err := audit.Shipped()
	if err != nil {
		return document{}, err
	}
	body := auditBody{Claims: len(items), Holds: audit.Count(items, audit.Holds), Fails: audit.Count(items, audit.Fails),
		Untested: audit.Count(items, audit.Untested), MaxK: audit.DefaultMaxK}
	for _, paper := range audit.Papers() {
		group := paperItems{Paper: paper}
		for _, it := range items {
			switch {
			case !paper.Has(it.Claim):
			case it.Verdict == audit.Fails:
				body.Failures = append(body.Failures, it)
			case it.Verdict == audit.Holds:
				group.Holds = append(group.Holds, it)
			default:
				group.Untested = append(group.Untested, it)
			}
		}
		body.Papers = append(body.Papers, group)
	}
	return s.render("audit", auditAddress, "What the papers claim", nil, body)
}
