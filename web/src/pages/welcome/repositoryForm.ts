/** A repository to add, as checked before it is sent. */
export interface RepositoryForm {
  path: string;
  name: string;
}

export interface RepositoryProblems {
  path?: string;
}

/** What can be said about a path without the server's disk. */
export function repositoryProblems(form: RepositoryForm): RepositoryProblems {
  const path = form.path.trim();
  if (path === '') {
    return { path: "Write where the repository is on the server's disk." };
  }
  if (!isAbsolute(path)) {
    return { path: 'Write the whole path, from the root of the disk.' };
  }
  if (path.split(/[\\/]/).includes('..')) {
    return { path: 'Write the path without `..`.' };
  }
  return {};
}

/** The project's name: as written, else that of the directory. */
export function projectName(form: RepositoryForm): string {
  const written = form.name.trim();
  if (written !== '') {
    return written;
  }
  const parts = form.path
    .trim()
    .split(/[\\/]/)
    .filter((part) => part !== '');
  return (parts.at(-1) ?? 'project').replace(/\.git$/, '');
}

function isAbsolute(path: string): boolean {
  return path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path);
}
