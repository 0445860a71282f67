-- Which texts the person typed: those alone name a file that may be changed.
ALTER TABLE broker_texts ADD COLUMN typed INTEGER NOT NULL DEFAULT 0;

-- Runs of words, numbers and codes of private results, as keyed hashes: a
-- query that has one of them quotes private text.
CREATE TABLE broker_held (
    session TEXT NOT NULL,
    n       INTEGER NOT NULL,
    marks   BLOB NOT NULL,
    PRIMARY KEY (session, n)
) STRICT, WITHOUT ROWID;

-- Files that a session made, as keyed hashes: it may change them, whatever it
-- has seen since.
CREATE TABLE broker_made (
    session TEXT NOT NULL,
    hash    BLOB NOT NULL,
    PRIMARY KEY (session, hash)
) STRICT, WITHOUT ROWID;
