import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';

import { commands } from '../../api/commands';
import { keys } from '../../api/keys';
import { commentsQuery } from '../../api/queries';
import { Answered } from '../../ui/Answered';
import { Button } from '../../ui/Button';
import { Empty } from '../../ui/Empty';
import { LongTextField } from '../../ui/Field';
import { FailureNotice } from '../../ui/Notice';
import { Time } from '../../ui/Time';
import { Who } from '../../ui/Who';
import { type Thread, threadsOf } from './thread';

/** The notes on a task, and a place to write one. */
export function CommentList({ task }: { task: string }) {
  const comments = useQuery(commentsQuery(task));
  return (
    <>
      <Answered what="the comments" query={comments}>
        {(list) =>
          list.length === 0 ? <Empty title="No comments yet." /> : <Threads task={task} threads={threadsOf(list)} />
        }
      </Answered>
      <CommentForm task={task} parent={null} label="Comment" />
    </>
  );
}

function Threads({ task, threads }: { task: string; threads: readonly Thread[] }) {
  return (
    <ul className="comments">
      {threads.map((thread) => (
        <ThreadItem key={thread.comment.id} task={task} thread={thread} />
      ))}
    </ul>
  );
}

function ThreadItem({ task, thread: { comment, answers } }: { task: string; thread: Thread }) {
  const [answering, setAnswering] = useState(false);
  return (
    <li>
      <article>
        <p className="facts">
          <Who actor={comment.author} />
          <Time at={comment.at} />
          <Button quiet aria-expanded={answering} onClick={() => setAnswering(!answering)}>
            Answer
          </Button>
        </p>
        <p className="prose">{comment.body}</p>
      </article>
      {answering ? (
        <CommentForm task={task} parent={comment.id} label="Answer" onWritten={() => setAnswering(false)} />
      ) : null}
      {answers.length === 0 ? null : <Threads task={task} threads={answers} />}
    </li>
  );
}

interface CommentFormProps {
  task: string;
  parent: string | null;
  label: string;
  onWritten?: () => void;
}

function CommentForm({ task, parent, label, onWritten }: CommentFormProps) {
  const cache = useQueryClient();
  const [text, setText] = useState('');
  const write = useMutation({
    mutationFn: () => commands.comment(task, text, parent),
    onSuccess: async () => {
      setText('');
      onWritten?.();
      await cache.invalidateQueries({ queryKey: keys.comments(task) });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    write.mutate();
  };
  return (
    <form className="comment-form" aria-label={label} onSubmit={submit}>
      <LongTextField label={label} rows={3} value={text} onChange={(event) => setText(event.target.value)} />
      <FailureNotice failure={write.error} />
      <Button type="submit" busy={write.isPending} disabled={text.trim() === ''}>
        Send
      </Button>
    </form>
  );
}
