import { createHighlighterCore, type GrammarState, type HighlighterCore } from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';

import type { SyntaxToken } from '../codeSpans';
import type { HighlightAnswer, HighlightRequest } from './highlightMessages';
import { LANGUAGES } from './languages';
import { roleOf, SYNTAX_THEME } from './syntaxTheme';

/** The first lines of a long file get their colours before the last. */
const LINES_PER_ANSWER = 300;
/** Longer lines are generated; their colours take long and help little. */
const MAX_LINE_LENGTH = 2_000;

let highlighter: Promise<HighlighterCore> | undefined;

async function highlighterFor(language: HighlightRequest['language']): Promise<HighlighterCore> {
  // Patterns that JavaScript cannot express are left out; the rest of the grammar still gives colours.
  highlighter ??= createHighlighterCore({
    themes: [SYNTAX_THEME],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
  const ready = await highlighter;
  if (!ready.getLoadedLanguages().includes(language)) {
    await ready.loadLanguage((await LANGUAGES[language]()).default);
  }
  return ready;
}

async function highlight({ id, language, lines }: HighlightRequest): Promise<void> {
  const ready = await highlighterFor(language);
  let grammarState: GrammarState | undefined;
  for (let from = 0; from < lines.length; from += LINES_PER_ANSWER) {
    const part = lines.slice(from, from + LINES_PER_ANSWER);
    const tokens = ready.codeToTokensBase(part.join('\n'), {
      lang: language,
      theme: 'roles',
      tokenizeMaxLineLength: MAX_LINE_LENGTH,
      ...(grammarState === undefined ? {} : { grammarState }),
    });
    grammarState = ready.getLastGrammarState(tokens);
    const answer: HighlightAnswer = { id, from, lines: tokens.map(lineTokens) };
    self.postMessage(answer);
  }
}

function lineTokens(line: readonly { content: string; color?: string | undefined }[]): SyntaxToken[] {
  const tokens: SyntaxToken[] = [];
  let at = 0;
  for (const { content, color } of line) {
    const role = roleOf(color);
    if (role !== null) {
      tokens.push([at, at + content.length, role]);
    }
    at += content.length;
  }
  return tokens;
}

self.addEventListener('message', ({ data }: MessageEvent<HighlightRequest>) => {
  highlight(data).catch(() => {
    // The text stays readable without colours.
  });
});
