import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type KeyboardEvent, useState } from 'react';

import { commands } from '../../../api/commands';
import { keys } from '../../../api/keys';
import { actionsQuery } from '../../../api/queries';
import type { Execution, Task } from '../../../api/types';
import { refreshTask } from '../../../task/useTaskActions';
import { Button } from '../../../ui/Button';
import { FailureNotice } from '../../../ui/Notice';
import { Segmented } from '../../../ui/Segmented';
import { useDraft } from '../../../ui/useDraft';
import { QueuedMessages } from './QueuedMessages';
import styles from './ReplyBox.module.css';
import { REPLY_FIELD_ID } from './replyField';
import { type ReplyMode, replyModes } from './replyModes';

const EMPTY = { text: '' };

/** Writes to the agent that works, asks a finished one to go on, or leaves a comment. */
export function ReplyBox({ task, latest }: { task: Task; latest: Execution | undefined }) {
  const cache = useQueryClient();
  const actions = useQuery(actionsQuery(task.id));
  const modes = replyModes(actions.data ?? [], latest);
  const [chosen, setChosen] = useState<ReplyMode | null>(null);
  const mode = modes.find(({ value }) => value === chosen) ?? modes[0];
  const { fields, change, forget } = useDraft(`reply.${task.id}`, EMPTY);
  const send = useMutation({
    mutationFn: async () => {
      if (mode.value === 'comment' || latest === undefined) {
        await commands.comment(task.id, fields.text, null);
      } else if (mode.value === 'steer') {
        await commands.steer(latest.id, fields.text);
      } else {
        await commands.followUp(latest.id, fields.text);
      }
    },
    onSuccess: async () => {
      forget();
      await cache.invalidateQueries({ queryKey: keys.comments(task.id) });
    },
    onSettled: () => refreshTask(cache, task),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (fields.text.trim() !== '') {
      send.mutate();
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      submit(event);
    }
  };
  return (
    <form className={styles.box} aria-label="Reply" onSubmit={submit}>
      <QueuedMessages messages={task.messages} />
      <textarea
        id={REPLY_FIELD_ID}
        className={styles.field}
        aria-label="Message"
        placeholder={mode.placeholder}
        rows={1}
        value={fields.text}
        onChange={({ target }) => change({ text: target.value })}
        onKeyDown={onKeyDown}
      />
      <FailureNotice failure={send.error} />
      <div className={styles.row}>
        {modes.length < 2 ? null : (
          <Segmented label="How to send" options={modes} value={mode.value} onChange={setChosen} />
        )}
        <span className={styles.note}>{fields.text === '' ? '' : 'Draft saved'}</span>
        <Button
          look={mode.value === 'steer' ? 'primary' : 'secondary'}
          type="submit"
          hotkey="Ctrl ↵"
          busy={send.isPending}
          disabled={fields.text.trim() === ''}
        >
          {mode.send}
        </Button>
      </div>
    </form>
  );
}
