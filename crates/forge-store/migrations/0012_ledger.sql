-- What is known of each check of a repository (M-12): how often it ran on trials, failed, and gave another result on
-- the same tree. Until its quarantine ends nobody is blamed for its failure.
CREATE TABLE check_ledger (
    repo_id           TEXT NOT NULL REFERENCES repos (id),
    command           TEXT NOT NULL,
    runs              BIGINT NOT NULL,
    failures          BIGINT NOT NULL,
    flips             BIGINT NOT NULL,
    last_run_at       BIGINT,
    last_flip_at      BIGINT,
    quarantined_until BIGINT,
    PRIMARY KEY (repo_id, command)
);
