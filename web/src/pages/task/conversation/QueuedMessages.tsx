import type { Task } from '../../../api/types';
import { RelativeTime } from '../../../ui/RelativeTime';
import styles from './ReplyBox.module.css';

/** The messages that the agent has not read yet. */
export function QueuedMessages({ messages }: { messages: Task['messages'] }) {
  return messages.length === 0 ? null : (
    <ul aria-label="Queued messages">
      {messages.map(({ id, message, delivery, at }) => (
        <li key={id} className={styles.queued}>
          “{message}” {delivery === 'live' ? 'was sent to the agent' : 'is read in the next execution'},{' '}
          <RelativeTime at={at} form="long" />
        </li>
      ))}
    </ul>
  );
}
