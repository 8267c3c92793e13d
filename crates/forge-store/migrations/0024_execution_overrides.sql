-- What the claim of an execution changes about the settings of its agent (T-3), as JSON; NULL if nothing.
ALTER TABLE executions ADD COLUMN overrides TEXT;
