/** Keeps the order of what is shown already and appends what is new, so that no row moves under the pointer. */
export function stableOrder<Item>(
  shown: readonly string[],
  items: readonly Item[],
  idOf: (item: Item) => string,
): Item[] {
  const place = new Map(shown.map((id, index) => [id, index]));
  return items.toSorted(
    (one, other) => (place.get(idOf(one)) ?? shown.length) - (place.get(idOf(other)) ?? shown.length),
  );
}
