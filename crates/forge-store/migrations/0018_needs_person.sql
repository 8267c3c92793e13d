-- The tasks that wait for a person (T-28), why, and since when. Written in the transaction that changes the task, so that
-- the list is read from an index and not from all tasks (D-4).
CREATE TABLE needs_person (
    task_id    TEXT PRIMARY KEY REFERENCES tasks (id),
    project_id TEXT NOT NULL REFERENCES projects (id),
    reason     TEXT,
    since      BIGINT NOT NULL
);
CREATE INDEX needs_person_since ON needs_person (since, task_id) WHERE reason IS NOT NULL;
CREATE INDEX needs_person_project ON needs_person (project_id, since, task_id) WHERE reason IS NOT NULL;
-- Only a workflow says which states wait for a person, and SQL cannot read it: the next start fills these rows in.
CREATE INDEX needs_person_unknown ON needs_person (task_id) WHERE reason IS NULL;
INSERT INTO needs_person (task_id, project_id, since)
SELECT id, project_id, updated_at FROM tasks WHERE standing IN ('open', 'submitted') AND archived = FALSE;
