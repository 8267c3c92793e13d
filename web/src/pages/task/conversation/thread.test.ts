import { describe, expect, it } from 'vitest';

import type { Comment } from '../../../api/types';
import { type Thread, threadsOf } from './thread';

const comment = (id: string, parent_id: string | null, at: string) => ({ id, parent_id, at }) as Comment;
const ids = (threads: readonly Thread[]): unknown[] =>
  threads.map(({ comment: { id }, answers }) => (answers.length === 0 ? id : [id, ids(answers)]));

describe('T-21 comments', () => {
  it('are threaded, each level by time', () => {
    const list = [comment('c', 'a', '3'), comment('b', null, '2'), comment('a', null, '1'), comment('d', 'c', '4')];
    expect(ids(threadsOf(list))).toEqual([['a', [['c', ['d']]]], 'b']);
  });

  it('are all shown, also an answer to one that is not in the list', () => {
    expect(ids(threadsOf([comment('a', 'elsewhere', '1')]))).toEqual(['a']);
  });
});
