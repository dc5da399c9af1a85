package message

import "errors"

// An Entry is a line of the ledger of a search: what the coordinator does, written before it does it. Whoever may write
// to the server may write lines: what they say is looked at again.
type Entry struct {
	Question string  `json:"question"`
	Issue    *Unit   `json:"issue,omitempty"`
	Accept   *Report `json:"accept,omitempty"` // one that counts
}

// ParseEntry reads a line of the ledger.
func ParseEntry(line []byte) (e Entry, err error) {
	if err := decode(line, &e); err != nil {
		return e, err
	}
	if u := e.Issue; u != nil {
		if u.Search == nil || u.Question() != e.Question {
			return e, errors.New("its unit is not of the question")
		}
		if err := u.validate(); err != nil {
			return e, err
		}
	}
	if e.Accept != nil {
		return e, e.Accept.validate()
	}
	return e, nil
}
