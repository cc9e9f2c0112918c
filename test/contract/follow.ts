/**
 * Reads page after page while `writes` go on, as a consumer does, until a page
 * that was asked for after the last write comes back short.
 * @param read at most `limit` rows after the last one seen
 */
export async function follow<T>(
  writes: Promise<unknown>,
  limit: number,
  read: (last: T | undefined) => Promise<T[]>,
): Promise<T[]> {
  let open = true;
  const done = writes.finally(() => {
    open = false;
  });
  const seen: T[] = [];
  for (let asked = true; asked;) {
    asked = open;
    const page = await read(seen.at(-1));
    seen.push(...page);
    asked ||= page.length === limit;
    // A store may answer without I/O; the writers must get their turn.
    await new Promise(setImmediate);
  }
  await done;
  return seen;
}
