import { describe, expect, it } from 'vitest';

import { projectName, repositoryProblems } from './repositoryForm';

const form = (path: string, name = '') => ({ path, name });

describe('adding a repository', () => {
  it('a whole path is fine', () => {
    expect(repositoryProblems(form('/srv/code/shop'))).toEqual({});
    expect(repositoryProblems(form('C:\\code\\shop'))).toEqual({});
  });

  it('what cannot work is said before it is sent', () => {
    for (const path of ['', '  ', 'shop', './shop', '~/shop', '/srv/../etc']) {
      expect(repositoryProblems(form(path)).path, path).toBeDefined();
    }
  });

  it('the project is called like the directory unless it is given a name', () => {
    expect(projectName(form('/srv/code/shop/'))).toBe('shop');
    expect(projectName(form('/srv/code/shop.git'))).toBe('shop');
    expect(projectName(form('/srv/code/shop', ' Web shop '))).toBe('Web shop');
  });
});
