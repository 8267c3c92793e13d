-- Who works in which project. `since_seq` is where the project's events stood when they joined: what happened before is
-- not sent to them.
CREATE TABLE project_members (
    project_id TEXT NOT NULL REFERENCES projects (id),
    user_id    TEXT NOT NULL REFERENCES users (id),
    since_seq  BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (project_id, user_id)
);
CREATE INDEX project_members_user ON project_members (user_id, project_id);
-- Until now everybody worked everywhere, and nobody loses that by an update.
INSERT INTO project_members (project_id, user_id, since_seq, created_at)
SELECT projects.id, users.id, 0, projects.created_at FROM projects CROSS JOIN users WHERE users.role <> 'admin';
