import type { EvidenceLimits } from '../../common/core/evidence/port.ts';

/** Room for evidence, of so many bytes. */
export const room = (total: number, more: Partial<EvidenceLimits> = {}): EvidenceLimits => ({
  total,
  tenantPercent: 0,
  sitePercent: 50,
  ...more,
});
