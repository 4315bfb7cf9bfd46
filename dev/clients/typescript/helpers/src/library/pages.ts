/** A page answered the position that it was asked for: reading on would never end. */
export class RepeatedCursorError extends Error {
  constructor(position: unknown) {
    super(`a page answered the position that it was asked for, ${String(position)}`);
    this.name = "RepeatedCursorError";
  }
}

/**
 * The items of a list with cursors, each page asked for when its first item is wanted. An empty page is not the end.
 *
 * @param call is given undefined, and then each `nextCursor`
 * @throws RepeatedCursorError when a page answers the cursor that it was asked with
 */
export async function* items<P extends { nextCursor?: string | null }, T>(
  call: (cursor: string | undefined) => Promise<P>, itemsOf: (page: P) => Iterable<T>,
): AsyncGenerator<T, void, undefined> {
  for (let cursor: string | undefined; ;) {
    const page = await call(cursor);
    const next = page.nextCursor ?? undefined;
    if (next !== undefined && next === cursor) throw new RepeatedCursorError(cursor);
    yield* itemsOf(page);
    if (next === undefined) return;
    cursor = next;
  }
}

/**
 * The items of a list that is asked for what comes after an item, such as the entries of a docket. An empty page is the end.
 *
 * @param call is given undefined, and then the key of each page's last item
 * @throws RepeatedCursorError when a page ends with the key that it was asked for
 */
export async function* itemsAfter<T, K>(call: (after: K | undefined) => Promise<readonly T[]>, key: (item: T) => K): AsyncGenerator<T, void, undefined> {
  for (let after: K | undefined; ;) {
    const page = await call(after);
    const last = page[page.length - 1];
    if (last === undefined) return;
    const next = key(last);
    if (next === after) throw new RepeatedCursorError(after);
    yield* page;
    after = next;
  }
}
