import * as z from 'zod/mini';
import { upTo } from '../../../common/characters.ts';
import { code, severities, tenantCode } from '../../../common/core/event/schema.ts';
import { siteGroup } from '../../../common/core/instance/schema.ts';
import { userName } from '../../../common/core/session/schema.ts';
import { described } from '../../../common/http/described.ts';
import { isZone } from '../../../common/time.ts';
import { saying } from '../duty-fault-messages.ts';

const isMonday = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).getUTCDay() === 1;

export const timeOfDay = z.string().check(z.regex(/^([01][0-9]|2[0-3]):[0-5][0-9]$/, saying('duty_time')));
export const zoneName = z.string().check(upTo(64), z.refine(isZone, saying('duty_zone')));
const moment = z
  .string()
  .check(
    z.regex(/^20[0-9]{2}-(0[1-9]|1[0-2])-[0-3][0-9]T([01][0-9]|2[0-3]):[0-5][0-9]$/, saying('duty_moment')),
  );
const person = z.nullable(userName);

const shift = z
  .strictObject({
    days: z.array(z.int().check(z.minimum(1), z.maximum(7))).check(z.minLength(1), z.maxLength(7)),
    begin: timeOfDay,
    end: timeOfDay,
    people: z.array(userName).check(z.minLength(1), z.maxLength(20)),
    weekly: z._default(z.boolean(), false),
  })
  .register(described, { id: 'RotaShift' });
const exception = z
  .strictObject({ from: moment, to: moment, away: person, instead: person })
  .register(described, { id: 'RotaException' });

/** Body of POST and PUT. */
export const rotaInput = z
  .strictObject({
    tenant_code: z.nullable(tenantCode),
    name: code(64),
    sites: z._default(z.nullable(z.array(code(128)).check(z.minLength(1), z.maxLength(1000))), null),
    site_groups: z._default(z.array(siteGroup).check(z.maxLength(100)), []),
    from: z._default(z.enum(severities), 'high'),
    alarms: z._default(z.enum(['none', 'critical', 'warning']), 'critical'),
    zone: zoneName,
    first_week: z.string().check(z.refine(isMonday, saying('duty_monday'))),
    shifts: z.array(shift).check(z.maxLength(50)),
    exceptions: z._default(z.array(exception).check(z.maxLength(200)), []),
    next_after_minutes: z._default(z.int().check(z.minimum(1), z.maximum(240)), 5),
    enabled: z._default(z.boolean(), true),
  })
  .register(described, { id: 'RotaInput' });
export type RotaInput = z.infer<typeof rotaInput>;

export const spanView = z
  .object({ from: z.string(), to: z.string(), people: z.array(z.string()) })
  .register(described, { id: 'RotaSpan' });

export const rotaView = z
  .object({
    id: z.string(),
    tenantCode: z.nullable(z.string()),
    name: z.string(),
    sites: z.nullable(z.array(z.string())),
    siteGroups: z.array(z.string()),
    from: z.enum(severities),
    alarms: z.enum(['none', 'critical', 'warning']),
    zone: z.string(),
    firstWeek: z.string(),
    shifts: z.array(
      z.object({
        days: z.array(z.int()),
        begin: z.string(),
        end: z.string(),
        people: z.array(z.string()),
        weekly: z.boolean(),
      }),
    ),
    exceptions: z.array(
      z.object({
        from: z.string(),
        to: z.string(),
        away: z.nullable(z.string()),
        instead: z.nullable(z.string()),
      }),
    ),
    nextAfterMinutes: z.int(),
    enabled: z.boolean(),
    createdAt: z.string(),
    updatedAt: z.string(),
    /** Who is called now, in order; nobody: a gap. */
    onDuty: z.array(z.string()),
    /** Where nobody is on duty within the next two weeks. */
    gaps: z.array(spanView),
  })
  .register(described, { id: 'Rota' });
