import { useMemo } from 'react';

import { useDraft } from '../ui/useDraft';
import { type CommentedLines, isWithin, type LineComment } from './lineComments';
import type { LineReview } from './lineReview';

interface ReviewDraft {
  comments: readonly LineComment[];
  lines: CommentedLines | null;
  text: string;
}

const EMPTY: ReviewDraft = { comments: [], lines: null, text: '' };

/** The comments on a diff that are not sent yet. They survive leaving and reloading the page. */
export function useLineComments(name: string, quote: (lines: CommentedLines) => string[]) {
  const { fields, change, forget } = useDraft<ReviewDraft>(`review.${name}`, EMPTY);
  const review = useMemo((): LineReview => {
    const { comments, lines, text } = fields;
    const add = () => {
      if (lines !== null && text.trim() !== '') {
        const comment = { ...lines, id: crypto.randomUUID(), text: text.trim(), quote: quote(lines) };
        change({ comments: [...comments, comment], lines: null, text: '' });
      }
    };
    return {
      text,
      write: (written) => change({ text: written }),
      add,
      cancel: () => change({ lines: null, text: '' }),
      pick: (picked, isExtended) => {
        const isSame = lines !== null && lines.path === picked.path && lines.side === picked.side;
        change({
          lines:
            isExtended && isSame
              ? { ...lines, from: Math.min(lines.from, picked.from), to: Math.max(lines.to, picked.to) }
              : picked,
        });
      },
      isChosen: (path, side, number) =>
        [...comments, ...(lines === null ? [] : [lines])].some(
          (one) => one.path === path && one.side === side && isWithin(one, number),
        ),
      edit: (id) => {
        const known = comments.find((comment) => comment.id === id);
        if (known !== undefined) {
          const { path, side, from, to } = known;
          change({
            comments: comments.filter((comment) => comment !== known),
            lines: { path, side, from, to },
            text: known.text,
          });
        }
      },
      remove: (id) => change({ comments: comments.filter((comment) => comment.id !== id) }),
    };
  }, [fields, change, quote]);
  return { ...fields, review, forget };
}
