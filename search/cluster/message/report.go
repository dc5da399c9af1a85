package message

import (
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"strconv"
)

// A Report is what became of a unit, from its worker.
type Report struct {
	Unit   string `json:"unit"` // its ID
	Worker string `json:"worker"`
	// Seconds is how long it took, by the worker's steady clock; a guess for the sizes of other units, nothing else.
	Seconds float64 `json:"seconds"`

	// Of a census: prefixes walked to the end, from the first on, with their nodes
	// and checksum. The others are given back, or come after Found.
	Done  int    `json:"done,omitempty"`
	Nodes int64  `json:"nodes,omitempty"`
	Sum   string `json:"sum,omitempty"`   // 16 hexadecimal digits
	Found []int  `json:"found,omitempty"` // a placement at the next prefix

	// Of a search: the best placement, unless the unit was given back.
	Best        []int  `json:"best,omitempty"`
	Value       string `json:"value,omitempty"`
	Method      string `json:"method,omitempty"`
	Evaluations int64  `json:"evaluations,omitempty"`
	Refuted     bool   `json:"refuted,omitempty"` // the unit saw that nothing is better; a claim

	// Refused is why the worker does not do the unit, "" if it does.
	Refused string `json:"refused,omitempty"`
	// Deaths is how often the unit was handed out without a report, if that was too often.
	Deaths int `json:"deaths,omitempty"`

	// Key is the public key of the worker, Signature that of the text with empty
	// Signature and Check: a worker cannot speak for another one. Hexadecimal.
	Key       string `json:"key,omitempty"`
	Signature string `json:"signature,omitempty"`

	Check string `json:"check"` // ID of the text with an empty Check
}

// Signed returns the report with key and signature.
func (r Report) Signed(key ed25519.PrivateKey) Report {
	r.Key = hex.EncodeToString(key.Public().(ed25519.PublicKey))
	r.Signature = hex.EncodeToString(ed25519.Sign(key, r.signedText()))
	return r
}

// signedText returns what is signed.
func (r Report) signedText() []byte {
	r.Check, r.Signature = "", ""
	return append([]byte("leeway/result\n"), Encode(r)...)
}

// Authentic returns an error unless the owner of the key signed the report.
func (r Report) Authentic() error {
	key, errKey := hex.DecodeString(r.Key)
	signature, errSignature := hex.DecodeString(r.Signature)
	if errKey != nil || errSignature != nil || len(key) != ed25519.PublicKeySize ||
		!ed25519.Verify(key, r.signedText(), signature) {
		return errors.New("its signature is wrong")
	}
	return nil
}

// Text returns the report as one line, with its checksum.
func (r Report) Text() []byte { return Encode(r.Checked()) }

// Checked returns the report with its checksum.
func (r Report) Checked() Report {
	r.Check = r.Checksum()
	return r
}

// Checksum returns what Check is to be.
func (r Report) Checksum() string {
	r.Check = ""
	return IDOf(Encode(r))
}

// NodeSum returns Sum as a number.
func (r Report) NodeSum() uint64 {
	v, _ := strconv.ParseUint(r.Sum, 16, 64) // validated by ParseReport
	return v
}

// MaxCount is more nodes or evaluations than a unit can have: sums of them do not overflow.
const MaxCount = 1 << 48

// Returned reports whether a unit was given back as it was handed out.
func (r Report) Returned() bool {
	return r.Unit != "" && r.Done == 0 && len(r.Found) == 0 && len(r.Best) == 0 && r.Refused == "" && r.Deaths == 0
}

// ParseReport reads the text of a report and verifies its checksum.
func ParseReport(text []byte) (Report, error) {
	var r Report
	if err := decode(text, &r); err != nil {
		return Report{}, fmt.Errorf("cluster: not a result: %w", err)
	}
	if err := r.validate(); err != nil {
		return Report{}, fmt.Errorf("cluster: not a result: %w", err)
	}
	return r, nil
}

func (r Report) validate() error {
	if r.Check != r.Checksum() {
		return errors.New("its checksum is wrong")
	}
	if len(r.Worker) > 200 || len(r.Refused) > 2000 || !(r.Seconds >= 0) || r.Seconds > math.MaxInt32 {
		return errors.New("worker, reason or seconds are out of range")
	}
	if r.Done < 0 || r.Nodes < 0 || r.Evaluations < 0 || r.Deaths < 0 {
		return errors.New("a count is negative")
	}
	if r.Nodes > MaxCount || r.Evaluations > MaxCount || r.Done > MaxPrefixes ||
		len(r.Unit) > 64 || len(r.Method) > 200 || len(r.Value) > 200 {
		return errors.New("a count or a name is out of range")
	}
	if r.Refuted && len(r.Best) == 0 {
		return errors.New("it claims that nothing is better than nothing")
	}
	if _, err := strconv.ParseUint(r.Sum, 16, 64); r.Sum != "" && (err != nil || len(r.Sum) != 16) {
		return errors.New("its sum is not 16 hexadecimal digits")
	}
	if r.Done > 0 && r.Sum == "" {
		return errors.New("its sum is missing")
	}
	return nil
}
