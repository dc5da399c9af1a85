package message

import (
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"math"
)

// A Report is what became of a unit, from its worker.
type Report struct {
	Unit   string `json:"unit"` // its ID
	Worker string `json:"worker"`
	// Seconds is how long it took, by the worker's steady clock; a guess for the sizes of other units, nothing else.
	Seconds float64 `json:"seconds"`

	// Of a slice of a proof: its steps, compressed, or a placement below the value, unless the unit was given back.
	Stream []byte `json:"stream,omitempty"`
	Found  []int  `json:"found,omitempty"`

	// Of a search: the best placement, unless the unit was given back.
	Best        []int  `json:"best,omitempty"`
	Value       string `json:"value,omitempty"`
	Method      string `json:"method,omitempty"`
	Evaluations int64  `json:"evaluations,omitempty"`

	// Refused is why the worker does not do the unit, "" if it does.
	Refused string `json:"refused,omitempty"`
	// Deaths is how often the unit was handed out without a report, if that was too often.
	Deaths int `json:"deaths,omitempty"`
}

// Text returns the report as one line.
func (r Report) Text() []byte { return Encode(r) }

// maxStream is how long the longest stream of a report is.
const maxStream = 1 << 24

// Compress returns a stream as reports have it.
func Compress(stream []byte) []byte {
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.BestSpeed) // never fails
	_, _ = w.Write(stream)
	_ = w.Close()
	return b.Bytes()
}

// Steps returns the stream of a report. Reading fails where it is not compressed, and ends after more than a slice has.
func (r Report) Steps() io.Reader {
	return io.LimitReader(flate.NewReader(bytes.NewReader(r.Stream)), maxStream)
}

// MaxCount is more evaluations than a unit can have: sums of them do not overflow.
const MaxCount = 1 << 48

// Returned reports whether a unit was given back as it was handed out.
func (r Report) Returned() bool {
	return r.Unit != "" && len(r.Stream) == 0 && len(r.Found) == 0 && len(r.Best) == 0 && r.Refused == "" && r.Deaths == 0
}

// ParseReport reads the text of a report.
func ParseReport(text []byte) (Report, error) {
	var r Report
	err := decode(text, &r)
	if err == nil {
		err = r.validate()
	}
	if err != nil {
		return Report{}, fmt.Errorf("cluster: not a result: %w", err)
	}
	return r, nil
}

func (r Report) validate() error {
	if len(r.Worker) > 200 || len(r.Refused) > 2000 || !(r.Seconds >= 0) || r.Seconds > math.MaxInt32 {
		return errors.New("worker, reason or seconds are out of range")
	}
	if r.Evaluations < 0 || r.Deaths < 0 || r.Evaluations > MaxCount ||
		len(r.Unit) > 64 || len(r.Method) > 200 || len(r.Value) > 200 {
		return errors.New("a count or a name is out of range")
	}
	return nil
}
