CREATE TABLE graph_entities (
    id     TEXT PRIMARY KEY,
    name   TEXT NOT NULL,
    kind   TEXT NOT NULL,
    stated INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

-- Every name, by its key. A key belongs to one entity.
CREATE TABLE graph_names (
    key    TEXT PRIMARY KEY,
    entity TEXT NOT NULL REFERENCES graph_entities (id) ON DELETE CASCADE,
    name   TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX graph_names_entity ON graph_names (entity);

-- The words of the keys, for names that are told in part.
CREATE TABLE graph_words (
    word   TEXT NOT NULL,
    entity TEXT NOT NULL REFERENCES graph_entities (id) ON DELETE CASCADE,
    PRIMARY KEY (word, entity)
) STRICT, WITHOUT ROWID;

CREATE INDEX graph_words_entity ON graph_words (entity);

-- What was said, in the order of its arrival. Times are microseconds; a
-- beginning or an end that nobody told is the smallest or the largest number.
CREATE TABLE graph_statements (
    seq          INTEGER PRIMARY KEY,
    id           TEXT NOT NULL UNIQUE,
    subject      TEXT NOT NULL,
    subject_key  TEXT NOT NULL,
    subject_name TEXT NOT NULL,
    relation     TEXT NOT NULL,
    object       TEXT NOT NULL,
    object_key   TEXT NOT NULL,
    object_name  TEXT NOT NULL,
    told_from    INTEGER NOT NULL,
    told_to      INTEGER NOT NULL,
    observed     INTEGER NOT NULL,
    source       TEXT NOT NULL,
    confidence   REAL NOT NULL,
    trust        TEXT NOT NULL
) STRICT;

CREATE INDEX graph_statements_group ON graph_statements (subject, relation, object, observed);
CREATE INDEX graph_statements_object ON graph_statements (object);
CREATE INDEX graph_statements_source ON graph_statements (source);

-- What follows from it. Rows are derived from graph_statements.
CREATE TABLE graph_facts (
    id         TEXT PRIMARY KEY,
    subject    TEXT NOT NULL,
    relation   TEXT NOT NULL,
    object     TEXT NOT NULL,
    told_from  INTEGER NOT NULL,
    starts     INTEGER NOT NULL,
    ends       INTEGER NOT NULL,
    observed   INTEGER NOT NULL,
    source     TEXT NOT NULL,
    confidence REAL NOT NULL,
    trust      TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The first three are in the order of answers, so that a hub is read only as
-- far as the answer goes; the others find the facts that decide about each
-- other without going through those that ended long ago.
CREATE INDEX graph_facts_recent ON graph_facts (observed DESC, id, starts, ends);
CREATE INDEX graph_facts_subject ON graph_facts (subject, observed DESC, id, starts, ends);
CREATE INDEX graph_facts_object ON graph_facts (object, observed DESC, id, starts, ends);
CREATE INDEX graph_facts_group ON graph_facts (subject, relation, ends);
CREATE INDEX graph_facts_same ON graph_facts (subject, relation, object, ends);

-- What was merged, with the entity as it was, as JSON.
CREATE TABLE graph_merges (
    id    TEXT PRIMARY KEY,
    n     INTEGER NOT NULL UNIQUE,
    at    INTEGER NOT NULL,
    keep  TEXT NOT NULL,
    gone  TEXT NOT NULL
) STRICT, WITHOUT ROWID;
