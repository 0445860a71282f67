-- A turn that is asked again takes the place of the one before, which is kept
-- and no longer listed.
ALTER TABLE chat_turns ADD COLUMN replaced INTEGER NOT NULL DEFAULT 0;
