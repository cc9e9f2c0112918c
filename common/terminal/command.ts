import { parseArgs, type ParseArgsConfig } from 'node:util';

/** A command line that cannot be carried out as it was typed; exit code 2. */
export class UsageError extends Error {
  readonly forPeople = true;
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

export interface Terminal {
  out(text: string): void;
}

export const standardTerminal: Terminal = {
  out: (text) => void process.stdout.write(text),
};

type Options = NonNullable<ParseArgsConfig['options']>;

/**
 * Reads options and positionals of a command. @throws UsageError for an unknown option or a value that is
 * missing
 */
export function readArguments<O extends Options>(
  argv: string[],
  options: O,
  positionals: { min: number; max: number; usage: string },
) {
  try {
    const parsed = parseArgs({ args: argv, options, allowPositionals: true, strict: true });
    if (parsed.positionals.length < positionals.min || parsed.positionals.length > positionals.max)
      throw new UsageError(`usage: ${positionals.usage}`);
    return parsed;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${(error as Error).message}\nusage: ${positionals.usage}`);
  }
}
