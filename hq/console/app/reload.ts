/** Whether the hub answers with the page that starts the console. */
export async function hubAnswers(): Promise<boolean> {
  try {
    const answer = await fetch('/', { headers: { Accept: 'text/html' }, cache: 'no-store' });
    return answer.ok;
  } catch {
    return false; // it is away
  }
}

/** For a person's own decision alone: a page that is loaded anew while the hub is away is lost. */
export const reload = (): void => location.reload();
