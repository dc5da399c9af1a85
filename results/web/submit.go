package web

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"

	"leeway/results"
	"leeway/results/check"
	"leeway/results/store"
)

// A Receipt says what became of a record that was posted.
type Receipt struct {
	Verdict string   `json:"verdict"` // valid, wrong or unreadable, as check says
	Reasons []string `json:"reasons"`
	Kept    bool     `json:"kept"` // false where the store knows as good
}

// Submit returns the function that takes records into a store: each is checked whole
// first, its proof too. A proof file must lie beside the store already. What a record shows to be wrong
// in the store is taken back.
func Submit(to *store.Store) func(context.Context, []byte) (Receipt, error) {
	to.Heal(check.Judge{Folder: to.Folder()}, nil)
	return func(ctx context.Context, data []byte) (Receipt, error) {
		verdict := check.Document(ctx, data, to.Folder(), check.Options{})
		if ctx.Err() != nil {
			return Receipt{}, ctx.Err()
		}
		answer := Receipt{Verdict: verdict.Verdict, Reasons: append([]string{}, verdict.Reasons...)}
		if verdict.Verdict != check.Valid {
			return answer, nil
		}
		record, err := results.ReadRecord(data)
		if err != nil {
			return Receipt{Verdict: check.Unreadable, Reasons: []string{"only records are taken in: " + err.Error()}}, nil
		}
		answer.Kept, err = to.AddRecord(record)
		var conflict *store.ConflictError
		if errors.As(err, &conflict) {
			return Receipt{Verdict: check.Wrong, Reasons: []string{err.Error()}}, nil
		}
		return answer, err
	}
}

// retryAfter is after how many seconds who was sent away may try again: a check of a short
// record takes less.
const retryAfter = "10"

// post takes in a record from whoever has the token.
func (s *Server) post(w http.ResponseWriter, r *http.Request) {
	token, sent := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	switch {
	case s.access.Token == "" || s.access.Post == nil:
		s.refuse(w, http.StatusForbidden, "this server only reads: start it with --token-file to let records in")
		return
	case !sent || subtle.ConstantTimeCompare([]byte(token), []byte(s.access.Token)) != 1:
		w.Header().Set("WWW-Authenticate", "Bearer")
		s.refuse(w, http.StatusUnauthorized, "the token is missing or wrong")
		return
	}
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, results.MaxFileBytes))
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		s.refuse(w, http.StatusRequestEntityTooLarge, "records have at most 32 MiB")
		return
	}
	if err != nil {
		return // the sender has gone
	}
	select {
	case s.checks <- struct{}{}:
		defer func() { <-s.checks }()
	default:
		w.Header().Set("Retry-After", retryAfter)
		s.refuse(w, http.StatusServiceUnavailable, "as many records are being checked as this server checks at a time: try again later")
		return
	}
	answer, err := s.access.Post(r.Context(), data)
	switch {
	case err != nil && r.Context().Err() != nil: // the sender has gone
	case err != nil:
		s.broken(w, err)
	case answer.Verdict != check.Valid:
		writeJSON(w, http.StatusUnprocessableEntity, answer)
	case answer.Kept:
		writeJSON(w, http.StatusCreated, answer)
	default:
		writeJSON(w, http.StatusOK, answer)
	}
}

// refuse answers a program.
func (s *Server) refuse(w http.ResponseWriter, status int, problem string) {
	writeJSON(w, status, map[string]string{"error": problem})
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", kindJSON)
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(v) // an error means that the reader has gone
}
