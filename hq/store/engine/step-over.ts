// Work on many rows at once that one bad row must not stop: it is found by halves and stepped over.

export interface StepOver<R> {
  /** Works on these rows in one go. Nothing of it stands where it throws. */
  work: (rows: readonly R[]) => Promise<void>;
  /** Whether a failure says something about the rows, so that fewer of them may not fail. */
  isOfRow: (error: unknown) => boolean;
  /** Notes a row that failed alone; it is not worked on. */
  over: (row: R, error: unknown) => Promise<void>;
}

/**
 * Works on all rows, in their order. Where that fails, each half is worked on by itself, down to the row that
 * is the cause.
 * @throws what concerns no single row, as the loss of a database
 */
export async function steppingOver<R>(rows: readonly R[], how: StepOver<R>): Promise<void> {
  if (rows.length === 0) return;
  try {
    await how.work(rows);
    return;
  } catch (error) {
    if (!how.isOfRow(error)) throw error;
    const [only] = rows;
    if (rows.length === 1) return how.over(only as R, error);
  }
  const half = Math.ceil(rows.length / 2);
  await steppingOver(rows.slice(0, half), how);
  await steppingOver(rows.slice(half), how);
}
