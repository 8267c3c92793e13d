import { useMutation } from '@tanstack/react-query';
import { Send } from 'lucide-react';

import { useHotkeys } from '../app/hotkeys/useHotkeys';
import { Button } from '../ui/Button';
import { showToast } from '../ui/toastStore';
import { plural } from '../ui/words';
import { type LineComment, reviewMessage } from './lineComments';

interface SendReviewProps {
  comments: readonly LineComment[];
  send: (message: string) => Promise<unknown>;
  hint: string;
  onSent: () => void;
}

/** Sends all comments as one message. After a refusal they stay where they are. */
export function SendReview({ comments, send, hint, onSent }: SendReviewProps) {
  const sending = useMutation({
    mutationFn: () => send(reviewMessage(comments)),
    onSuccess: () => {
      onSent();
      showToast({ text: `Review with ${plural(comments.length, 'comment')} sent.`, tone: 'info' });
    },
    onError: (error) => showToast({ text: error.message, tone: 'failed' }),
  });
  useHotkeys([{ keys: 'ctrl+shift+enter', label: 'Send the review', group: 'Diff', run: () => sending.mutate() }]);
  return (
    <Button
      look="primary"
      size="small"
      icon={Send}
      title={hint}
      busy={sending.isPending}
      onClick={() => sending.mutate()}
    >
      Send review, {comments.length}
    </Button>
  );
}
