-- Where a task's workspace is on disk, as long as it is there: what is found on disk is looked up here (W-10).
ALTER TABLE tasks ADD COLUMN workspace TEXT;
-- sqlite:
UPDATE tasks SET workspace = json_extract(snapshot, '$.workspace.path')
WHERE json_extract(snapshot, '$.workspace.status') <> 'cleaned';
-- postgres:
UPDATE tasks SET workspace = snapshot::json -> 'workspace' ->> 'path'
WHERE snapshot::json -> 'workspace' ->> 'status' <> 'cleaned';
-- both:
CREATE INDEX tasks_workspace ON tasks (workspace, id) WHERE workspace IS NOT NULL;
