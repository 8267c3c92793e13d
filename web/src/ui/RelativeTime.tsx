import { useNow } from './clock';
import { longAge, shortAge } from './timeWords';

const absolute = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

interface RelativeTimeProps {
  at: string;
  /** `short` is 4m, `long` is 4 minutes ago. */
  form?: 'short' | 'long';
}

/** How long ago something happened; the exact time on hover. */
export function RelativeTime({ at, form = 'short' }: RelativeTimeProps) {
  const now = useNow();
  const moment = Date.parse(at);
  if (Number.isNaN(moment)) {
    return <span>{at}</span>;
  }
  const age = Math.max(0, now - moment);
  return (
    <time dateTime={at} title={absolute.format(moment)}>
      {form === 'short' ? shortAge(age) : longAge(age)}
    </time>
  );
}
