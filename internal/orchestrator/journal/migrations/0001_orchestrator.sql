-- Tasks of the orchestrator. The body is JSON: what nobody asks for by name.
CREATE TABLE orchestrator_tasks (
    id      TEXT PRIMARY KEY,
    session TEXT NOT NULL,
    state   TEXT NOT NULL,
    ended   INTEGER NOT NULL DEFAULT 0,
    tokens  INTEGER NOT NULL DEFAULT 0,
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    body    TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX orchestrator_tasks_open ON orchestrator_tasks (created) WHERE ended = 0;
CREATE INDEX orchestrator_tasks_session ON orchestrator_tasks (session);

CREATE TABLE orchestrator_subtasks (
    task  TEXT NOT NULL REFERENCES orchestrator_tasks (id) ON DELETE CASCADE,
    id    TEXT NOT NULL,
    place INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending', 'ready', 'running', 'unknown_after_crash', 'done', 'failed', 'cancelled')),
    body  TEXT NOT NULL,
    PRIMARY KEY (task, id)
) STRICT, WITHOUT ROWID;

-- What a subtask that runs has said and begun, in order.
CREATE TABLE orchestrator_work (
    task    TEXT NOT NULL REFERENCES orchestrator_tasks (id) ON DELETE CASCADE,
    subtask TEXT NOT NULL,
    n       INTEGER NOT NULL,
    body    TEXT NOT NULL,
    PRIMARY KEY (task, subtask, n)
) STRICT, WITHOUT ROWID;
