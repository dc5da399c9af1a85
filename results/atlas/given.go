package atlas

import (
	"leeway/objective/texts"
	"leeway/results"
	"leeway/results/compose"
)

// Of returns the atlas of some records, JSON as in their files. One that cannot be read refuses all; one that says what
// is not so becomes a cell with a fault. Errors are *results.ReadError.
func Of(records ...[]byte) (*Atlas, error) {
	s := recordSource{records: map[texts.Key]*results.Record{}}
	for _, text := range records {
		r, err := results.ReadRecord(text)
		if err != nil {
			return nil, err
		}
		s.records[compose.KeyOfRecord(r)] = &r
	}
	return newAtlas(&s)
}

// A recordSource holds records.
type recordSource struct {
	records map[texts.Key]*results.Record
	done    bool // the cells are made
}

func (s *recordSource) refresh() ([]*Cell, error) {
	if s.done {
		return nil, nil
	}
	s.done = true
	entries := []entry{}
	for k, r := range s.records {
		entries = append(entries, entry{Key: k, record: r})
	}
	return admit(entries), nil
}

func (s *recordSource) detail(d *Detail) error {
	full := *s.records[d.Key()]
	d.Record, d.History = &full, []Event{eventOf(&full)}
	return nil
}

func (s *recordSource) folder() string { return "" }

func (s *recordSource) faults() (map[texts.Key]string, error) { return nil, nil }

func (s *recordSource) close() error { return nil }
