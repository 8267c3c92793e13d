-- How a repository is reached elsewhere, where somebody said so (M-15). Apart from the repositories, which everybody
-- reads. The token is sealed with a key that is not in the database.
CREATE TABLE repo_remotes (
    repo_id         TEXT PRIMARY KEY REFERENCES repos (id),
    push            BOOLEAN,
    url             TEXT,
    installation_id BIGINT,
    sealed_token    TEXT,
    updated_at      BIGINT NOT NULL
);
