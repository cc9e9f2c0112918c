import { createInterface, type Interface } from 'node:readline';
import { UsageError } from '../../common/terminal/command.ts';

/** Asks at a terminal. What is typed or pasted before its question is asked waits for it. */
export class Dialog {
  #lines: string[] = [];
  #closed = false;
  #wake: () => void = () => undefined;
  #readline: Interface;
  #left: string;

  /** @param left said when the person leaves before an answer */
  constructor(input: NodeJS.ReadableStream, output: NodeJS.WritableStream, left = 'Nothing was saved.') {
    this.#left = left;
    this.#readline = createInterface({ input, output });
    this.#readline.on('line', (line) => {
      this.#lines.push(line);
      this.#wake();
    });
    this.#readline.once('close', () => {
      this.#closed = true;
      this.#wake();
    });
  }

  /** @throws UsageError when the input ends, or the person leaves, before an answer */
  async ask(question: string): Promise<string> {
    this.#readline.setPrompt(question);
    if (!this.#closed) this.#readline.prompt();
    while (this.#lines.length === 0 && !this.#closed)
      await new Promise<void>((resolve) => (this.#wake = resolve));
    const line = this.#lines.shift();
    if (line === undefined) throw new UsageError(this.#left);
    return line.trim();
  }

  close(): void {
    this.#readline.close();
  }
}
