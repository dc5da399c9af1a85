package message

import (
	"crypto/hmac"
	"encoding/json"
	"errors"
	"fmt"
)

// An Entry is a line of the ledger: what the coordinator does, written before it does it.
type Entry struct {
	Question string `json:"question"`
	Issue    *Unit  `json:"issue,omitempty"`
	// Claim is a report that is to be walked again. Accept is one that counts; with OnWord it counts
	// on the word of its worker.
	Claim  *Report `json:"claim,omitempty"`
	Accept *Report `json:"accept,omitempty"`
	OnWord bool    `json:"on_word,omitempty"`
	Void   string  `json:"void,omitempty"`   // the key of a worker whose reports were wrong
	Better []int   `json:"better,omitempty"` // of a search: the placement that showed it
}

// A sealed entry is a line as the ledger holds it. Numbers grow from line to line, and only the
// coordinator can make the MAC: nobody else can write a line that counts, or have an old one count
// again. Whoever owns the server can take lines away.
type sealed struct {
	Number int64           `json:"number"`
	Entry  json.RawMessage `json:"entry"`
	MAC    string          `json:"mac"`
}

// Seal returns the line of the ledger of a job for an entry.
func Seal(key []byte, job string, number int64, e Entry) []byte {
	text := Encode(e)
	return Encode(sealed{Number: number, Entry: text, MAC: MAC(key, sealContext(number, job), text)})
}

// Unseal reads a line of the ledger of a job. It fails unless Seal made it with the same key.
func Unseal(key []byte, job string, line []byte) (number int64, e Entry, err error) {
	var s sealed
	if err := decode(line, &s); err != nil {
		return 0, e, err
	}
	if !hmac.Equal([]byte(s.MAC), []byte(MAC(key, sealContext(s.Number, job), s.Entry))) {
		return 0, e, errors.New("it was not written by this coordinator")
	}
	if err := decode(s.Entry, &e); err != nil {
		return 0, e, err
	}
	return s.Number, e, e.validate()
}

func sealContext(number int64, job string) string { return fmt.Sprintf("ledger %d of %s", number, job) }

func (e Entry) validate() error {
	if u := e.Issue; u != nil {
		if (u.Census == nil) == (u.Search == nil) || u.Search != nil && u.Search.Number < 0 || u.Question() != e.Question {
			return errors.New("its unit is none of the question")
		}
		if u.Census != nil {
			if err := u.Census.validate(); err != nil {
				return err
			}
		}
	}
	for _, r := range []*Report{e.Claim, e.Accept} {
		if r != nil {
			if err := r.validate(); err != nil {
				return err
			}
		}
	}
	return nil
}
