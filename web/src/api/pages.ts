interface Page<T> {
  items: T[];
  next_cursor: string | null;
}

/** The whole of a list that is short by nature, page by page. The board, which can be long, asks for pages itself. */
export async function everyItem<T>(fetchPage: (query: { cursor?: string }) => Promise<Page<T>>): Promise<T[]> {
  const items: T[] = [];
  const asked = new Set<string | null>();
  let cursor: string | null = null;
  // A cursor that comes back would mean the same pages for ever.
  while (!asked.has(cursor)) {
    asked.add(cursor);
    const page: Page<T> = await fetchPage(cursor === null ? {} : { cursor });
    items.push(...page.items);
    cursor = page.next_cursor;
    if (cursor === null) {
      break;
    }
  }
  return items;
}
