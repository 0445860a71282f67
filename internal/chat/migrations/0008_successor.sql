-- The turn that stands in the place of one that was asked again, however often
-- that was: the latest. '' where it is the turn itself, or is not known.
ALTER TABLE chat_turns ADD COLUMN successor TEXT NOT NULL DEFAULT '';
