import { connect, isIP, type Socket } from 'node:net';
import { connect as secured, type PeerCertificate, type TLSSocket } from 'node:tls';
import { checkLiteral, guardedLookup, type Networks } from '../../../common/http/outbound/address.ts';
import type { DeviceConfig } from '../record.ts';
import { ConnectionFault, connectionFault } from './fault.ts';
import type { Endpoint } from './session.ts';

const CONNECT_MS = 10_000;
/** Characters of the names of a certificate that people are told. */
const MAX_NAMES = 300;
/** Codes of certificates that only the time is wrong of. */
const OF_TIME = new Set(['CERT_NOT_YET_VALID', 'CERT_HAS_EXPIRED']);

export interface SocketRules {
  networks: Networks;
  tls: Pick<DeviceConfig, 'tlsCa' | 'tlsFingerprint' | 'tlsUnverified'>;
  signal: AbortSignal;
}

/**
 * A connection to a device, by TLS where `secure` says so. Nothing is sent before its address is allowed and
 * its certificate is the right one. @throws ConnectionFault
 */
export async function openSocket(place: Endpoint, { networks, tls, signal }: SocketRules): Promise<Socket> {
  const { host, port, secure, timeoutMs = CONNECT_MS } = place;
  const named = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  try {
    checkLiteral(host, networks);
    signal.throwIfAborted();
    const late = AbortSignal.timeout(timeoutMs);
    const tooLate = () => new ConnectionFault({ code: 'connection_late', params: { ms: timeoutMs } });
    const plain = connect({ host, port, lookup: guardedLookup(networks) as never });
    const ended = AbortSignal.any([signal, late]);
    const end = (): void => void plain.destroy(late.aborted ? tooLate() : new Error('given up'));
    ended.addEventListener('abort', end, { once: true });
    try {
      await opened(plain, 'connect');
      plain.setNoDelay(true).setKeepAlive(true, 30_000);
      return secure ? await withTls(plain, { host, named, tls }) : plain;
    } catch (error) {
      plain.destroy();
      throw error;
    } finally {
      ended.removeEventListener('abort', end);
    }
  } catch (error) {
    throw connectionFault(error, named);
  }
}

async function withTls(
  plain: Socket,
  { host, named, tls }: { host: string; named: string; tls: SocketRules['tls'] },
): Promise<TLSSocket> {
  const socket = secured({
    socket: plain,
    host,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(tls.tlsCa === undefined ? {} : { ca: tls.tlsCa }),
    // Judged below, so that the fingerprint of what is refused can be told.
    rejectUnauthorized: false,
  });
  const broken = new Promise<never>((_, reject) => plain.once('error', reject));
  await Promise.race([opened(socket, 'secureConnect'), broken]);
  const fault = certificateFault(socket, named, tls);
  if (fault === null) return socket;
  socket.destroy();
  throw fault;
}

function certificateFault(
  socket: TLSSocket,
  host: string,
  { tlsFingerprint, tlsUnverified }: SocketRules['tls'],
): ConnectionFault | null {
  const certificate = socket.getPeerCertificate();
  const { fingerprint256: fingerprint } = certificate;
  if (tlsFingerprint !== undefined) {
    if (plainHex(fingerprint) === plainHex(tlsFingerprint)) return null;
    return new ConnectionFault({ code: 'device_certificate_changed', params: { host, fingerprint } });
  }
  if (tlsUnverified || socket.authorized) return null;
  // The types say Error; it is the code as a text.
  const system = String(socket.authorizationError);
  if (OF_TIME.has(system)) return new ConnectionFault({ code: 'certificate_time', params: { host, system } });
  // Names are looked at last: who signed it is trusted here.
  if (system === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return new ConnectionFault({
      code: 'device_certificate_names',
      params: { host, fingerprint, names: namesIn(certificate) },
    });
  return new ConnectionFault({ code: 'device_certificate_unknown', params: { host, fingerprint } });
}

/** The names that a certificate is for; a common name counts for none, and tells people which one it is. */
function namesIn({ subjectaltname, subject }: PeerCertificate): string {
  const names = (subjectaltname ?? '').replaceAll(/\b(?:DNS|IP Address):/g, '').trim();
  if (names !== '') return names.slice(0, MAX_NAMES);
  const { CN } = subject as { CN?: string | string[] };
  return CN === undefined ? '-' : `CN=${String(CN)}`.slice(0, MAX_NAMES);
}

const plainHex = (fingerprint: string): string => fingerprint.replace(/[^0-9a-fA-F]/g, '').toLowerCase();

function opened(socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once(event, () => {
      socket.off('error', reject);
      resolve();
    });
    socket.once('error', reject);
    socket.once('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
  });
}
