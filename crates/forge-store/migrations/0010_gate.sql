-- What was checked and passed (M-5): a tree of a repository, under checks that are named by their hash. The first run
-- that passed is kept; a person's word that a tree is good all the same is none of these rows.
CREATE TABLE gate_receipts (
    repo_id   TEXT NOT NULL REFERENCES repos (id),
    tree      TEXT NOT NULL,
    checks    TEXT NOT NULL,
    commit_id TEXT NOT NULL,
    review_id TEXT REFERENCES reviews (id),
    results   TEXT NOT NULL,
    at        BIGINT NOT NULL,
    PRIMARY KEY (repo_id, tree, checks)
);

-- Where a review's results come from if they were not its own, whether its rejection counts against the gate's attempts
-- (M-4), and the person who decided it, with their reason.
ALTER TABLE reviews ADD COLUMN taken_from TEXT;
ALTER TABLE reviews ADD COLUMN counted BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE reviews ADD COLUMN decided_by TEXT;
