-- Which task may listen on which port of this machine (W-13). `slot` is the n of FORGE_PORT_n, so that a task keeps its
-- numbers as long as it has a workspace.
CREATE TABLE port_leases (
    port       BIGINT PRIMARY KEY,
    task_id    TEXT NOT NULL REFERENCES tasks (id),
    slot       BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    UNIQUE (task_id, slot)
);
