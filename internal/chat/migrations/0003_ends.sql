-- How turns ended, until that is written where it belongs: an answer waits for
-- one row, and not for all that follows from it.
CREATE TABLE chat_ends (
    id    INTEGER PRIMARY KEY,
    ended TEXT NOT NULL
) STRICT;
