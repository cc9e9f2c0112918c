// How things of a site are named on the way up.
import * as z from 'zod/mini';
import { idempotencyKey, tenantCode } from '../../core/event/schema.ts';
import { clockTime, orNull } from '../item.ts';

/** An id at the site, or a number of its log. */
export const id = z.int().check(z.minimum(1));
export const count = z.int().check(z.minimum(0));

/** An event of the site: its idempotency key, null where the site keeps it no more, and its id there. */
export const eventName = z.object({ key: orNull(idempotencyKey), id });
export type EventName = z.infer<typeof eventName>;

/**
 * A task or group is named by its id at the site and the time of its making, since a site that was put back
 * gives ids a second time.
 */
export const subjectHead = { change_no: id, tenant_code: tenantCode, id, created_at: clockTime };
