import type { SyntaxToken } from '../codeSpans';
import type { Language } from './languageOf';

/** Consecutive lines of one version of a file. */
export interface HighlightRequest {
  id: number;
  language: Language;
  lines: readonly string[];
}

/** The tokens of some of these lines. */
export interface HighlightAnswer {
  id: number;
  /** The place of the first of them in the request. */
  from: number;
  lines: readonly (readonly SyntaxToken[])[];
}
