-- One row for each answer to be graded and each pair to be compared. The id is
-- also that of the event which tells the result, so that telling it again is
-- telling the same. waiting: for the other answer; ready: to be asked; stored:
-- there is a result that was not told yet; over: nothing is left to do.
CREATE TABLE critic_jobs (
    id         TEXT PRIMARY KEY,
    kind       TEXT NOT NULL CHECK (kind IN ('critique', 'pairwise')),
    query      TEXT NOT NULL,
    respondent TEXT NOT NULL,
    session    TEXT NOT NULL,
    state      TEXT NOT NULL CHECK (state IN ('waiting', 'ready', 'stored', 'over')),
    created    INTEGER NOT NULL,
    due        INTEGER NOT NULL,
    taken      INTEGER NOT NULL DEFAULT 0,
    attempts   INTEGER NOT NULL DEFAULT 0,
    cause      TEXT NOT NULL,
    rubric     TEXT NOT NULL DEFAULT '',
    question   TEXT NOT NULL DEFAULT '',
    answer     TEXT NOT NULL DEFAULT '',
    outcome    TEXT NOT NULL DEFAULT '',
    reason     TEXT NOT NULL DEFAULT '',
    result     TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE INDEX critic_jobs_due ON critic_jobs (due) WHERE state <> 'over';
CREATE INDEX critic_jobs_taken ON critic_jobs (taken) WHERE taken > 0;
CREATE INDEX critic_jobs_session ON critic_jobs (session);
CREATE INDEX critic_jobs_created ON critic_jobs (created);
