-- gone says from which n on a message with live = 0 was no longer part of the
-- conversation, so that what stood before a question can be told when notes
-- stand for it. 0: not known.
ALTER TABLE chat_messages ADD COLUMN gone INTEGER NOT NULL DEFAULT 0;
