import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { commentsQuery } from '../../../api/queries';
import { ActorName } from '../../../ui/ActorName';
import { Avatar } from '../../../ui/Avatar';
import { Button } from '../../../ui/Button';
import { initials } from '../../../ui/initials';
import { Loaded } from '../../../ui/Loaded';
import { Markdown } from '../../../ui/Markdown';
import { RelativeTime } from '../../../ui/RelativeTime';
import { CommentForm } from './CommentForm';
import styles from './ConversationTab.module.css';
import { type Thread, threadsOf } from './thread';

/** The comments on a task as threads; nothing while there are none. */
export function CommentList({ task }: { task: string }) {
  const comments = useQuery(commentsQuery(task));
  return (
    <Loaded what="the comments" query={comments}>
      {(list) => (list.length === 0 ? null : <Threads task={task} threads={threadsOf(list)} />)}
    </Loaded>
  );
}

function Threads({ task, threads }: { task: string; threads: readonly Thread[] }) {
  return (
    <ul className={styles.comments} aria-label="Comments">
      {threads.map((thread) => (
        <ThreadItem key={thread.comment.id} task={task} thread={thread} />
      ))}
    </ul>
  );
}

function ThreadItem({ task, thread: { comment, answers } }: { task: string; thread: Thread }) {
  const [isAnswering, setAnswering] = useState(false);
  const { author } = comment;
  const name = author.kind === 'system' ? 'Forge' : (author.name ?? '?');
  return (
    <li className={styles.comment}>
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
          <Threads task={task} threads={answers} />
        </div>
      )}
    </li>
  );
}
