import { FILTER_MEANINGS } from '../task/meanings';

export type FilterMeaning = (typeof FILTER_MEANINGS)[number];

/** The board's filters, all of them in its address. */
export interface BoardSearch {
  /** Words in title, description or key. */
  text?: string;
  label?: string;
  /** The id of an agent. */
  agent?: string;
  meaning?: FilterMeaning;
  view?: 'list';
  /** The phase that a phone shows. */
  phase?: string;
}

/** Reads the filters of an address; what is malformed is left out. */
export function readBoardSearch(search: Partial<Record<keyof BoardSearch, unknown>>): BoardSearch {
  const meaning = FILTER_MEANINGS.find((known) => known === search.meaning);
  return {
    ...textOf(search, 'text'),
    ...textOf(search, 'label'),
    ...textOf(search, 'agent'),
    ...textOf(search, 'phase'),
    ...(meaning === undefined ? {} : { meaning }),
    ...(search.view === 'list' ? { view: 'list' as const } : {}),
  };
}

function textOf<Name extends 'text' | 'label' | 'agent' | 'phase'>(
  search: Partial<Record<Name, unknown>>,
  name: Name,
): Partial<Record<Name, string>> {
  const value = search[name];
  // A number in the address was a text to the person who wrote it.
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text !== '' ? ({ [name]: text } as Partial<Record<Name, string>>) : {};
}
