-- What a person set while the hall ran, with what the configuration said
-- then: it holds until the configuration says something else.
CREATE TABLE hall_settings (
    name     TEXT PRIMARY KEY,
    base     TEXT NOT NULL,
    settings TEXT NOT NULL,
    at       INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
