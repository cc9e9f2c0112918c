/** Runs `work` for 0 to `count` - 1, so many at once. */
export async function inTurn(
  count: number,
  work: (index: number) => Promise<void>,
  atOnce = 64,
): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < count) {
        next += 1;
        await work(next - 1);
      }
    }),
  );
}
