-- The agents that handed a waiting task off in this visit, by their ids with a comma between them (T-20): dispatch does not
-- give it back to them, and parks it when no other agent takes its role.
ALTER TABLE waiting_tasks ADD COLUMN declined_by TEXT NOT NULL DEFAULT '';
CREATE INDEX waiting_tasks_declined ON waiting_tasks (project_id) WHERE declined_by <> '';
