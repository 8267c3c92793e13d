import { CirclePause } from 'lucide-react';
import { useEffect, useState } from 'react';

import { Icon } from '../../ui/Icon';
import { useLive } from '../live';
import styles from './OfflineBar.module.css';

/** A short interruption, such as a change of page, is not worth a word. */
const PATIENCE_MS = 1_500;

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });

/** Says calmly that the page is not in step with the server. What is shown stays readable. */
export function OfflineBar() {
  const { stream, lastLiveAt } = useLive();
  const isOffline = stream !== 'live';
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(isOffline), isOffline ? PATIENCE_MS : 0);
    return () => clearTimeout(timer);
  }, [isOffline]);
  return (
    <div role="status">
      {isShown && isOffline ? (
        <div className={styles.bar}>
          <Icon icon={CirclePause} size={14} />
          {lastLiveAt === null ? 'Connecting to the server.' : `Reconnecting. Last update ${clock.format(lastLiveAt)}.`}
        </div>
      ) : null}
    </div>
  );
}
