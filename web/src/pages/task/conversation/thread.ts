import type { Comment } from '../../../api/types';

/** A comment and the answers to it. */
export interface Thread {
  comment: Comment;
  answers: readonly Thread[];
}

/** Comments as threads, each level by time. A comment whose parent is not in the list stands for itself. */
export function threadsOf(comments: readonly Comment[]): Thread[] {
  const known = new Set(comments.map(({ id }) => id));
  const parentOf = ({ parent_id }: Comment) => (parent_id !== null && known.has(parent_id) ? parent_id : null);
  const level = (parent: string | null): Thread[] =>
    comments
      .filter((comment) => parentOf(comment) === parent)
      .toSorted((one, other) => one.at.localeCompare(other.at))
      .map((comment) => ({ comment, answers: level(comment.id) }));
  return level(null);
}
