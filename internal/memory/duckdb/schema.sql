-- One row an entry. There is no unique index: DuckDB would refuse to put a
-- row in the place of another within one transaction. The engine is the only
-- writer, holds a lock while it writes, and looks ids up before.
CREATE TABLE IF NOT EXISTS memory_entries (
    n           BIGINT NOT NULL, -- the place, never used again
    id          VARCHAR NOT NULL,
    kind        VARCHAR NOT NULL,
    trust       VARCHAR NOT NULL,
    created     BIGINT NOT NULL, -- microseconds since 1970
    accessed    BIGINT NOT NULL,
    accesses    BIGINT NOT NULL,
    source      VARCHAR NOT NULL,
    thread      VARCHAR NOT NULL,
    place       BIGINT NOT NULL,
    speaker     VARCHAR NOT NULL,
    session     VARCHAR NOT NULL,
    query       VARCHAR NOT NULL,
    respondent  VARCHAR NOT NULL,
    whole       VARCHAR NOT NULL,
    proposed    BOOLEAN NOT NULL,
    merged      BIGINT NOT NULL,
    print       BIGINT NOT NULL,
    tags        VARCHAR NOT NULL, -- JSON
    correlates  VARCHAR NOT NULL, -- JSON
    sources     VARCHAR NOT NULL, -- JSON
    turn        VARCHAR NOT NULL, -- JSON, or empty
    name        VARCHAR NOT NULL,
    description VARCHAR NOT NULL,
    corpus      VARCHAR NOT NULL
);
CREATE INDEX IF NOT EXISTS memory_entries_id ON memory_entries (id);
CREATE INDEX IF NOT EXISTS memory_entries_n ON memory_entries (n);

CREATE TABLE IF NOT EXISTS memory_tags (tag VARCHAR NOT NULL, n BIGINT NOT NULL);
CREATE TABLE IF NOT EXISTS memory_sources (source VARCHAR NOT NULL, n BIGINT NOT NULL);

-- The words of an entry: how often, times the weight of the field.
CREATE TABLE IF NOT EXISTS memory_terms (term VARCHAR NOT NULL, n BIGINT NOT NULL, weight DOUBLE NOT NULL);
CREATE INDEX IF NOT EXISTS memory_terms_term ON memory_terms (term);
CREATE TABLE IF NOT EXISTS memory_text (n BIGINT NOT NULL, length BIGINT NOT NULL, scope VARCHAR NOT NULL);

-- v is three vectors of one length, of the name, the description and the
-- corpus, as 32-bit floats, the low byte first.
CREATE TABLE IF NOT EXISTS memory_embedders (slot BIGINT NOT NULL, name VARCHAR NOT NULL);
CREATE TABLE IF NOT EXISTS memory_vectors (slot BIGINT NOT NULL, n BIGINT NOT NULL, v BLOB NOT NULL);

CREATE TABLE IF NOT EXISTS memory_held (seq BIGINT NOT NULL, event VARCHAR NOT NULL, query VARCHAR NOT NULL, respondent VARCHAR NOT NULL, notes VARCHAR NOT NULL);
CREATE TABLE IF NOT EXISTS memory_state (key VARCHAR NOT NULL, value BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS memory_once (name VARCHAR NOT NULL);
CREATE INDEX IF NOT EXISTS memory_once_name ON memory_once (name);

-- One row: the last numbers given, and how often anything has changed.
CREATE TABLE IF NOT EXISTS memory_counters (place BIGINT NOT NULL, slot BIGINT NOT NULL, held BIGINT NOT NULL, version BIGINT NOT NULL);
INSERT INTO memory_counters SELECT 0, 0, 0, 0 WHERE NOT EXISTS (SELECT 1 FROM memory_counters);
