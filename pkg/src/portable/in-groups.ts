// Reads many items with some overlap: one after the other is slow, and all at once blocks the page.

/** The most calls at a time. */
const AT_ONCE = 16;

/** Makes a call for each item, several at a time, and yields the answers in the order of the items. */
export async function* inGroups<T, A>(
  items: readonly T[],
  call: (item: T) => Promise<A>,
): AsyncGenerator<A, void, undefined> {
  for (let from = 0; from < items.length; from += AT_ONCE) {
    yield* await Promise.all(items.slice(from, from + AT_ONCE).map(call));
  }
}
