import {ask} from '../api/call.js';
import type {Operation} from '../api/contracts.js';

const AT_ONCE = 200;
/** A page is also bounded in bytes, so it may have fewer items than were asked for. */
const PAGES_MAX = 50;

interface Paged {
  cursor?: string | null;
  limit?: number | null;
}

/** Reads a list page by page until it ends, but at most 50 pages. */
export async function readAll<Q extends Paged, A extends {nextCursor: string | null}, I>(operation: Operation<Q, A>, sent: Q, items: (page: A) => I[]): Promise<I[]> {
  const all: I[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < PAGES_MAX; pages++) {
    const page: A = await ask(operation, {...sent, limit: AT_ONCE, ...cursor === null ? {} : {cursor}});
    all.push(...items(page));
    cursor = page.nextCursor;
    if (cursor === null) {
      break;
    }
  }
  return all;
}
