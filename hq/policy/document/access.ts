// What the routes of policy files have in common: who may call, and whose clearance applies.
import * as z from 'zod/mini';
import { HIGHEST_RANK } from '../../../common/policy/level.ts';
import type { Viewer } from '../origin.ts';

export const ACCESS = ['admin', 'session'] as const;
export const TAG = 'Policy library';
export const docParams = z.strictObject({ doc_id: z.coerce.number().check(z.int(), z.minimum(1)) });
export const WHOSE =
  'Say whose clearance applies: the header `x-core-subject` with the account that asks (UTF-8, ' +
  'percent-encoded where needed), or `all_levels=1` from the service channel or ' +
  'the console, which is audited each time. In a portal session it is always the own account. What ' +
  'lies above the clearance is answered as what does not exist.';
export const readErrors = {
  400: 'validation_failed, subject_required',
  403: 'tenant_not_allowed, subject_mismatch',
};
export const manageErrors = { 403: 'tenant_not_allowed', 404: 'not_found' };

/** Management sees every file of the tenant. */
export const management = (tenantCode: string): Viewer => ({
  tenantCode,
  subject: null,
  maxRank: HIGHEST_RANK,
});
