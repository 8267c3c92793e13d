const MINUTE = 60;

/** Seconds of the wire as minutes in a form; empty without a limit. */
export function minutesText(seconds: number | null | undefined): string {
  return seconds === null || seconds === undefined ? '' : String(Number((seconds / MINUTE).toFixed(2)));
}

/** The seconds that a form means; null without a limit, undefined if the text is no number of minutes. */
export function readMinutes(text: string): number | null | undefined {
  const written = text.trim();
  if (written === '') {
    return null;
  }
  const minutes = /^\d{1,6}(\.\d{1,2})?$/.test(written) ? Number(written) : 0;
  return minutes > 0 ? Math.round(minutes * MINUTE) : undefined;
}

/** A whole number from 1 to `most`; null if left empty, undefined if the text is no such number. */
export function readWhole(text: string, most = 99_999): number | null | undefined {
  const written = text.trim();
  if (written === '') {
    return null;
  }
  const value = /^[1-9]\d{0,5}$/.test(written) ? Number(written) : 0;
  return value > 0 && value <= most ? value : undefined;
}
