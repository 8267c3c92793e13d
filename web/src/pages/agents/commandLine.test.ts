import { describe, expect, it } from 'vitest';

import { joinCommand, splitCommand } from './commandLine';

const argv = (text: string) => splitCommand(text);

describe('E-1 the command of a shell agent', () => {
  it('is split into words', () => {
    expect(argv(' my-agent --fast  run ')).toEqual({ problem: null, argv: ['my-agent', '--fast', 'run'] });
  });

  it('keeps what is quoted or escaped together', () => {
    expect(argv(`sh -c 'echo "$HOME"' "a \\"b\\"" c\\ d ''`)).toEqual({
      problem: null,
      argv: ['sh', '-c', 'echo "$HOME"', 'a "b"', 'c d', ''],
    });
  });

  it('is refused when it is unfinished or empty', () => {
    for (const text of ['', '   ', "sh -c 'echo", 'sh "', 'sh \\', "'' x"]) {
      expect(argv(text).problem, text).not.toBeNull();
    }
  });

  it('is shown so that it reads back the same', () => {
    const words = ['sh', '-c', `it's "here" $x \\`, '', 'a=b'];
    expect(argv(joinCommand(words))).toEqual({ problem: null, argv: words });
  });
});
