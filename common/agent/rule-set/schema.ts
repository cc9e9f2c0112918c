import * as z from 'zod/mini';
import { described } from '../../http/described.ts';

/** A rule that an earlier one leaves nothing to. */
export const shadowedView = z
  .object({
    tenantCode: z.string(),
    name: z.string(),
    version: z.int(),
    by: z.object({ name: z.string(), version: z.int() }),
  })
  .register(described, { id: 'ShadowedRule' });

export const thresholdView = z
  .object({
    name: z.string(),
    value: z.number(),
    standard: z.number(),
    minimum: z.number(),
    maximum: z.number(),
    whole: z.boolean(),
    unit: z.nullable(z.enum(['s'])),
    registered: z.boolean(),
  })
  .register(described, { id: 'Threshold' });
