-- Conversations that were deleted here and of which others may still keep
-- something: a hall that ended in the middle goes on with them.
CREATE TABLE chat_deleted (
    session TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
