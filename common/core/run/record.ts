/**
 * How a run of the program ended that nobody had stopped. `hang`: the service manager ended it since it gave
 * no sign of life, or did not stop in time; `memory`: it took too much; `failed`: by an error of its own;
 * `power`: the machine went down with it; `killed`: by anything else.
 */
export const endKinds = ['hang', 'memory', 'failed', 'power', 'killed'] as const;
export type EndKind = (typeof endKinds)[number];

export interface UnplannedEnd {
  /** Epoch milliseconds; of an end that the service manager did not see, when the program began again. */
  at: number;
  kind: EndKind;
}

/** What the folder of the data says at a start. */
export interface Found {
  /** Boot of the machine in which the last run began, which was not ended in order; null: it was. */
  unended: string | null;
  /** How the service manager saw its last end, as its SERVICE_RESULT says; null: it saw none. */
  seen: { at: number; result: string } | null;
}

/** A time in which the program did not run, though nobody had ended it. */
export interface Stall {
  /** When it ran again, epoch milliseconds. */
  at: number;
  ms: number;
  /** Whether it was computing for most of it; otherwise it was stopped, or waited for the machine. */
  busy: boolean;
}
