import { describe, expect, it } from 'vitest';

import { appendPage, plainText, unread } from './log';

const page = (from: number, text: string, end = false) => ({ from, text, next: from + text.length, end });

describe('the log', () => {
  it('grows by the parts that follow on', () => {
    const log = appendPage(appendPage(unread, page(0, 'one\n')), page(4, 'two\n', true));
    expect(log).toEqual({ text: 'one\ntwo\n', next: 8, ended: true, cut: false });
  });

  it('takes no part twice', () => {
    const log = appendPage(unread, page(0, 'one\n'));
    expect(appendPage(log, page(0, 'one\n'))).toBe(log);
  });

  it('E-4 keeps the end of a log that is too long, and says so', () => {
    const log = appendPage(appendPage(unread, page(0, 'a'.repeat(400_000))), page(400_000, 'b'.repeat(400_000)));
    expect(log.text).toHaveLength(500_000);
    expect(log.text.endsWith('b')).toBe(true);
    expect(log).toMatchObject({ cut: true, next: 800_000 });
  });

  it("shows no terminal's control sequences", () => {
    expect(plainText('\u001b[1;32mok\u001b[0m \u001b]0;title\u0007there')).toBe('ok there');
    expect(plainText('10 %\r50 %\r100 %\r\nend\r\n')).toBe('100 %\nend\n');
  });
});
