-- The mode in which a question was asked, and what of that is more than a word:
-- it is asked again so. What was answered before there was such a column shows
-- its mode by its answer.
ALTER TABLE chat_turns ADD COLUMN manner TEXT NOT NULL DEFAULT '{}';

UPDATE chat_turns SET manner = '{"mode":"committee"}'
WHERE CASE WHEN json_valid(answer) THEN json_array_length(answer, '$.deliberations') > 0 END;

UPDATE chat_turns SET manner = '{"mode":"task"}'
WHERE CASE WHEN json_valid(answer) THEN json_extract(answer, '$.task_id') <> '' END;
