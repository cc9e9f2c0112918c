import * as z from 'zod/mini';
import { described } from '../../http/described.ts';
import { endKinds } from './record.ts';

/** Times in which the program did not run for five seconds or longer, and then went on by itself. */
export const stallsView = z
  .object({
    count: z.int(),
    longestSeconds: z.int(),
    /** When it ran again. */
    lastAt: z.nullable(z.string()),
    lastSeconds: z.nullable(z.int()),
  })
  .register(described, { id: 'Stalls' });
export type StallsView = z.infer<typeof stallsView>;

/** Ends of the program that nobody had asked for, of the last `days`. */
export const unplannedEndsView = z
  .object({
    days: z.int(),
    count: z.int(),
    /** Of these, the times that it hung. */
    hangs: z.int(),
    lastAt: z.nullable(z.string()),
    lastKind: z.nullable(z.enum(endKinds)),
    stalls: stallsView,
  })
  .register(described, { id: 'UnplannedEnds' });
export type UnplannedEndsView = z.infer<typeof unplannedEndsView>;

/** The last backup that was made of the program. */
export const lastBackup = z
  .object({
    /** RFC 3339. */
    at: z.string().check(z.maxLength(40)),
    bytes: z.int().check(z.minimum(0)),
    /** null: damage kept them from being counted. */
    events: z.nullable(z.int().check(z.minimum(0))),
    /** Whether what was written was looked through afterwards, and was whole. */
    verified: z.boolean(),
  })
  .register(described, { id: 'LastBackup' });
export type LastBackup = z.infer<typeof lastBackup>;
