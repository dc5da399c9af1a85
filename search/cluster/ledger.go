package cluster

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"leeway/core"
	"leeway/objective"
)

// An entry is a line of the ledger: what the coordinator did, written before it
// acts on it.
type entry struct {
	Question string `json:"question"`
	Issue    *Unit  `json:"issue,omitempty"`
	// Claim is a result that is to be walked again, Accept one that counts: on the word
	// of its worker with OnWord.
	Claim  *Result `json:"claim,omitempty"`
	Accept *Result `json:"accept,omitempty"`
	OnWord bool    `json:"on_word,omitempty"`
	Void   string  `json:"void,omitempty"`   // a worker, by key, whose results were wrong
	Better []int   `json:"better,omitempty"` // the placement that showed it, of a search
}

// A sealed entry is what the ledger holds: numbers grow from line to line, and the MAC
// is one that only the coordinator can make. So nobody else can write a line that
// counts, or have an old one count again; who owns the server can take lines away.
type sealed struct {
	Number int64           `json:"number"`
	Entry  json.RawMessage `json:"entry"`
	MAC    string          `json:"mac"`
}

// seal returns an entry as it stands in the ledger of a job.
func seal(key []byte, job string, number int64, e entry) []byte {
	text := mustEncode(e)
	return mustEncode(sealed{Number: number, Entry: text, MAC: macOf(key, fmt.Sprintf("ledger %d of %s", number, job), text)})
}

// unseal reads a line of the ledger of a job, and fails unless seal made it.
func unseal(key []byte, job string, line []byte) (int64, entry, error) {
	var s sealed
	var e entry
	if err := decode(line, &s); err != nil {
		return 0, e, err
	}
	if !hmac.Equal([]byte(s.MAC), []byte(macOf(key, fmt.Sprintf("ledger %d of %s", s.Number, job), s.Entry))) {
		return 0, e, errors.New("it was not written by this coordinator")
	}
	if err := decode(s.Entry, &e); err != nil {
		return 0, e, err
	}
	return s.Number, e, e.validate()
}

// macOf authenticates a text in a context.
func macOf(key []byte, context string, text []byte) string {
	h := hmac.New(sha256.New, key)
	h.Write(append([]byte(context), '\n'))
	h.Write(text)
	return hex.EncodeToString(h.Sum(nil))
}

func (e entry) validate() error {
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
	for _, r := range []*Result{e.Claim, e.Accept} {
		if r != nil {
			if err := r.validate(); err != nil {
				return err
			}
		}
	}
	return nil
}

// record writes an entry.
func (c *Coordinator) record(ctx context.Context, e entry) error {
	c.entries++
	return c.queue.Append(ctx, seal(c.options.Key, c.options.Job, c.entries, e))
}

// mostTold is how many bad lines of a ledger are told of one by one.
const mostTold = 10

// recall reads the ledger, from which a coordinator that was killed goes on. What
// other questions hold it keeps for later. Lines that are not from a coordinator of
// this job and key are left out, and so is what stands there a second time.
func (c *Coordinator) recall(ctx context.Context) error {
	bad := 0
	err := c.queue.Ledger(ctx, func(text []byte) error {
		number, e, err := unseal(c.options.Key, c.options.Job, text)
		if err == nil && number <= c.entries {
			return nil // written twice, after an answer that was lost, or by somebody else
		}
		if err != nil {
			if bad++; bad <= mostTold {
				c.log.Warn("entry of the ledger left out", "reason", err.Error())
			}
			return nil
		}
		c.entries = number
		if e.Issue != nil {
			c.issues = max(c.issues, e.Issue.Issue)
		}
		if e.Void != "" {
			c.ban(e.Void)
		}
		c.past[e.Question] = append(c.past[e.Question], e)
		return nil
	})
	if bad > 0 {
		c.log.Warn("the ledger holds entries that this coordinator has not written: what they say is not believed", "entries", bad)
	}
	return err
}

// replay brings a board to where the ledger left it. It returns the results that wait
// to be walked again, by the ID of their unit.
func (b *board) replay(entries []entry, p objective.Problem, now time.Time) map[string]Result {
	claims := map[string]Result{}
	for _, e := range entries {
		switch {
		case e.Issue != nil && e.Issue.Census != nil:
			b.issue(e.Issue.ID(), span{e.Issue.Census.From, e.Issue.Census.Count}, false, now)
		case e.Claim != nil:
			if piece, err := b.open(e.Claim.Unit); err == nil && piece.fits(*e.Claim) == nil {
				claims[e.Claim.Unit] = *e.Claim
			}
		case e.Accept != nil:
			if piece, err := b.open(e.Accept.Unit); err == nil && piece.fits(*e.Accept) == nil {
				b.settle(piece, *e.Accept, e.OnWord, p)
			}
		case e.Void != "":
			b.void()
		}
	}
	for _, p := range b.outstanding() {
		p.since = now
	}
	return claims
}

// settle takes a result that was accepted onto the board and returns the slice that
// is complete now, -1 if there is none.
func (b *board) settle(p *piece, r Result, onWord bool, problem objective.Problem) int {
	if r.Deaths > 0 {
		p.quarantined = true
		return -1
	}
	var found core.Placement
	if len(r.Found) > 0 {
		var err error
		if found, err = placementOf(problem, r.Found); err != nil {
			return -1 // still out
		}
	}
	worker := ""
	if onWord {
		worker = r.Key
	}
	slice := b.finish(p, r.Done, r.Nodes, r.sum(), worker)
	if found.Size() > 0 {
		b.find(p.from+r.Done, found)
	}
	return slice
}
