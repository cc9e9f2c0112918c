import * as z from 'zod/mini';
import { described } from '../../http/described.ts';
import { endKinds } from './record.ts';

/** Ends of the program that nobody had asked for, of the last `days`. */
export const unplannedEndsView = z
  .object({
    days: z.int(),
    count: z.int(),
    /** Of these, the times that it hung. */
    hangs: z.int(),
    lastAt: z.nullable(z.string()),
    lastKind: z.nullable(z.enum(endKinds)),
  })
  .register(described, { id: 'UnplannedEnds' });
export type UnplannedEndsView = z.infer<typeof unplannedEndsView>;
