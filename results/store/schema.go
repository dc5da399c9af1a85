package store

import "fmt"

// The identity of a store. The version goes up when an older program could not read the tables any more.
const (
	applicationID = 0x4c777931 // "Lwy1"
	version       = 1
)

// schemaName returns the name of a version, as files of the program spell theirs.
func schemaName(version int) string { return fmt.Sprintf("leeway/store/%d", version) }

// tables is the schema. Fractions are two texts, since they may not fit a number
// of the database; seeds are texts, since they go up to 2^64 - 1.
const tables = `
CREATE TABLE problems (
	id      INTEGER PRIMARY KEY,
	torus   TEXT NOT NULL,
	routing TEXT NOT NULL, -- canonical text
	"table" TEXT NOT NULL, -- JSON of the routing table, '' without one
	size    INTEGER NOT NULL,
	best    INTEGER REFERENCES records (id),
	bound   INTEGER REFERENCES bounds (id),
	UNIQUE (torus, routing, "table", size)
) STRICT;
CREATE TABLE records (
	id           INTEGER PRIMARY KEY,
	problem      INTEGER NOT NULL REFERENCES problems (id),
	numerator    TEXT NOT NULL, -- of max_load
	denominator  TEXT NOT NULL,
	rank         INTEGER NOT NULL, -- 0: no proof, 1: a proof, 2: all optima besides
	method       TEXT NOT NULL,
	seed         TEXT NOT NULL,
	evaluations  INTEGER NOT NULL,
	added        TEXT NOT NULL, -- time
	claim_sha256 TEXT NOT NULL,
	evidence     TEXT NOT NULL, -- SHA-256 of proof and optima, '' without a proof
	interim      INTEGER NOT NULL, -- 1: of a search that was under way
	json         TEXT NOT NULL, -- the whole record
	UNIQUE (claim_sha256, problem, evidence)
) STRICT;
CREATE INDEX records_of ON records (problem);
CREATE TABLE bounds (
	id          INTEGER PRIMARY KEY,
	problem     INTEGER NOT NULL REFERENCES problems (id),
	numerator   TEXT NOT NULL,
	denominator TEXT NOT NULL,
	reason      TEXT NOT NULL,
	proof       TEXT NOT NULL, -- JSON, '' without one
	added       TEXT NOT NULL,
	UNIQUE (problem, numerator, denominator, reason, proof)
) STRICT;
CREATE TABLE nulls (
	id          INTEGER PRIMARY KEY,
	problem     INTEGER NOT NULL REFERENCES problems (id),
	goal        TEXT NOT NULL,
	method      TEXT NOT NULL,
	seed        TEXT NOT NULL,
	budget      TEXT NOT NULL, -- JSON
	evaluations INTEGER NOT NULL,
	best        TEXT NOT NULL, -- fraction, '' if nothing was seen
	added       TEXT NOT NULL,
	UNIQUE (problem, goal, method, seed, budget, evaluations, best)
) STRICT;
CREATE TABLE runs (
	id       INTEGER PRIMARY KEY,
	key      TEXT NOT NULL UNIQUE, -- JSON of the run
	state    TEXT,                 -- JSON of the search, null before the first checkpoint and at the end
	started  TEXT NOT NULL,
	updated  TEXT NOT NULL,
	finished TEXT                  -- null: the run can go on
) STRICT;
`
