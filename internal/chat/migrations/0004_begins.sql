-- How turns began waits there as well: one row for a question, too, and in the
-- order in which things happened.
ALTER TABLE chat_ends ADD COLUMN begun TEXT NOT NULL DEFAULT '';
