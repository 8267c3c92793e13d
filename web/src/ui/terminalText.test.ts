import { describe, expect, it } from 'vitest';

import { colourText, plainText } from './terminalText';

describe('terminal output', () => {
  it('loses titles, links and cursor movement', () => {
    const hostile = '\u001b]0;title\u0007a\u001b[2Jb\u001b]8;;http://x\u001b\\c\u0000d';
    expect(plainText(hostile)).toBe('abcd');
    expect(colourText(hostile)).toBe('abcd');
  });

  it('keeps colours only where they are wanted', () => {
    expect(plainText('\u001b[31mred\u001b[0m')).toBe('red');
    expect(colourText('\u001b[31mred\u001b[0m')).toBe('\u001b[31mred\u001b[0m');
  });

  it('shows what a progress line said last', () => {
    expect(plainText('10%\r50%\r100%\ndone\r\n')).toBe('100%\ndone\n');
  });
});
