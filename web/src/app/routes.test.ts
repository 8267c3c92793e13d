import { describe, expect, it } from 'vitest';

import { routeOf, to } from './routes';

describe('addresses', () => {
  it('every link leads to its page', () => {
    expect(routeOf(to.home())).toEqual({ page: 'home' });
    expect(routeOf(to.agents())).toEqual({ page: 'agents' });
    expect(routeOf(to.account())).toEqual({ page: 'account' });
    expect(routeOf(to.board('p1'))).toEqual({ page: 'board', project: 'p1' });
    expect(routeOf(to.conflicts('p1'))).toEqual({ page: 'conflicts', project: 'p1' });
    expect(routeOf(to.train('p1'))).toEqual({ page: 'train', project: 'p1' });
    expect(routeOf(to.task('t1'))).toEqual({ page: 'task', task: 't1' });
    expect(routeOf('/welcome')).toEqual({ page: 'welcome' });
  });

  it('an unknown address is nowhere', () => {
    for (const path of ['/nope', '/tasks', '/tasks/t1/x', '/account/x', '/projects/p1/tasks', '/projects/p1/conflicts/x', '/tasks/t1/conflicts']) {
      expect(routeOf(path), path).toEqual({ page: 'nowhere' });
    }
  });
});
