package audit

// An Item is a claim with its finding, in the words of the JSON document.
type Item struct {
	Claim     string `json:"claim"`
	Source    string `json:"source"`
	Statement string `json:"statement"`
	Finding
}

// NewItem joins a claim and its finding.
func NewItem(c Claim, f Finding) Item {
	return Item{Claim: c.ID, Source: c.Source, Statement: c.Statement, Finding: f}
}

// Count returns how many items have a verdict.
func Count(items []Item, verdict string) int {
	n := 0
	for _, it := range items {
		if it.Verdict == verdict {
			n++
		}
	}
	return n
}
