-- What is known of answers, as it was told: the latest of a kind counts.
-- A comparison is about a whole turn and has no respondent.
CREATE TABLE reward_facts (
    query      TEXT NOT NULL,
    respondent TEXT NOT NULL,
    kind       TEXT NOT NULL CHECK (kind IN ('answer', 'critique', 'pairing')),
    at         INTEGER NOT NULL, -- microseconds since 1970, of the event
    event      TEXT NOT NULL,
    body       TEXT NOT NULL,
    PRIMARY KEY (query, respondent, kind)
) STRICT;

-- What people said of answers, with the reward.event that tells of it.
CREATE TABLE reward_feedback (
    event      TEXT PRIMARY KEY,
    query      TEXT NOT NULL,
    respondent TEXT NOT NULL,
    at         INTEGER NOT NULL,
    rated      INTEGER NOT NULL, -- 0 for words alone
    told       INTEGER NOT NULL DEFAULT 0,
    body       TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX reward_feedback_answer ON reward_feedback (query, respondent);
CREATE INDEX reward_feedback_untold ON reward_feedback (at, event) WHERE told = 0;

-- Who answers: few rows, so that a report reads numbers only.
CREATE TABLE reward_sources (
    id         INTEGER PRIMARY KEY,
    role       TEXT NOT NULL,
    provider   TEXT NOT NULL,
    model      TEXT NOT NULL,
    respondent TEXT NOT NULL,
    UNIQUE (role, provider, model, respondent)
) STRICT;

-- The figures of each answer, derived from the tables above.
CREATE TABLE reward_rows (
    query      TEXT NOT NULL,
    respondent TEXT NOT NULL,
    session    TEXT NOT NULL,
    at         INTEGER NOT NULL,
    source     INTEGER NOT NULL, -- 0 until the answer is known
    failed     INTEGER NOT NULL,
    result     INTEGER NOT NULL, -- 0 not compared, 1 won, 2 lost, 3 tie, 4 unknown
    grade      INTEGER NOT NULL, -- -1 not graded, 0 unknown, 1 to 5
    person     INTEGER NOT NULL, -- 0 not rated, 1 to 5
    reward     REAL,             -- NULL: not rated
    took       INTEGER NOT NULL, -- nanoseconds
    first      INTEGER NOT NULL,
    prompt     INTEGER NOT NULL,
    output     INTEGER NOT NULL,
    PRIMARY KEY (query, respondent)
) STRICT, WITHOUT ROWID;

CREATE INDEX reward_rows_at ON reward_rows (at);
CREATE INDEX reward_rows_session ON reward_rows (session, at);
