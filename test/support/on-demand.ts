// What many test files use and takes long to make: one for the whole run, made by the main process when the
// first file asks for it (served.ts).

declare module 'vitest' {
  interface ProvidedContext {
    onDemandUrl: string;
  }
}

/** In a test. @throws with what the maker said when it could not be started */
export async function onDemand<T>(name: string): Promise<T> {
  const { inject } = await import('vitest');
  const answer = await fetch(`${inject('onDemandUrl')}/${name}`);
  if (!answer.ok) throw new Error(await answer.text());
  return ((await answer.json()) as { value: T }).value;
}
