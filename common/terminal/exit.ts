/**
 * Exit codes of every command of both programs. A command that was cut short by a signal ends with 128 and
 * its number, as a shell has it.
 */
export const EXIT = {
  /** Done; of `status` and `check`: all is well. */
  well: 0,
  /** Done, and a person should look at it: a warning, or a part that was refused. */
  look: 1,
  /** Not done, or not well: the program does not run, it refused, or the command line is wrong. */
  bad: 2,
} as const;
