CREATE TABLE chat_sessions (
    id      TEXT PRIMARY KEY,
    title   TEXT NOT NULL DEFAULT '',
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    labels  TEXT NOT NULL DEFAULT ''
) STRICT, WITHOUT ROWID;

CREATE INDEX chat_sessions_updated ON chat_sessions (updated DESC);

-- One row a query. Its answer is set when it is over, however it ended.
CREATE TABLE chat_turns (
    query_id TEXT PRIMARY KEY,
    session  TEXT NOT NULL REFERENCES chat_sessions (id) ON DELETE CASCADE,
    asked    TEXT NOT NULL,
    state    TEXT NOT NULL CHECK (state IN ('running', 'done', 'interrupted')),
    began    INTEGER NOT NULL,
    ended    INTEGER,
    answer   TEXT
) STRICT, WITHOUT ROWID;

CREATE INDEX chat_turns_session ON chat_turns (session, began);

-- The conversation as the model sees it, in order. What a compaction has
-- replaced stays, with live = 0.
CREATE TABLE chat_messages (
    session TEXT NOT NULL REFERENCES chat_sessions (id) ON DELETE CASCADE,
    n       INTEGER NOT NULL,
    query   TEXT NOT NULL,
    live    INTEGER NOT NULL DEFAULT 1,
    message TEXT NOT NULL,
    PRIMARY KEY (session, n)
) STRICT, WITHOUT ROWID;
