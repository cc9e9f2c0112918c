import * as z from 'zod/mini';
import { code, tenantCode } from '../../common/core/event/schema.ts';
import { described } from '../../common/http/described.ts';
import { MAX_PICTURE, MOST_PINS, pictureTypes } from './record.ts';

const name = z.string().check(z.trim(), z.minLength(1), z.maxLength(128));
const share = z.number().check(z.minimum(0), z.maximum(1));
/** Base64 of the greatest picture. */
const base64 = z.string().check(z.minLength(1), z.maxLength(Math.ceil(MAX_PICTURE / 3) * 4));

const pin = z
  .strictObject({
    camera_ref: z.string().check(z.minLength(1), z.maxLength(128)),
    name: z.optional(z.nullable(name)),
    x: share,
    y: share,
  })
  .register(described, { id: 'PlanPinInput' });
const pins = z.array(pin).check(z.maxLength(MOST_PINS));

export const planInput = z
  .strictObject({
    tenant_code: tenantCode,
    instance: code(128),
    name,
    picture: base64,
    pins: z._default(pins, []),
  })
  .register(described, { id: 'PlanInput' });
export type PlanInput = z.infer<typeof planInput>;

/** Without a picture the one that is there stays. */
export const planChange = z
  .strictObject({ name, picture: z.optional(base64), pins })
  .register(described, { id: 'PlanChange' });
export type PlanChange = z.infer<typeof planChange>;

const shown = {
  id: z.string(),
  tenantCode: z.string(),
  instance: z.string(),
  name: z.string(),
  picture: z.object({ contentType: z.enum(pictureTypes), size: z.int(), sha256: z.string() }),
};

export const planLine = z
  .object({ ...shown, cameras: z.int(), updatedAt: z.string() })
  .register(described, { id: 'PlanLine' });

export const planView = z
  .object({
    ...shown,
    pins: z.array(
      z.object({ cameraRef: z.string(), name: z.nullable(z.string()), x: z.number(), y: z.number() }),
    ),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .register(described, { id: 'Plan' });
