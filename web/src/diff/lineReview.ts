import { createContext, use } from 'react';

import type { DiffSide } from './diffRows';
import type { CommentedLines } from './lineComments';

/** The review that is being written over a diff. */
export interface LineReview {
  /** Begins a comment on a line, or extends the lines of the one that was begun. */
  pick: (lines: CommentedLines, isExtended: boolean) => void;
  isChosen: (path: string, side: DiffSide, number: number) => boolean;
  text: string;
  write: (text: string) => void;
  add: () => void;
  cancel: () => void;
  edit: (id: string) => void;
  remove: (id: string) => void;
}

const LineReviewContext = createContext<LineReview | null>(null);
export const LineReviewProvider = LineReviewContext.Provider;

/** The review of the diff around; null where no comments are taken. */
export function useLineReview(): LineReview | null {
  return use(LineReviewContext);
}
