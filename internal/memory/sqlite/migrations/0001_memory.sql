-- One row an entry. The place n is never used again: the index in memory
-- knows entries by it. The corpus stands last, since long rows are read from
-- their beginning.
CREATE TABLE memory_entries (
    n           INTEGER PRIMARY KEY AUTOINCREMENT,
    id          TEXT NOT NULL UNIQUE,
    kind        TEXT NOT NULL,
    trust       TEXT NOT NULL,
    created     INTEGER NOT NULL, -- microseconds since 1970
    accessed    INTEGER NOT NULL DEFAULT 0,
    accesses    INTEGER NOT NULL DEFAULT 0,
    source      TEXT NOT NULL,
    thread      TEXT NOT NULL,
    place       INTEGER NOT NULL,
    speaker     TEXT NOT NULL,
    session     TEXT NOT NULL, -- of a turn
    query       TEXT NOT NULL,
    respondent  TEXT NOT NULL,
    whole       TEXT NOT NULL,
    proposed    INTEGER NOT NULL,
    merged      INTEGER NOT NULL,
    print       INTEGER NOT NULL,
    tags        TEXT NOT NULL, -- JSON
    correlates  TEXT NOT NULL, -- JSON
    sources     TEXT NOT NULL, -- JSON; what it was made from
    turn        TEXT NOT NULL, -- JSON, or empty
    name        TEXT NOT NULL,
    description TEXT NOT NULL,
    corpus      TEXT NOT NULL
) STRICT;

CREATE INDEX memory_entries_age ON memory_entries (proposed, created DESC, n DESC);
CREATE INDEX memory_entries_query ON memory_entries (query) WHERE query <> '';
CREATE INDEX memory_entries_session ON memory_entries (session) WHERE session <> '';
CREATE INDEX memory_entries_whole ON memory_entries (whole) WHERE whole <> '';

CREATE TABLE memory_tags (
    tag TEXT NOT NULL,
    n   INTEGER NOT NULL,
    PRIMARY KEY (tag, n)
) STRICT, WITHOUT ROWID;

-- What was made from what, for forgetting.
CREATE TABLE memory_sources (
    source TEXT NOT NULL,
    n      INTEGER NOT NULL,
    PRIMARY KEY (source, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE memory_embedders (
    slot INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;

-- k is slot * 2^40 + n; v is three vectors of the same length, of the name,
-- the description and the corpus, as 32-bit floats, the low byte first.
CREATE TABLE memory_vectors (
    k INTEGER PRIMARY KEY,
    v BLOB NOT NULL
) STRICT;

-- The words of an entry, by n. Nothing is read back from it.
CREATE VIRTUAL TABLE memory_text USING fts5(
    name, description, corpus, who, context, scope,
    content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
);

-- Annotations that came before their engram.
CREATE TABLE memory_held (
    event      TEXT PRIMARY KEY,
    query      TEXT NOT NULL,
    respondent TEXT NOT NULL,
    notes      TEXT NOT NULL
) STRICT;

CREATE INDEX memory_held_query ON memory_held (query);

CREATE TABLE memory_state (
    key   TEXT PRIMARY KEY,
    value BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE memory_version (
    one     INTEGER PRIMARY KEY CHECK (one = 1),
    version INTEGER NOT NULL
) STRICT;

INSERT INTO memory_version (one, version) VALUES (1, 0);
