import type { LogPage } from '../../api/types';

/** What was read of a log. */
export interface Log {
  text: string;
  /** The byte to go on from. */
  next: number;
  /** Nothing more will come. */
  ended: boolean;
  /** The beginning was dropped to keep the page quick. */
  cut: boolean;
}

export const unread: Log = { text: '', next: 0, ended: false, cut: false };

const MOST_CHARACTERS = 500_000;

/** The log with one more part. A part that does not follow on, as when two readers raced, changes nothing. */
export function appendPage(log: Log, page: LogPage): Log {
  if (page.from !== log.next) {
    return log;
  }
  const text = log.text + page.text;
  const over = text.length > MOST_CHARACTERS;
  return {
    text: over ? text.slice(-MOST_CHARACTERS) : text,
    next: page.next,
    ended: page.end,
    cut: log.cut || over,
  };
}

// A terminal's control sequences: CSI (colours, cursor), OSC (titles, links) and two-letter escapes.
const CONTROL_SEQUENCES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;

/** The text without a terminal's control sequences; of a line written over with `\r`, what was last visible. */
export function plainText(text: string): string {
  return text
    .replaceAll(CONTROL_SEQUENCES, '')
    .replaceAll('\r\n', '\n')
    .replaceAll(/[^\n]*\r(?=[^\n])/g, '');
}
