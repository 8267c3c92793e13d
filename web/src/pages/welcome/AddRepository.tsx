import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';

import { commands } from '../../api/commands';
import { keys } from '../../api/keys';
import type { Project } from '../../api/types';
import { Button } from '../../ui/Button';
import { TextField } from '../../ui/Field';
import { FailureNotice } from '../../ui/Notice';
import { Panel } from '../../ui/Panel';
import { projectName, type RepositoryProblems, repositoryProblems } from './repositoryForm';

/** Makes a project of a repository, or adds the repository to a project that has none. */
export function AddRepository({ project }: { project?: Project }) {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [fields, setFields] = useState({ path: '', name: '' });
  const [problems, setProblems] = useState<RepositoryProblems>({});
  const add = useMutation({
    mutationFn: async () => {
      const path = fields.path.trim();
      if (project === undefined) {
        return commands.createProject(projectName(fields), path);
      }
      await commands.addRepo(project.id, path);
      return project;
    },
    onSuccess: async ({ id, slug }) => {
      await cache.invalidateQueries({ queryKey: keys.projects() });
      void cache.invalidateQueries({ queryKey: keys.repos(id) });
      await navigate({ to: '/projects/$project', params: { project: slug } });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = repositoryProblems(fields);
    setProblems(found);
    if (found.path === undefined) {
      add.mutate();
    }
  };
  return (
    <Panel>
      <form aria-label="Add a repository" onSubmit={submit} noValidate style={{ display: 'contents' }}>
        <TextField
          label="Path of the repository"
          hint="A git repository on the server's disk. A landing fast-forwards your checkout; where a change of yours is in the way, the landing waits."
          value={fields.path}
          problem={problems.path}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => setFields({ ...fields, path: target.value })}
        />
        {project === undefined ? (
          <TextField
            label="Project name"
            hint="Left empty, the name of the directory."
            value={fields.name}
            autoComplete="off"
            onChange={({ target }) => setFields({ ...fields, name: target.value })}
          />
        ) : null}
        <FailureNotice failure={add.error} />
        <div>
          <Button look="primary" type="submit" busy={add.isPending}>
            Add a repository
          </Button>
        </div>
      </form>
    </Panel>
  );
}
