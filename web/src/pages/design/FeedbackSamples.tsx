import { useState } from 'react';

import { Button } from '../../ui/Button';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { EmptyState } from '../../ui/EmptyState';
import { FailureNotice, Notice } from '../../ui/Notice';
import { RelativeTime } from '../../ui/RelativeTime';
import { Skeleton } from '../../ui/Skeleton';
import { Tooltip } from '../../ui/Tooltip';
import { showToast } from '../../ui/toastStore';
import { SampleRow, Section } from './Section';

/** What the page says about what happens. */
export function FeedbackSamples() {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Section title="Notices">
        <Notice tone="info">The workspace is gone. This is what landed.</Notice>
        <Notice tone="warning" title="The project is paused">
          Agents start no task until it is resumed.
        </Notice>
        <FailureNotice failure={new Error('The server cannot be reached. Check that `forge serve` is running.')} />
      </Section>
      <Section title="Toasts, dialogs and tooltips">
        <SampleRow>
          <Button onClick={() => showToast({ text: 'T-12 created.', tone: 'info' })}>Toast</Button>
          <Button
            onClick={() =>
              showToast({
                text: 'T-12 moved to Todo.',
                tone: 'info',
                undo: () => showToast({ text: 'Moved back.', tone: 'info' }),
              })
            }
          >
            Toast with undo
          </Button>
          <Button onClick={() => showToast({ text: 'T-12 stays in Review: the gate has not passed.', tone: 'failed' })}>
            Failed toast
          </Button>
          <Button look="danger" onClick={() => setAsking(true)}>
            Cancel task…
          </Button>
          <Tooltip text="Copies the link" hotkey="Y">
            <Button>Tooltip</Button>
          </Tooltip>
          <RelativeTime at={new Date(Date.now() - 240_000).toISOString()} form="long" />
        </SampleRow>
        {isAsking ? (
          <ConfirmDialog
            title="Cancel T-148?"
            body="The agent stops now. Its branch with 6 changed files is kept; the worktree is removed in 24 hours."
            keepLabel="Keep task"
            confirmLabel="Cancel task"
            busy={false}
            failure={null}
            onKeep={() => setAsking(false)}
            onConfirm={() => setAsking(false)}
          />
        ) : null}
      </Section>
      <Section title="Empty and loading">
        <EmptyState title="No task matches." actions={<Button>Clear filter</Button>} />
        <Skeleton what="a sample" rows={3} />
      </Section>
    </>
  );
}
