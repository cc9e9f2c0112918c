/** Lets one piece of work run at a time, in the order of asking. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work, work);
    this.#last = turn.catch(ignoreHere);
    return turn;
  }
}

/** The failure of a turn reaches whoever asked for it; the next turn does not depend on it. */
function ignoreHere(): void {
  return undefined;
}
