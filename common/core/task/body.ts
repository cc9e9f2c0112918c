import { type Fault } from '../../http/fault/fault.ts';
import { bytesBeyond, deeperThan } from '../../json-size.ts';
import { type Message, type MessageOf, translate } from '../../message.ts';
import { orderRefusalMessages } from './refusal-messages.ts';
import { MAX_BODY_BYTES, MAX_BODY_DEPTH, protectedMembers } from './schema.ts';
import { faultAt } from './task-fault-messages.ts';

/** What is wrong with a body, for whoever wrote it. */
export type BodyFault = MessageOf<typeof orderRefusalMessages>;

/** What is wrong with a body, or with members to be laid over one; every protected member is named. */
export function bodyFaults(body: Record<string, unknown>): Fault[] {
  const faults = protectedIn(body).map((name) => faultAt(`body.${name}`, 'only_service_writes'));
  const limit = bodyTooLarge(body);
  return limit === null ? faults : [...faults, limitFault(limit)];
}

/** Which limit the body as a whole breaks, for whoever wrote it. @param message a `BodyFault` */
export function limitFault(message: Message): Fault {
  const { code } = message;
  const messageZh = translate(orderRefusalMessages, message, 'zh');
  return {
    path: 'body',
    code,
    message: translate(orderRefusalMessages, message, 'en') ?? code,
    ...(messageZh === null ? {} : { messageZh }),
  };
}

/** The first of `bodyFaults` as a message; null: nothing is wrong. */
export function bodyFault(body: Record<string, unknown>): BodyFault | null {
  const [name] = protectedIn(body);
  return name === undefined
    ? bodyTooLarge(body)
    : { code: 'body_protected', params: { path: `body.${name}` } };
}

const protectedIn = (body: Record<string, unknown>): string[] =>
  protectedMembers.filter((name) => Object.hasOwn(body, name));

/** @returns which limit it breaks; null when none */
export function bodyTooLarge(body: Record<string, unknown>): BodyFault | null {
  if (deeperThan(body, MAX_BODY_DEPTH)) return { code: 'body_deep', params: { most: MAX_BODY_DEPTH } };
  const bytes = bytesBeyond(body, MAX_BODY_BYTES);
  return bytes === null ? null : { code: 'body_large', params: { most: MAX_BODY_BYTES, bytes } };
}
