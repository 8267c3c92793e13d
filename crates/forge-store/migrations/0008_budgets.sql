-- What executions used, added up as they end (E-8): of a task, of an agent in a project, of a project. Reading a sum
-- costs one row, or one for each project of an agent.
CREATE TABLE usage_sums (
    scope          TEXT NOT NULL,
    id             TEXT NOT NULL,
    project_id     TEXT NOT NULL,
    executions     BIGINT NOT NULL,
    input_tokens   BIGINT NOT NULL,
    cached_tokens  BIGINT NOT NULL,
    output_tokens  BIGINT NOT NULL,
    cost_micro_usd BIGINT,
    PRIMARY KEY (scope, id, project_id)
);
INSERT INTO usage_sums
SELECT 'task', task_id, project_id, COUNT(*), CAST(SUM(input_tokens) AS BIGINT), CAST(SUM(cached_tokens) AS BIGINT),
       CAST(SUM(output_tokens) AS BIGINT), CAST(SUM(cost_micro_usd) AS BIGINT)
FROM executions WHERE input_tokens IS NOT NULL GROUP BY task_id, project_id;
INSERT INTO usage_sums
SELECT 'agent', agent_id, project_id, COUNT(*), CAST(SUM(input_tokens) AS BIGINT), CAST(SUM(cached_tokens) AS BIGINT),
       CAST(SUM(output_tokens) AS BIGINT), CAST(SUM(cost_micro_usd) AS BIGINT)
FROM executions WHERE input_tokens IS NOT NULL AND agent_id IS NOT NULL GROUP BY agent_id, project_id;
INSERT INTO usage_sums
SELECT 'project', project_id, project_id, COUNT(*), CAST(SUM(input_tokens) AS BIGINT),
       CAST(SUM(cached_tokens) AS BIGINT), CAST(SUM(output_tokens) AS BIGINT), CAST(SUM(cost_micro_usd) AS BIGINT)
FROM executions WHERE input_tokens IS NOT NULL GROUP BY project_id;
DROP INDEX executions_used;
DROP INDEX executions_used_project;

-- What the agents of a project may use together, where its settings say so.
CREATE TABLE project_budgets (
    project_id     TEXT PRIMARY KEY REFERENCES projects (id),
    cost_micro_usd BIGINT,
    tokens         BIGINT
);

-- Who takes over when an agent's allowance is used up (E-9).
ALTER TABLE agents ADD COLUMN fallback_id TEXT REFERENCES agents (id);

-- Who handed a task off last; somebody else's turn (T-20).
ALTER TABLE waiting_tasks ADD COLUMN avoid_id TEXT;
