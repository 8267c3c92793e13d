-- Questions to the person in charge of a task, with their answers. Texts are JSON, because PostgreSQL cannot store NUL.
CREATE TABLE questions (
    task_id      TEXT NOT NULL REFERENCES tasks (id),
    number       BIGINT NOT NULL,
    text         TEXT NOT NULL,
    asked_by     TEXT NOT NULL,
    execution_id TEXT,
    asked_at     BIGINT NOT NULL,
    answer       TEXT,
    answered_by  TEXT,
    answered_at  BIGINT,
    closed_at    BIGINT,
    PRIMARY KEY (task_id, number)
);
