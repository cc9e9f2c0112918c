// What the demonstration asks of a program that gives no answer for a while: it says so, once, and asks
// again. A program that has ended is told by its exit.
import { ApiError, NotRunning } from '../../common/terminal/api.ts';

export class Patience {
  readonly #name: string;
  readonly #say: (text: string) => void;
  #away = false;

  constructor(name: string, say: (text: string) => void) {
    this.#name = name;
    this.#say = say;
  }

  /** @returns null where there was no answer @throws what is no want of an answer */
  async ask<T>(question: () => Promise<T>): Promise<T | null> {
    try {
      const answer = await question();
      if (this.#away) this.#say(`${this.#name} answers again 已恢复应答`);
      this.#away = false;
      return answer;
    } catch (error) {
      if (!(error instanceof NotRunning) && !(error instanceof ApiError && error.status >= 500)) throw error;
      if (!this.#away)
        this.#say(`${this.#name} does not answer, and is asked again 没有应答，将继续询问: ${error.message}`);
      this.#away = true;
      return null;
    }
  }
}
