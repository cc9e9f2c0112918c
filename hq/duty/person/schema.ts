import * as z from 'zod/mini';
import { isMailAddress } from '../../../common/agent/channel/decide.ts';
import { upTo } from '../../../common/characters.ts';
import { code, severities, tenantCode } from '../../../common/core/event/schema.ts';
import { described } from '../../../common/http/described.ts';
import { saying } from '../duty-fault-messages.ts';
import { timeOfDay, zoneName } from '../rota/schema.ts';
import { callTimes, callWays } from './record.ts';

const quiet = z
  .strictObject({
    begin: timeOfDay,
    end: timeOfDay,
    zone: zoneName,
    critical_through: z._default(z.boolean(), true),
  })
  .register(described, { id: 'CallQuiet' });

/** Body of PUT /api/core/duty/me. */
export const choiceInput = z
  .strictObject({
    when: z.enum(callTimes),
    severities: z.array(z.enum(severities)).check(z.maxLength(4)),
    alarms: z.boolean(),
    tenants: z.nullable(z.array(tenantCode).check(z.maxLength(200))),
    sites: z.nullable(z.array(code(128)).check(z.maxLength(1000))),
    quiet: z.nullable(quiet),
    language: z.enum(['en', 'zh']),
    ways: z.array(z.enum(callWays)).check(z.maxLength(2)),
    email: z.nullable(z.string().check(upTo(320), z.refine(isMailAddress, saying('duty_mail')))),
  })
  .register(described, { id: 'CallChoice' });
export type ChoiceInput = z.infer<typeof choiceInput>;

function isHttps(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return url.protocol === 'https:' && url.username === '' && url.password === '';
}

/** Bytes of the public key of a browser, and of its secret (RFC 8291). */
const POINT = 65;
const SECRET = 16;
const keyOf = (bytes: number) =>
  z.string().check(
    upTo(200),
    z.refine(
      (text) => /^[A-Za-z0-9_-]+=*$/.test(text) && Buffer.from(text, 'base64url').length === bytes,
      saying('duty_keys'),
    ),
  );

/** Body of POST /api/core/duty/devices. */
export const deviceInput = z
  .strictObject({
    endpoint: z.string().check(upTo(2048), z.refine(isHttps, saying('duty_endpoint'))),
    keys: z
      .strictObject({ p256dh: keyOf(POINT), auth: keyOf(SECRET) })
      .register(described, { id: 'PushDeviceKeys' }),
    label: z._default(z.string().check(z.maxLength(120)), ''),
  })
  .register(described, { id: 'PushDeviceInput' });
export type DeviceInput = z.infer<typeof deviceInput>;

export const deviceView = z
  .object({
    id: z.string(),
    host: z.string(),
    label: z.string(),
    createdAt: z.string(),
    lastSentAt: z.nullable(z.string()),
    lastError: z.nullable(z.string()),
    /** By which a browser finds its own: SHA-256 of its address, in lowercase hex. */
    endpointHash: z.string(),
  })
  .register(described, { id: 'PushDevice' });

const quietView = z
  .object({ zone: z.string(), begin: z.string(), end: z.string(), criticalThrough: z.boolean() })
  .register(described, { id: 'CallQuietHours' });

export const meView = z
  .object({
    choice: z.object({
      when: z.enum(callTimes),
      severities: z.array(z.enum(severities)),
      alarms: z.boolean(),
      tenants: z.nullable(z.array(z.string())),
      sites: z.nullable(z.array(z.string())),
      quiet: z.nullable(quietView),
      language: z.enum(['en', 'zh']),
      ways: z.array(z.enum(callWays)),
      email: z.nullable(z.string()),
    }),
    devices: z.array(deviceView),
    /** The key that a browser subscribes to, base64url. */
    pushKey: z.string(),
    /** Whether e-mail can be sent at all. */
    mail: z.boolean(),
    /** Rotas that name the person, and whether they are on duty by one now. */
    onDuty: z.boolean(),
    rotas: z.array(z.string()),
  })
  .register(described, { id: 'MyCalls' });

export const pushTryView = z
  .object({
    taken: z.boolean(),
    status: z.nullable(z.int()),
    error: z.nullable(z.string()),
    errorZh: z.nullable(z.string()),
  })
  .register(described, { id: 'PushTry' });
