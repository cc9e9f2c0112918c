/**
 * How notifications of a site travel that headquarters is to deliver by its channels (DESIGN.md, "Beside the
 * two channels"), shared by sender and receiver. One call hands messages up and asks what has become of
 * earlier ones. It is idempotent by the name of the site and the id of the message: what headquarters says
 * of a message is durable there before the answer leaves.
 */
import * as z from 'zod/mini';
import { idempotencyKey, severities, tenantCode } from '../core/event/schema.ts';
import { notificationKinds } from '../core/notification/record.ts';
import { described } from '../http/described.ts';
import type { Fault } from '../http/fault/fault.ts';
import { clockTime, itemReader, line, readEach } from './item.ts';

/** Messages of one call at most, and ids that are asked for. */
export const MAX_HANDED = 50;
export const MAX_ASKED = 200;
/** Characters of a message; a sender cuts a longer one. */
export const MAX_MESSAGE = 4_000;

const id = z.string().check(z.minLength(1), z.maxLength(64));

export const handedNotification = z
  .object({
    id,
    tenant_code: tenantCode,
    /** Idempotency key of the event that it is about. */
    event_key: z.nullable(idempotencyKey),
    kind: z.enum(notificationKinds),
    channel: z.enum(['chat', 'sms']),
    rule_name: z.nullable(line(256)),
    severity: z.enum(severities),
    message: z.string().check(z.maxLength(MAX_MESSAGE)),
    is_test: z.boolean(),
    /** Epoch ms. */
    created_at: clockTime,
  })
  .register(described, { id: 'HandedNotification' });
export type HandedNotification = z.infer<typeof handedNotification>;

const readHanded = itemReader(handedNotification);
const namedMessage = z.object({ id });

/** The messages of a call, and why others are refused; what does not even say which it is, is left out. */
export function readMessages(values: readonly unknown[]): {
  items: HandedNotification[];
  refused: { id: string; fault: Fault }[];
} {
  const { items, refused } = readEach(readHanded, values);
  const named = refused.flatMap(({ value, fault }) => {
    const { data } = namedMessage.safeParse(value);
    return data ? [{ id: data.id, fault }] : [];
  });
  return { items, refused: named };
}

export const notificationsRequest = z
  .object({
    protocol: z.int().check(z.minimum(1)),
    version: z.string().check(z.maxLength(64)),
    instance: z.string().check(z.minLength(1), z.maxLength(128)),
    epoch: z.string().check(z.minLength(1), z.maxLength(64)),
    /** Messages that wait at the site, those of this call included. */
    backlog: z.int().check(z.minimum(0)),
    /** `HandedNotification`, checked one by one, so that a bad one is refused alone. */
    items: z.array(z.unknown()).check(z.maxLength(MAX_HANDED)),
    asked: z.array(id).check(z.maxLength(MAX_ASKED)),
  })
  .register(described, { id: 'HandedNotifications' });
/** As it comes, before its messages are read. */
export type NotificationsCall = z.infer<typeof notificationsRequest>;
export type NotificationsRequest = Omit<NotificationsCall, 'items'> & { items: HandedNotification[] };

/**
 * `taken`: it is kept at headquarters and on its way; `sent`, `failed`: the end; `later`: headquarters has
 * too many of this site on their way and did not take it; `unknown`: there is nothing under an id that was
 * asked for.
 */
export const handedStates = ['taken', 'sent', 'failed', 'later', 'unknown'] as const;

export const handedResult = z
  .object({
    id: z.string(),
    state: z.enum(handedStates),
    /** Names of the channels that took it. */
    channels: z.array(z.string()),
    /** Why it failed, at all or at some of the channels. */
    reason: z.nullable(z.string()),
    /** When it was settled, epoch ms. */
    at: z.nullable(z.int()),
  })
  .register(described, { id: 'HandedResult' });
export type HandedResult = z.infer<typeof handedResult>;

export const NOTIFICATIONS_PATH = '/api/core/uplink/notifications';
