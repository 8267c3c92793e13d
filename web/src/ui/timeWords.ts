const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A span of time in its largest unit: `now`, `4m`, `1h`, `9d`. */
export function shortAge(milliseconds: number): string {
  if (milliseconds < MINUTE) {
    return 'now';
  }
  if (milliseconds < HOUR) {
    return `${Math.floor(milliseconds / MINUTE)}m`;
  }
  return milliseconds < DAY ? `${Math.floor(milliseconds / HOUR)}h` : `${Math.floor(milliseconds / DAY)}d`;
}

/** The same as a sentence's end: `4 minutes ago`. */
export function longAge(milliseconds: number): string {
  if (milliseconds < MINUTE) {
    return 'just now';
  }
  const [count, unit] =
    milliseconds < HOUR
      ? [Math.floor(milliseconds / MINUTE), 'minute']
      : milliseconds < DAY
        ? [Math.floor(milliseconds / HOUR), 'hour']
        : [Math.floor(milliseconds / DAY), 'day'];
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`;
}

/** How long something took: `0.2s`, `41s`, `12m 40s`, `1h 22m`. */
export function durationWords(milliseconds: number): string {
  if (milliseconds < 10 * SECOND) {
    return `${(milliseconds / SECOND).toFixed(1)}s`;
  }
  const seconds = Math.round(milliseconds / SECOND);
  if (seconds < 60) {
    return `${seconds}s`;
  }
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes}m ${String(seconds % 60).padStart(2, '0')}s`
    : `${Math.floor(minutes / 60)}h ${String(minutes % 60).padStart(2, '0')}m`;
}
