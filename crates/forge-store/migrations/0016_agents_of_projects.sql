-- The project an agent belongs to (S-6); an agent without one belongs to the server and works for every project.
ALTER TABLE agents ADD COLUMN project_id TEXT REFERENCES projects (id);
CREATE INDEX agents_project ON agents (project_id, name);
