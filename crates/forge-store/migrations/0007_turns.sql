-- What an agent's program told about its turn (E-7, E-8); NULL where it did not say. Sums are made over these columns,
-- the rest is read from `outcome`.
ALTER TABLE executions ADD COLUMN session TEXT;
ALTER TABLE executions ADD COLUMN input_tokens BIGINT;
ALTER TABLE executions ADD COLUMN cached_tokens BIGINT;
ALTER TABLE executions ADD COLUMN output_tokens BIGINT;
ALTER TABLE executions ADD COLUMN cost_micro_usd BIGINT;
CREATE INDEX executions_used ON executions (agent_id, project_id) WHERE input_tokens IS NOT NULL;
CREATE INDEX executions_used_project ON executions (project_id) WHERE input_tokens IS NOT NULL;

-- Agents whose allowance is used up, and when they are asked again (E-9).
CREATE TABLE quota_waits (
    agent_id TEXT PRIMARY KEY REFERENCES agents (id),
    until    BIGINT NOT NULL
);

-- What the programs of executions prove themselves with (E-3). A row opens something only while its execution is open.
CREATE TABLE execution_tokens (
    execution_id TEXT PRIMARY KEY REFERENCES executions (id),
    hash         TEXT NOT NULL UNIQUE
);
