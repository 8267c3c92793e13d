import { MessageSquarePlus } from 'lucide-react';
import type { FormEvent, KeyboardEvent } from 'react';

import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import styles from './LineCommentRow.module.css';
import { type CommentedLines, type LineComment, lineWords } from './lineComments';
import { useLineReview } from './lineReview';

/** A comment that was not sent yet. */
export function LineCommentView({ comment }: { comment: LineComment }) {
  const review = useLineReview();
  const words = lineWords(comment);
  return (
    <article className={styles.box} aria-label={`Comment on ${words}`}>
      <div className={styles.head}>
        <strong>You</strong> {words}, not sent yet
        <span className={styles.space} />
        <Button look="ghost" size="small" onClick={() => review?.edit(comment.id)}>
          Edit
        </Button>
        <Button look="ghost" size="small" onClick={() => review?.remove(comment.id)}>
          Delete
        </Button>
      </div>
      <p className={styles.text}>{comment.text}</p>
    </article>
  );
}

/** Writes a comment on the chosen lines. */
export function LineCommentForm({ lines }: { lines: CommentedLines }) {
  const review = useLineReview();
  if (review === null) {
    return null;
  }
  const words = lineWords(lines);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    review.add();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      submit(event);
    } else if (event.key === 'Escape') {
      event.stopPropagation();
      review.cancel();
    }
  };
  return (
    <form className={styles.box} aria-label={`Comment on ${words}`} onSubmit={submit}>
      <div className={styles.head}>
        <Icon icon={MessageSquarePlus} size={14} />
        {words.charAt(0).toUpperCase() + words.slice(1)}
      </div>
      <textarea
        className={styles.field}
        aria-label="Comment"
        placeholder="What should the agent change here?"
        rows={2}
        // biome-ignore lint/a11y/noAutofocus: the user asked for this field by a key or a click
        autoFocus
        value={review.text}
        onChange={({ target }) => review.write(target.value)}
        onKeyDown={onKeyDown}
      />
      <div className={styles.head}>
        Shift and a click choose more lines
        <span className={styles.space} />
        <Button look="ghost" size="small" onClick={review.cancel}>
          Cancel
        </Button>
        <Button size="small" type="submit" hotkey="Ctrl ↵" disabled={review.text.trim() === ''}>
          Add to review
        </Button>
      </div>
    </form>
  );
}
