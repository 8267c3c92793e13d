import { useState } from 'react';

import { ActorName } from '../../../ui/ActorName';
import { Avatar } from '../../../ui/Avatar';
import { Button } from '../../../ui/Button';
import { initials } from '../../../ui/initials';
import { Markdown } from '../../../ui/Markdown';
import { RelativeTime } from '../../../ui/RelativeTime';
import { CommentForm } from './CommentForm';
import styles from './CommentThread.module.css';
import type { Thread } from './thread';

/** A comment with the answers to it. */
export function CommentThread({ task, thread: { comment, answers } }: { task: string; thread: Thread }) {
  const [isAnswering, setAnswering] = useState(false);
  const { author } = comment;
  const name = author.kind === 'system' ? 'Forge' : (author.name ?? '?');
  return (
    <article className={styles.comment}>
      <div className={styles.who}>
        <Avatar kind={author.kind === 'user' ? 'user' : 'agent'} letters={initials(name)} />
        <strong>
          <ActorName actor={author} />
        </strong>
        <RelativeTime at={comment.at} form="long" />
        <Button look="ghost" size="small" aria-expanded={isAnswering} onClick={() => setAnswering(!isAnswering)}>
          Answer
        </Button>
      </div>
      <Markdown source={comment.body} />
      {isAnswering ? (
        <CommentForm task={task} parent={comment.id} label="Answer" onSent={() => setAnswering(false)} />
      ) : null}
      {answers.length === 0 ? null : (
        <div className={styles.answers}>
          {answers.map((answer) => (
            <CommentThread key={answer.comment.id} task={task} thread={answer} />
          ))}
        </div>
      )}
    </article>
  );
}
