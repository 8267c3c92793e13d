-- What can be claimed, and by whom (E-10). A row is there as long as its task is claimable and not archived. `lane` is
-- the project, the role and the agent that holds it, if any: whoever is first in a lane is first for everybody who
-- serves it. `free` is what the task itself has to say, `ready` also says that all it waits for is in.
CREATE TABLE waiting_tasks (
    task_id    TEXT PRIMARY KEY REFERENCES tasks (id),
    project_id TEXT NOT NULL,
    role       TEXT,
    agent_id   TEXT,
    lane       TEXT NOT NULL,
    urgency    BIGINT NOT NULL,
    number     BIGINT NOT NULL,
    free       BOOLEAN NOT NULL,
    ready      BOOLEAN NOT NULL
);
CREATE INDEX waiting_tasks_lane ON waiting_tasks (lane, urgency, number) WHERE ready;
CREATE INDEX waiting_tasks_project ON waiting_tasks (project_id, urgency, number);
-- The role is the workflow's word, which SQL cannot read: who starts next writes it.
CREATE INDEX waiting_tasks_unknown ON waiting_tasks (task_id) WHERE role IS NULL;
INSERT INTO waiting_tasks (task_id, project_id, lane, urgency, number, free, ready)
SELECT id, project_id, '', urgency, number, FALSE, FALSE FROM tasks WHERE claimable;

-- The projects whose settings say that their tasks are given to agents by themselves.
CREATE TABLE served_projects (
    project_id     TEXT PRIMARY KEY REFERENCES projects (id),
    max_concurrent BIGINT
);
-- Whose turn it was last.
CREATE INDEX executions_served ON executions (project_id, created_at) WHERE agent_id IS NOT NULL;
