-- Agents, users and projects that were removed. Their rows stay, because the history names them. The column that has to be
-- unique (the name, of a project the slug) then holds the id, so that the name can be given again; `removed_name` and
-- `removed_slug` hold what the history shows.
ALTER TABLE agents ADD COLUMN removed_at BIGINT;
ALTER TABLE agents ADD COLUMN removed_name TEXT;
ALTER TABLE users ADD COLUMN removed_at BIGINT;
ALTER TABLE users ADD COLUMN removed_name TEXT;
ALTER TABLE projects ADD COLUMN removed_at BIGINT;
ALTER TABLE projects ADD COLUMN removed_slug TEXT;
