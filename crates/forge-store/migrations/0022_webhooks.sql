-- Webhooks of projects (S-2). `position` is the sequence number of the last event of the project that the receiver has
-- got, or that the webhook does not want. One node at a time delivers, under a lease that `fence` proves. The secret is
-- sealed with a key that is not in the database. `owner_id` is the user on whose behalf events leave the server.
CREATE TABLE webhooks (
    id              TEXT PRIMARY KEY,
    project_id      TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    owner_id        TEXT REFERENCES users (id) ON DELETE SET NULL,
    name            TEXT NOT NULL,
    url             TEXT NOT NULL,
    event_types     TEXT NOT NULL,
    sealed_secret   TEXT NOT NULL,
    enabled         BOOLEAN NOT NULL,
    disabled_reason TEXT,
    position        BIGINT NOT NULL,
    failures        BIGINT NOT NULL,
    failing_since   BIGINT,
    last_error      TEXT,
    delivered_at    BIGINT,
    due_at          BIGINT NOT NULL,
    fence           BIGINT NOT NULL,
    lease_node      TEXT,
    lease_until     BIGINT,
    version         BIGINT NOT NULL,
    created_at      BIGINT NOT NULL,
    updated_at      BIGINT NOT NULL
);
CREATE UNIQUE INDEX webhooks_name ON webhooks (project_id, name);
-- The latest deliveries of each webhook, for people. A repeated attempt at an event replaces its row.
CREATE TABLE webhook_deliveries (
    webhook_id  TEXT NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
    number      BIGINT NOT NULL,
    kind        TEXT NOT NULL,
    seq         BIGINT,
    event_type  TEXT NOT NULL,
    attempts    BIGINT NOT NULL,
    delivered   BOOLEAN NOT NULL,
    http_status BIGINT,
    error       TEXT,
    answer      TEXT NOT NULL,
    duration_ms BIGINT NOT NULL,
    at          BIGINT NOT NULL,
    PRIMARY KEY (webhook_id, number)
);
