import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';

import { commands } from '../../../api/commands';
import { keys } from '../../../api/keys';
import { Button } from '../../../ui/Button';
import { TextAreaField } from '../../../ui/Field';
import { FailureNotice } from '../../../ui/Notice';
import { useDraft } from '../../../ui/useDraft';
import styles from './CommentThread.module.css';

interface CommentFormProps {
  task: string;
  /** The comment that is answered. */
  parent: string | null;
  label: string;
  onSent: () => void;
}

const EMPTY = { text: '' };

/** Writes a comment. The text stays until the server has it. */
export function CommentForm({ task, parent, label, onSent }: CommentFormProps) {
  const cache = useQueryClient();
  const { fields, change, forget } = useDraft(`comment.${task}.${parent ?? ''}`, EMPTY);
  const send = useMutation({
    mutationFn: () => commands.comment(task, fields.text, parent),
    onSuccess: async () => {
      forget();
      onSent();
      await cache.invalidateQueries({ queryKey: keys.comments(task) });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send.mutate();
  };
  return (
    <form className={styles.form} aria-label={label} onSubmit={submit}>
      <TextAreaField
        label={label}
        rows={3}
        value={fields.text}
        onChange={({ target }) => change({ text: target.value })}
      />
      <FailureNotice failure={send.error} />
      <div className={styles.row}>
        <Button type="submit" busy={send.isPending} disabled={fields.text.trim() === ''}>
          Send
        </Button>
      </div>
    </form>
  );
}
