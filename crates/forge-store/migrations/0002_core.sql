-- Ids are TEXT, times are milliseconds in BIGINT, JSON is TEXT. No statement names a state of a workflow: what
-- behaviour needs of a state is a column beside it.

-- Workflows never change; another definition is another row.
CREATE TABLE workflows (
    hash       TEXT PRIMARY KEY,
    definition TEXT NOT NULL
);

CREATE TABLE projects (
    id             TEXT PRIMARY KEY,
    ordinal        BIGINT NOT NULL UNIQUE,
    name           TEXT NOT NULL,
    slug           TEXT NOT NULL UNIQUE,
    workspace_type TEXT NOT NULL,
    workflow       TEXT NOT NULL REFERENCES workflows (hash),
    settings       TEXT NOT NULL,
    paused_at      BIGINT,
    version        BIGINT NOT NULL,
    created_at     BIGINT NOT NULL,
    updated_at     BIGINT NOT NULL
);

-- Apart from the projects, so that counting does not touch the row everybody reads. The row of the nil id counts the
-- events that belong to no project, and, as task numbers, the projects.
CREATE TABLE project_counters (
    project_id  TEXT PRIMARY KEY,
    event_seq   BIGINT NOT NULL,
    task_number BIGINT NOT NULL
);
INSERT INTO project_counters (project_id, event_seq, task_number)
VALUES ('00000000-0000-0000-0000-000000000000', 0, 0);

CREATE TABLE repos (
    id             TEXT PRIMARY KEY,
    project_id     TEXT NOT NULL REFERENCES projects (id),
    name           TEXT NOT NULL,
    path           TEXT,
    url            TEXT,
    default_branch TEXT NOT NULL,
    is_primary     BOOLEAN NOT NULL,
    created_at     BIGINT NOT NULL
);
CREATE UNIQUE INDEX repos_name ON repos (project_id, name);
CREATE UNIQUE INDEX repos_primary ON repos (project_id) WHERE is_primary;

CREATE TABLE agents (
    id             TEXT PRIMARY KEY,
    name           TEXT NOT NULL UNIQUE,
    executor       TEXT NOT NULL,
    roles          TEXT NOT NULL,
    paused         BOOLEAN NOT NULL,
    max_concurrent BIGINT NOT NULL,
    ephemeral      BOOLEAN NOT NULL,
    version        BIGINT NOT NULL,
    created_at     BIGINT NOT NULL,
    updated_at     BIGINT NOT NULL
);

CREATE TABLE users (
    id            TEXT PRIMARY KEY,
    name          TEXT NOT NULL UNIQUE,
    password_hash TEXT,
    role          TEXT NOT NULL,
    created_at    BIGINT NOT NULL
);

CREATE TABLE tokens (
    id           TEXT PRIMARY KEY,
    user_id      TEXT NOT NULL REFERENCES users (id),
    name         TEXT NOT NULL,
    hash         TEXT NOT NULL UNIQUE,
    scope        TEXT NOT NULL,
    created_at   BIGINT NOT NULL,
    last_used_at BIGINT,
    expires_at   BIGINT,
    revoked_at   BIGINT
);
CREATE INDEX tokens_user ON tokens (user_id, id);

CREATE TABLE sessions (
    hash       TEXT PRIMARY KEY,
    user_id    TEXT NOT NULL REFERENCES users (id),
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX sessions_expiry ON sessions (expires_at);

CREATE TABLE links (
    hash       TEXT PRIMARY KEY,
    purpose    TEXT NOT NULL,
    user_id    TEXT REFERENCES users (id),
    expires_at BIGINT NOT NULL,
    used_at    BIGINT
);

CREATE TABLE nodes (
    id            TEXT PRIMARY KEY,
    name          TEXT NOT NULL,
    registered_at BIGINT NOT NULL,
    beat_at       BIGINT NOT NULL
);

-- Columns are derived from the snapshot by one function; the snapshot is the truth. `urgency` is the negated priority,
-- so that "highest first, then oldest" is one direction of one index. `related` is a digest of what the rows in
-- task_labels, task_dependencies and task_words are made of; `related_stale` is how an update tells that it changed.
CREATE TABLE tasks (
    id            TEXT PRIMARY KEY,
    project_id    TEXT NOT NULL REFERENCES projects (id),
    number        BIGINT NOT NULL,
    workflow      TEXT NOT NULL,
    state         TEXT NOT NULL,
    phase         TEXT NOT NULL,
    standing      TEXT NOT NULL,
    claimable     BOOLEAN NOT NULL,
    kind          TEXT NOT NULL,
    urgency       BIGINT NOT NULL,
    version       BIGINT NOT NULL,
    agent_id      TEXT,
    parent_id     TEXT,
    archived      BOOLEAN NOT NULL,
    created_at    BIGINT NOT NULL,
    updated_at    BIGINT NOT NULL,
    related       TEXT NOT NULL,
    related_stale BOOLEAN NOT NULL,
    snapshot      TEXT NOT NULL
);
CREATE UNIQUE INDEX tasks_number ON tasks (project_id, number);
-- Each order of the task list, alone and under the two filters of a board column. An equality prefix and then the
-- order: a page is read from the index, whatever the size of the table (D-4).
CREATE INDEX tasks_by_number ON tasks (project_id, archived, number);
CREATE INDEX tasks_by_update ON tasks (project_id, archived, updated_at, number);
CREATE INDEX tasks_by_urgency ON tasks (project_id, archived, urgency, number);
CREATE INDEX tasks_state_by_number ON tasks (project_id, archived, state, number);
CREATE INDEX tasks_state_by_update ON tasks (project_id, archived, state, updated_at, number);
CREATE INDEX tasks_state_by_urgency ON tasks (project_id, archived, state, urgency, number);
CREATE INDEX tasks_phase_by_number ON tasks (project_id, archived, phase, number);
CREATE INDEX tasks_phase_by_update ON tasks (project_id, archived, phase, updated_at, number);
CREATE INDEX tasks_phase_by_urgency ON tasks (project_id, archived, phase, urgency, number);
CREATE INDEX tasks_agent ON tasks (agent_id, project_id, archived, number) WHERE agent_id IS NOT NULL;
CREATE INDEX tasks_parent ON tasks (parent_id, project_id, archived, number) WHERE parent_id IS NOT NULL;
CREATE INDEX tasks_claimable ON tasks (project_id, urgency, number) WHERE claimable;

CREATE TABLE task_labels (
    label   TEXT NOT NULL,
    task_id TEXT NOT NULL REFERENCES tasks (id),
    PRIMARY KEY (label, task_id)
);
CREATE INDEX task_labels_task ON task_labels (task_id);

CREATE TABLE task_dependencies (
    task_id       TEXT NOT NULL REFERENCES tasks (id),
    depends_on_id TEXT NOT NULL REFERENCES tasks (id),
    PRIMARY KEY (task_id, depends_on_id)
);
CREATE INDEX task_dependencies_reverse ON task_dependencies (depends_on_id, task_id);

-- The words of a task's title and description. Apart from the tasks: on PostgreSQL every change of a row enters it in
-- each of its indexes again, and this one would take an entry per word.
CREATE TABLE task_words (
-- sqlite:
    -- A rowid that is not a column may change when the file is compacted.
    place   INTEGER PRIMARY KEY,
-- both:
    task_id TEXT NOT NULL UNIQUE REFERENCES tasks (id),
-- postgres:
    search_vector TSVECTOR GENERATED ALWAYS AS (to_tsvector('simple', words)) STORED,
-- both:
    words   TEXT NOT NULL
);
-- sqlite:
CREATE VIRTUAL TABLE task_words_search USING fts5 (
    words, content = 'task_words', content_rowid = 'place', tokenize = 'unicode61 remove_diacritics 0'
);
CREATE TRIGGER task_words_added AFTER INSERT ON task_words BEGIN
    INSERT INTO task_words_search (rowid, words) VALUES (new.place, new.words);
END;
CREATE TRIGGER task_words_changed AFTER UPDATE OF words ON task_words WHEN old.words <> new.words BEGIN
    INSERT INTO task_words_search (task_words_search, rowid, words) VALUES ('delete', old.place, old.words);
    INSERT INTO task_words_search (rowid, words) VALUES (new.place, new.words);
END;
CREATE TRIGGER task_words_removed AFTER DELETE ON task_words BEGIN
    INSERT INTO task_words_search (task_words_search, rowid, words) VALUES ('delete', old.place, old.words);
END;
-- postgres:
CREATE INDEX task_words_search ON task_words USING gin (search_vector);
-- both:

CREATE TABLE events (
    project_id TEXT NOT NULL,
    seq        BIGINT NOT NULL,
    type       TEXT NOT NULL,
    version    BIGINT NOT NULL,
    task_id    TEXT,
    actor      TEXT NOT NULL,
    at         BIGINT NOT NULL,
    data       TEXT NOT NULL,
    PRIMARY KEY (project_id, seq)
);
CREATE INDEX events_task ON events (task_id, seq) WHERE task_id IS NOT NULL;

CREATE TABLE executions (
    id          TEXT PRIMARY KEY,
    task_id     TEXT NOT NULL REFERENCES tasks (id),
    project_id  TEXT NOT NULL,
    role        TEXT NOT NULL,
    agent_id    TEXT,
    user_id     TEXT,
    purpose     TEXT NOT NULL,
    status      TEXT NOT NULL,
    open        BOOLEAN NOT NULL,
    outcome     TEXT,
    process     TEXT,
    created_at  BIGINT NOT NULL,
    started_at  BIGINT,
    finished_at BIGINT
);
-- P-5: a second open execution of a task cannot be written.
CREATE UNIQUE INDEX executions_one_open ON executions (task_id) WHERE open;
CREATE INDEX executions_agent_open ON executions (agent_id) WHERE open;
CREATE INDEX executions_task ON executions (task_id, created_at, id);

CREATE TABLE reviews (
    id          TEXT PRIMARY KEY,
    task_id     TEXT NOT NULL REFERENCES tasks (id),
    attempt     BIGINT NOT NULL,
    status      TEXT NOT NULL,
    commit_id   TEXT,
    results     TEXT NOT NULL,
    verdict     TEXT,
    started_at  BIGINT NOT NULL,
    finished_at BIGINT
);
CREATE UNIQUE INDEX reviews_attempt ON reviews (task_id, attempt);

CREATE TABLE transitions (
    task_id    TEXT NOT NULL REFERENCES tasks (id),
    seq        BIGINT NOT NULL,
    from_state TEXT NOT NULL,
    to_state   TEXT NOT NULL,
    actor      TEXT NOT NULL,
    rejection  BOOLEAN NOT NULL,
    reason     TEXT NOT NULL,
    at         BIGINT NOT NULL,
    PRIMARY KEY (task_id, seq)
);

CREATE TABLE comments (
    id        TEXT PRIMARY KEY,
    task_id   TEXT NOT NULL REFERENCES tasks (id),
    position  BIGINT NOT NULL,
    parent_id TEXT,
    author    TEXT NOT NULL,
    body      TEXT NOT NULL,
    at        BIGINT NOT NULL
);
CREATE UNIQUE INDEX comments_task ON comments (task_id, position);

-- `due_at` is when the row next deserves a look: `not_before`, or `lease_until` while it is leased.
CREATE TABLE effects (
    id          TEXT PRIMARY KEY,
    task_id     TEXT NOT NULL REFERENCES tasks (id),
    project_id  TEXT NOT NULL,
    lane        TEXT NOT NULL,
    position    BIGINT NOT NULL,
    kind        TEXT NOT NULL,
    payload     TEXT NOT NULL,
    yields      BOOLEAN NOT NULL,
    visit       BIGINT NOT NULL,
    open        BOOLEAN NOT NULL,
    ending      TEXT,
    attempts    BIGINT NOT NULL,
    failures    BIGINT NOT NULL,
    not_before  BIGINT NOT NULL,
    due_at      BIGINT NOT NULL,
    lease_node  TEXT,
    lease_until BIGINT,
    fence       BIGINT NOT NULL,
    last_error  TEXT,
    journal     TEXT,
    created_at  BIGINT NOT NULL,
    finished_at BIGINT
);
CREATE UNIQUE INDEX effects_task ON effects (task_id, position);
CREATE INDEX effects_due ON effects (due_at, id) WHERE open;
CREATE INDEX effects_lane ON effects (task_id, lane, position) WHERE open;
CREATE INDEX effects_node ON effects (lease_node) WHERE open AND lease_node IS NOT NULL;
