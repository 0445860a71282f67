-- What the broker must still know after a restart. No row holds a result, and
-- none but an open question holds arguments.

CREATE TABLE broker_meta (
    name  TEXT PRIMARY KEY,
    value BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- Labels only grow. The overrides of one message stand beside those of the
-- session; once_for is empty until a message has taken them.
CREATE TABLE broker_sessions (
    id             TEXT PRIMARY KEY,
    labels         INTEGER NOT NULL DEFAULT 0,
    standing       TEXT NOT NULL DEFAULT '',
    standing_until INTEGER NOT NULL DEFAULT 0,
    once           TEXT NOT NULL DEFAULT '',
    once_until     INTEGER NOT NULL DEFAULT 0,
    once_for       TEXT NOT NULL DEFAULT ''
) STRICT, WITHOUT ROWID;

-- A person's "yes, for this session".
CREATE TABLE broker_consents (
    session    TEXT NOT NULL,
    tool       TEXT NOT NULL,
    agent_type TEXT NOT NULL,
    PRIMARY KEY (session, tool, agent_type)
) STRICT, WITHOUT ROWID;

-- What may be sent out whatever the labels: keyed hashes of addresses, and
-- texts as sequences of keyed hashes of their words.
CREATE TABLE broker_addresses (
    session TEXT NOT NULL,
    hash    BLOB NOT NULL,
    PRIMARY KEY (session, hash)
) STRICT, WITHOUT ROWID;

CREATE TABLE broker_texts (
    session TEXT NOT NULL,
    n       INTEGER NOT NULL,
    words   BLOB NOT NULL,
    PRIMARY KEY (session, n)
) STRICT, WITHOUT ROWID;

-- Counters of a task; recent is the window of its last calls' hashes.
CREATE TABLE broker_tasks (
    id     TEXT PRIMARY KEY,
    calls  INTEGER NOT NULL,
    spawns INTEGER NOT NULL,
    recent BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE broker_agents (
    id         TEXT PRIMARY KEY,
    session    TEXT NOT NULL,
    type       TEXT NOT NULL,
    lineage    TEXT NOT NULL,
    query      TEXT NOT NULL,
    boot       TEXT NOT NULL,
    began      INTEGER NOT NULL,
    ended      INTEGER NOT NULL DEFAULT 0,
    why        TEXT NOT NULL DEFAULT ''
) STRICT, WITHOUT ROWID;

CREATE INDEX broker_agents_living ON broker_agents (boot) WHERE ended = 0;

-- The journal: one row a call, written before its effect.
CREATE TABLE broker_calls (
    session    TEXT NOT NULL,
    id         TEXT NOT NULL,
    agent      TEXT NOT NULL,
    agent_type TEXT NOT NULL,
    lineage    TEXT NOT NULL,
    tool       TEXT NOT NULL,
    query      TEXT NOT NULL,
    run        TEXT NOT NULL,
    hash       BLOB NOT NULL,
    idempotent INTEGER NOT NULL,
    boot       TEXT NOT NULL,
    began      INTEGER NOT NULL,
    status     TEXT NOT NULL,
    took       INTEGER NOT NULL DEFAULT 0,
    labels     INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (session, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX broker_calls_open ON broker_calls (boot) WHERE status = 'intent';

CREATE TABLE broker_approvals (
    id         TEXT PRIMARY KEY,
    session    TEXT NOT NULL,
    query      TEXT NOT NULL,
    call       TEXT NOT NULL,
    agent      TEXT NOT NULL,
    agent_type TEXT NOT NULL,
    lineage    TEXT NOT NULL,
    tool       TEXT NOT NULL,
    arguments  TEXT NOT NULL,
    reason     TEXT NOT NULL,
    labels     INTEGER NOT NULL,
    boot       TEXT NOT NULL,
    asked      INTEGER NOT NULL,
    expires    INTEGER NOT NULL,
    answer     TEXT NOT NULL DEFAULT '',
    answered   INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE INDEX broker_approvals_open ON broker_approvals (session) WHERE answer = '';
