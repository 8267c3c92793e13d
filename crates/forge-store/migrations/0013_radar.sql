-- The live branches of a repository as the conflict radar last saw them (M-14). A branch that is where it was, with the
-- same saved state on top of it, is not looked at again. `content` is the commit whose files count, `entry` the newest
-- entry of the task's journal.
CREATE TABLE radar_heads (
    task_id    TEXT PRIMARY KEY REFERENCES tasks (id),
    project_id TEXT NOT NULL REFERENCES projects (id),
    repo_id    TEXT NOT NULL REFERENCES repos (id),
    head       TEXT NOT NULL,
    content    TEXT NOT NULL,
    tree       TEXT NOT NULL,
    entry      BIGINT
);
CREATE INDEX radar_heads_repo ON radar_heads (repo_id, task_id);
CREATE INDEX radar_heads_project ON radar_heads (project_id, task_id);

-- The pairs of them that clash; a pair without a row does not. The first task is the one with the lower id.
CREATE TABLE radar_pairs (
    task_a     TEXT NOT NULL REFERENCES tasks (id),
    task_b     TEXT NOT NULL REFERENCES tasks (id),
    project_id TEXT NOT NULL REFERENCES projects (id),
    repo_id    TEXT NOT NULL REFERENCES repos (id),
    tree_a     TEXT NOT NULL,
    tree_b     TEXT NOT NULL,
    files      TEXT NOT NULL,
    since      BIGINT NOT NULL,
    PRIMARY KEY (task_a, task_b)
);
CREATE INDEX radar_pairs_other ON radar_pairs (task_b, task_a);
CREATE INDEX radar_pairs_project ON radar_pairs (project_id, since, task_a, task_b);
CREATE INDEX radar_pairs_repo ON radar_pairs (repo_id);

-- Whether a task waits whose branch clashes with one that is at work or about to land.
ALTER TABLE served_projects ADD COLUMN hold_conflicts BOOLEAN NOT NULL DEFAULT FALSE;
