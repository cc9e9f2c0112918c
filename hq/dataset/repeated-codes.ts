// Projects that share a code: the open interface knows projects by it.
import { alarmText } from '../../common/core/alarm/alarm-text.ts';
import type { AlarmPort } from '../../common/core/alarm/port.ts';
import { hubMessages } from '../hub-messages.ts';
import type { PullPort, RepeatedCode } from './port.ts';

/** Codes that the alarm names. */
const NAMED_CODES = 10;

function named(repeated: readonly RepeatedCode[]): string {
  const codes = repeated
    .slice(0, NAMED_CODES)
    .map(({ code, projects }) => `${code} (${projects.join(', ')})`)
    .join('; ');
  return repeated.length > NAMED_CODES ? `${codes}; …` : codes;
}

/** Tells of codes that several live projects of a tenant have, or that there are none any more. */
export async function tellRepeatedCodes(
  { port, alarms, self }: { port: PullPort; alarms: AlarmPort; self: string },
  tenantCode: string,
  now: number,
): Promise<void> {
  const repeated = await port.repeatedCodes(tenantCode, NAMED_CODES + 1);
  const key = `project_codes_repeated:${tenantCode}`;
  if (repeated.length === 0) {
    await alarms.clear(key, null, now);
    return;
  }
  const params = { tenant: tenantCode, codes: named(repeated) };
  await alarms.raise(
    {
      key,
      instance: self,
      tenantCode,
      shared: true,
      severity: 'warning',
      ...alarmText(hubMessages, { code: 'project_codes_repeated', params }),
    },
    now,
  );
}
