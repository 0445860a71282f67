-- What has been done already: one row for each effect of an observer.
CREATE TABLE store_done (
	observer TEXT    NOT NULL,
	id       TEXT    NOT NULL,
	done_at  INTEGER NOT NULL, -- milliseconds since 1970
	PRIMARY KEY (observer, id)
) STRICT, WITHOUT ROWID;

-- Pruning goes by age.
CREATE INDEX store_done_by_age ON store_done (done_at);
