import { expect, test } from 'vitest';

import type { LogEvent } from '../../../api/types';
import { LogReader, type ReadLog } from './logReader';

const log = (count: number): LogEvent[] =>
  Array.from({ length: count }, (_, index) => ({ seq: index + 1, kind: 'assistant', text: `Text ${index + 1}` }));

/** A server whose log has ended. */
const serverWith =
  (all: readonly LogEvent[]): ReadLog =>
  async ({ after = 0, limit = 100, tail }) => {
    const events = tail === undefined ? all.slice(after, after + limit) : all.slice(-tail);
    const next = events.at(-1)?.seq ?? after;
    return { events, next, end: next === all.length };
  };

const until = async (isReached: () => boolean) => {
  while (!isReached()) {
    await new Promise((resolve) => setTimeout(resolve));
  }
};

test('a log is read from its end, and its beginning on request', async () => {
  const reader = new LogReader(serverWith(log(2_500)), () => {});
  reader.start();
  await until(() => reader.reading.hasEnded);
  expect(reader.reading).toMatchObject({ earlier: 1_500, hasStarted: true });
  expect(reader.reading.entries).toHaveLength(1_000);

  await reader.loadEarlier();
  expect(reader.reading.earlier).toBe(500);
  expect(reader.reading.entries[0]).toMatchObject({ seq: 501 });

  await reader.loadEarlier(true);
  expect(reader.reading.earlier).toBe(0);
  expect(reader.reading.entries).toHaveLength(2_500);
  reader.stop();
});

test('a failure is shown and what was read stays', async () => {
  let isDown = false;
  const read: ReadLog = async (range, signal) => {
    if (isDown) {
      throw new Error('The server does not answer.');
    }
    return serverWith(log(1_200))(range, signal);
  };
  const reader = new LogReader(read, () => {});
  reader.start();
  await until(() => reader.reading.hasEnded);
  isDown = true;
  await reader.loadEarlier();
  expect(reader.reading).toMatchObject({ earlier: 200, isLoadingEarlier: false });
  expect(reader.reading.failure?.message).toBe('The server does not answer.');
  expect(reader.reading.entries).toHaveLength(1_000);
  reader.stop();
});
