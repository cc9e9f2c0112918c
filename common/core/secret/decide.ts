// Pure: names, hosts and bindings of secrets, and the audit of their changes.
import type { Stamp } from '../../clock.ts';
import type { AuditEntry } from '../audit/port.ts';
import type { NamedSecret, SecretBinding } from './record.ts';

/** Begins a reference to a file in the directory that the administrator gave to secrets. */
export const DIRECTORY_PREFIX = 'dir:';
/** How a secret is made, as refusals say it. */
export const MAKE_SECRET = 'PUT /api/core/secrets/{name}';
/** Of a secret, and of a file in the directory; no path. */
export const SECRET_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Whether a reference names a file or variable of the machine, as only those of the configuration may. */
export const namesMachine = (ref: string): boolean => /^(?:env|file|cred):/.test(ref);

/** The host of an address with its port; left out only where it is 443. */
export function hostOf(url: string): string {
  const { protocol, host, port } = new URL(url);
  if (protocol === 'smtp:' || protocol === 'smtps:') {
    const standard = protocol === 'smtp:' ? 587 : 465;
    return new URL(`https://${host}${port === '' ? `:${standard}` : ''}/`).host;
  }
  return protocol === 'http:' && port === '' ? `${host}:80` : host;
}

/** Whether it is `smtp://` (STARTTLS) or `smtps://` (TLS from the start) and a host, with a port or 587 and 465. */
export function isSmtpUrl(value: string): boolean {
  if (/\s/.test(value) || !URL.canParse(value)) return false;
  const { protocol, hostname, username, password, pathname, search, hash } = new URL(value);
  return (
    (protocol === 'smtp:' || protocol === 'smtps:') &&
    /^[A-Za-z0-9.-]+$|^\[[0-9A-Fa-f:.]+\]$/.test(hostname) &&
    [username, password, search, hash].every((part) => part === '') &&
    (pathname === '' || pathname === '/')
  );
}

/** A host as it was given, in the form of `hostOf`; null when it is none. */
export function readHost(text: string): string | null {
  const address = `https://${text}/`;
  if (!/^[^/?#@\\\s]+$/.test(text) || !URL.canParse(address)) return null;
  return new URL(address).host;
}

/** What a secret is sealed with. @param of the name of a secret, or the row that keeps it */
export const bindingText = (
  of: { name: string } | { owner: string },
  { use, tenantCode, host }: SecretBinding,
): string => JSON.stringify([of, use, tenantCode, host]);

/** Why a secret must not be used for this; null when it may. */
export function misuse(kept: SecretBinding, wanted: SecretBinding): string | null {
  if (kept.tenantCode !== wanted.tenantCode) return 'belongs to another tenant';
  if (kept.use !== wanted.use) return `is for ${kept.use}, not for ${wanted.use}`;
  if (kept.host !== wanted.host) return `is for the host ${kept.host}, not for ${wanted.host}`;
  return null;
}

/** The entry of a change; the secret stays out of it. */
export function secretAudit(
  before: NamedSecret | null,
  after: NamedSecret | null,
  actor: string,
  stamp: Stamp,
): AuditEntry {
  const subject = after ?? before;
  if (!subject) throw new Error('an audit entry needs a secret');
  const action = before === null ? 'secret.created' : after === null ? 'secret.removed' : 'secret.changed';
  return {
    id: stamp.newId(),
    at: stamp.now,
    actor,
    action,
    subject: `secret:${subject.name}`,
    tenantCode: subject.tenantCode,
    before: before && shown(before),
    after: after && shown(after),
  };
}

const shown = ({ name, use, host }: NamedSecret): object => ({ name, use, host });
