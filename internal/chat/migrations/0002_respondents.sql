-- told is 0 while the events about an answer may not have been published.
-- What was answered before there was such a column has been.
ALTER TABLE chat_turns ADD COLUMN told INTEGER NOT NULL DEFAULT 1;

CREATE INDEX chat_turns_untold ON chat_turns (told) WHERE told = 0;

-- Answers that were given in the shadow, beside the one that was shown.
CREATE TABLE chat_shadows (
    query_id   TEXT NOT NULL REFERENCES chat_turns (query_id) ON DELETE CASCADE,
    respondent TEXT NOT NULL,
    answer     TEXT NOT NULL,
    told       INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (query_id, respondent)
) STRICT, WITHOUT ROWID;

-- Questions that came over the bus and wait for their session.
CREATE TABLE chat_inbox (
    query_id TEXT PRIMARY KEY,
    request  TEXT NOT NULL,
    at       INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What is needed to run a turn again, the oldest going first.
CREATE TABLE chat_tapes (
    query_id TEXT PRIMARY KEY REFERENCES chat_turns (query_id) ON DELETE CASCADE,
    at       INTEGER NOT NULL,
    size     INTEGER NOT NULL,
    tape     BLOB NOT NULL
) STRICT;

CREATE INDEX chat_tapes_at ON chat_tapes (at, size);
