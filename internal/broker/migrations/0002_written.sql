-- Files that were written by a run which had seen outside content, and the
-- folders around them, as keyed hashes: what is read from them is from outside
-- as well, in whatever session.
CREATE TABLE broker_written (
    hash BLOB PRIMARY KEY
) STRICT, WITHOUT ROWID;
