// SOAP 1.2 as ONVIF speaks it. Written here, since the package `onvif` (0.8.3) cannot be bounded: it keeps an
// answer of any size, its timeout does not end an answer that drips, it goes where the device sends it, and
// unsubscribes after every fault, which on some devices ends the subscriptions of others.
import { createHash } from 'node:crypto';
import { memberOf, wordOf } from '../message/member.ts';
import { cleanText } from '../message/text.ts';
import { elementOf, listOf } from './document.ts';

export const NAMESPACES = {
  device: 'http://www.onvif.org/ver10/device/wsdl',
  media: 'http://www.onvif.org/ver10/media/wsdl',
  media2: 'http://www.onvif.org/ver20/media/wsdl',
  events: 'http://www.onvif.org/ver10/events/wsdl',
  notification: 'http://docs.oasis-open.org/wsn/b-2',
} as const;

const ENVELOPE = 'http://www.w3.org/2003/05/soap-envelope';
const ADDRESSING = 'http://www.w3.org/2005/08/addressing';
const SECURITY = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity';
const TOKEN = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-username-token-profile-1.0';

export interface Credentials {
  user: string;
  password: string;
  nonce: Buffer;
  /** Epoch ms, by the clock of the device. */
  created: number;
}

/** A UsernameToken of WS-Security with PasswordDigest: Base64(SHA-1(nonce + created + password)). */
export function usernameToken({ user, password, nonce, created }: Credentials): string {
  const encoding = `${SECURITY.replace('wssecurity', 'soap-message-security')}-1.0#Base64Binary`;
  const time = `${new Date(created).toISOString().slice(0, 19)}Z`;
  const digest = createHash('sha1').update(nonce).update(time).update(password).digest('base64');
  return (
    `<wsse:Security s:mustUnderstand="1" xmlns:wsse="${SECURITY}-secext-1.0.xsd" ` +
    `xmlns:wsu="${SECURITY}-utility-1.0.xsd"><wsse:UsernameToken>` +
    `<wsse:Username>${escaped(user)}</wsse:Username>` +
    `<wsse:Password Type="${TOKEN}#PasswordDigest">${digest}</wsse:Password>` +
    `<wsse:Nonce EncodingType="${encoding}">${nonce.toString('base64')}</wsse:Nonce>` +
    `<wsu:Created>${time}</wsu:Created>` +
    '</wsse:UsernameToken></wsse:Security>'
  );
}

/** Where a subscription is spoken to: the address that the device gave, and what it wants back with it. */
export interface Endpoint {
  /** Path and query, at the host and port that the device was registered with. */
  path: string;
  /** As the device wrote it. */
  address: string;
  /** Elements of the header, as XML. */
  parameters: string;
}

/** @returns the elements of a header by which a subscription is known */
export const addressedTo = ({ address, parameters }: Endpoint, action: string): string =>
  `<wsa:Action xmlns:wsa="${ADDRESSING}">${action}</wsa:Action>` +
  `<wsa:To xmlns:wsa="${ADDRESSING}">${escaped(address)}</wsa:To>${parameters}`;

export const envelope = (header: string, body: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><s:Envelope xmlns:s="${ENVELOPE}">` +
  `<s:Header>${header}</s:Header><s:Body>${body}</s:Body></s:Envelope>`;

/**
 * The endpoint in an answer to a subscription; null where it names none. A reference without an address means
 * the service that gave it. @param service of events, as it was spoken to
 */
export function endpointIn(text: string, service?: Omit<Endpoint, 'parameters'>): Endpoint | null {
  const reference = elementOf(text, 'SubscriptionReference');
  if (typeof reference === 'string') return null;
  const address = wordOf(reference.Address);
  if (address === null) return service ? { ...service, parameters: parametersIn(text) } : null;
  if (address.length > 1_000) return null;
  // A name such as urn:uuid:… is no place; whoever gave it knows it by the header.
  const path = pathOf(address) ?? service?.path ?? null;
  return path === null ? null : { path, address, parameters: parametersIn(text) };
}

const BARE_HOST = /^(?:\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?|[A-Za-z0-9.-]+:\d{1,5})(?:\/|$)/;

/** Of an address, whatever host it names: devices behind a router name the one that they know. */
export function pathOf(address: string): string | null {
  // Some leave out the scheme; without it `10.0.0.9:80/sub` would be a path.
  const whole = BARE_HOST.test(address) ? `http://${address}` : address;
  if (!URL.canParse(whole, 'http://device')) return null;
  const { protocol, pathname, search } = new URL(whole, 'http://device');
  return /^https?:$/.test(protocol) ? pathname + search : null;
}

const MAX_PARAMETERS = 4_096;
/** Namespaces that they may need. */
const MAX_PREFIXES = 16;

/** What the device wants to have back in each header (WS-Addressing), with the namespaces it needs. */
function parametersIn(text: string): string {
  const open = /<((?:[\w.-]+:)?ReferenceParameters)(?:\s[^<>]*)?>/.exec(text);
  if (!open) return '';
  const from = open.index + open[0].length;
  const close = text.indexOf(`</${open[1]}`, from);
  if (close < 0 || close - from > MAX_PARAMETERS) return '';
  const raw = text.slice(from, close).trim();
  const used = new Set([...raw.matchAll(/<([\w.-]+):/g)].map(([, prefix = '']) => prefix));
  const names = [...used].slice(0, MAX_PREFIXES).flatMap((prefix) => {
    const uri = new RegExp(`xmlns:${prefix.replaceAll('.', '\\.')}\\s*=\\s*["']([^"'<>]{1,300})["']`).exec(
      text,
    )?.[1];
    return uri === undefined || raw.includes(`xmlns:${prefix}=`) ? [] : [` xmlns:${prefix}="${uri}"`];
  });
  const said = ` xmlns:wsa="${ADDRESSING}" wsa:IsReferenceParameter="true"`;
  return outermost(raw, (tag) => `${tag}${names.join('')}${tag.includes('xmlns:wsa=') ? '' : said}`);
}

/** Adds to the opening tags that stand within no other. */
function outermost(xml: string, add: (tag: string) => string): string {
  let depth = 0;
  return xml.replace(/<(\/?)([\w.:-]+[^<>]*?)(\/?)>/g, (_, end: string, inner: string, single: string) => {
    if (end !== '') depth -= 1;
    const made = end === '' && depth === 0 ? add(inner) : inner;
    if (end === '' && single === '') depth += 1;
    return `<${end}${made}${single}>`;
  });
}

export interface Fault {
  /** Codes without their prefixes, such as `Sender` and `NotAuthorized`. */
  codes: string[];
  reason: string;
  /** What the device allows of a PullMessages that asked for more. */
  limits: { waitMs: number; messages: number } | null;
}

/** Codes that devices leave out, or write another for, by what they say instead. */
const SAID: readonly (readonly [RegExp, string])[] = [
  [/\b(?:not|un) ?authori[sz]ed\b|authority failure|authentication fail/i, 'NotAuthorized'],
  [/time check failed/i, 'MessageExpired'],
];

/** The fault that an answer tells, of SOAP 1.2 or 1.1; null for one that tells none. */
export function faultIn(text: string): Fault | null {
  if (!/<(?:[\w.-]+:)?Fault[\s>]/.test(text)) return null;
  const fault = elementOf(text, 'Fault');
  if (typeof fault === 'string') return { codes: [], reason: fault, limits: null };
  const codes = [...valuesOf(fault.Code), ...listOf(fault.faultcode).map(wordOf)];
  const said = wordOf(memberOf(fault.Reason, 'Text')) ?? wordOf(fault.faultstring);
  const plain = codes.flatMap((code) => (code === null ? [] : [code.slice(code.lastIndexOf(':') + 1)]));
  const reason = cleanText(said, 200) ?? plain.at(-1) ?? 'a fault without a reason';
  return {
    codes: [...plain, ...SAID.filter(([words]) => words.test(reason)).map(([, code]) => code)],
    reason,
    limits: limitsIn(fault),
  };
}

function limitsIn(fault: unknown): Fault['limits'] {
  const wait = /^PT(\d{1,4})(?:\.\d+)?(S|M|H)$/.exec(wordOf(memberOf(fault, 'MaxTimeout')) ?? '');
  const messages = Number(wordOf(memberOf(fault, 'MaxMessageLimit')) ?? NaN);
  if (!wait || !Number.isInteger(messages) || messages < 1) return null;
  const unit = { S: 1_000, M: 60_000, H: 3_600_000 }[wait[2] ?? 'S'] ?? 1_000;
  return { waitMs: Math.max(1, Number(wait[1])) * unit, messages: Math.min(messages, 1_000) };
}

/** The codes of a fault, which stand within each other. */
function valuesOf(code: unknown): (string | null)[] {
  const values: (string | null)[] = [];
  let at = code;
  for (let depth = 0; depth < 6 && typeof at === 'object' && at !== null; depth += 1) {
    values.push(wordOf((at as Record<string, unknown>).Value));
    at = (at as Record<string, unknown>).Subcode;
  }
  return values;
}

/** Fit for the text of an element or an attribute. */
export const escaped = (text: string): string =>
  text.replace(
    /[<>&"']/g,
    (sign) => ({ '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;', "'": '&apos;' })[sign] ?? sign,
  );

/** `PT60S` */
export const duration = (ms: number): string => `PT${Math.max(0, Math.round(ms / 1000))}S`;
