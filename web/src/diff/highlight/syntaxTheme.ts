import type { ThemeRegistrationRaw } from 'shiki/core';

import { SYNTAX_ROLES, type SyntaxRole } from '../codeSpans';

const SCOPES: Readonly<Record<SyntaxRole, readonly string[]>> = {
  comment: ['comment', 'punctuation.definition.comment'],
  string: ['string', 'constant.character', 'punctuation.definition.string', 'markup.inline.raw', 'markup.fenced_code'],
  number: ['constant.numeric', 'constant.language', 'constant.other', 'keyword.other.unit', 'support.constant'],
  keyword: [
    'keyword',
    'storage',
    'variable.language',
    'markup.heading',
    'entity.name.tag',
    'keyword.control',
    'punctuation.definition.heading',
  ],
  type: [
    'entity.name.type',
    'entity.name.class',
    'entity.name.namespace',
    'entity.other.inherited-class',
    'support.type',
    'support.class',
    'entity.other.attribute-name',
    'entity.name.module',
    'variable.other.property.key',
    'support.type.property-name',
  ],
  function: ['entity.name.function', 'support.function', 'meta.function-call entity.name.function', 'markup.underline'],
};

/** Scopes that a grammar files under a coloured one, although they are plain text. */
const PLAIN = ['keyword.operator', 'storage.modifier.reference', 'punctuation', 'meta.brace', 'string variable'];

const PLAIN_COLOUR = '#0000FF';

/** The page gives the colours, so each role has a number in place of one. */
function colourOf(role: SyntaxRole): string {
  return `#00000${SYNTAX_ROLES.indexOf(role) + 1}`;
}

/** The role that a colour of this theme stands for. */
export function roleOf(colour: string | undefined): SyntaxRole | null {
  return SYNTAX_ROLES.find((role) => colourOf(role) === colour?.slice(0, 7)) ?? null;
}

/** A theme whose colours are roles. */
export const SYNTAX_THEME: ThemeRegistrationRaw = {
  name: 'roles',
  type: 'light',
  fg: PLAIN_COLOUR,
  bg: '#FFFFFF',
  settings: [
    { settings: { foreground: PLAIN_COLOUR, background: '#FFFFFF' } },
    ...SYNTAX_ROLES.map((role) => ({ scope: [...SCOPES[role]], settings: { foreground: colourOf(role) } })),
    { scope: PLAIN, settings: { foreground: PLAIN_COLOUR } },
  ],
};
