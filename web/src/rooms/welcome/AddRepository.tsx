import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';

import { commands } from '../../api/commands';
import { keys } from '../../api/keys';
import { navigate } from '../../app/router';
import { to } from '../../app/routes';
import { Button } from '../../ui/Button';
import { TextField } from '../../ui/Field';
import { FailureNotice } from '../../ui/Notice';
import { projectName, repositoryProblems, type RepositoryForm, type RepositoryProblems } from './repositoryForm';

/** Makes a project of a repository, or adds the repository to a project that has none. */
export function AddRepository({ project = null }: { project?: string | null }) {
  const cache = useQueryClient();
  const [problems, setProblems] = useState<RepositoryProblems>({});
  const add = useMutation({
    mutationFn: async (form: RepositoryForm) => {
      const path = form.path.trim();
      if (project === null) {
        return (await commands.createProject(projectName(form), path)).id;
      }
      await commands.addRepo(project, path);
      return project;
    },
    onSuccess: (id) => {
      void cache.invalidateQueries({ queryKey: keys.projects() });
      void cache.invalidateQueries({ queryKey: keys.repos(id) });
      navigate(to.board(id));
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const form = { path: String(fields.get('path')), name: String(fields.get('name') ?? '') };
    const found = repositoryProblems(form);
    setProblems(found);
    if (found.path === undefined) {
      add.mutate(form);
    }
  };
  return (
    <form className="panel" aria-label="Add a repository" onSubmit={submit} noValidate>
      <TextField
        label="Path of the repository"
        name="path"
        hint="A git repository on the server's disk. Your checkout is never touched."
        problem={problems.path}
        autoComplete="off"
        spellCheck={false}
        required
      />
      {project === null ? (
        <TextField label="Project name" name="name" hint="Left empty, the name of the directory." autoComplete="off" />
      ) : null}
      <FailureNotice failure={add.error} />
      <Button primary={project !== null} type="submit" busy={add.isPending}>
        Add a repository
      </Button>
    </form>
  );
}
