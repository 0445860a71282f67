-- Which entries lack vectors is asked in order of place, a few at a time. By
-- age, each time took a look at all of them and a sort. The place itself ends
-- every row of an index.
CREATE INDEX memory_entries_place ON memory_entries (proposed);
