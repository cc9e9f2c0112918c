// E-mail by SMTP. The library is loaded with the first message: most sites send none, and have no memory
// for it.
import { connect, type Socket } from 'node:net';
import { AddressRefused, checkLiteral, guardedLookup, type Networks } from '../../http/outbound/address.ts';
import { transportFault } from '../../http/outbound/client.ts';
import type { TransportFault } from '../../http/outbound/transport-messages.ts';
import { type Mail, masked } from './mail.ts';
import type { ChannelFault } from './message.ts';

/** Bytes of one answer of the server. */
const MAX_ANSWER = 16 * 1024;
/** Characters of it that a message shows. */
const SHOWN_ANSWER = 200;

export interface MailServer {
  /** As `isSmtpUrl` takes it. */
  url: string;
  login: { user: string; password: string } | null;
}

/** `final`: another try would send it a second time to those who have it. */
export interface MailFault {
  fault: ChannelFault;
  final: boolean;
}

export interface MailOptions {
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/** Sends mail; a connection each, of which every resolved address is judged when connecting. */
export class MailClient {
  readonly #networks: Networks;

  /** @param networks where connections may go; null is anywhere */
  constructor(networks: Networks) {
    this.#networks = networks;
  }

  /** @returns why not everybody has it; null when the server took it for all */
  async send({ url, login }: MailServer, mail: Mail, options: MailOptions): Promise<MailFault | null> {
    const { hostname, port, protocol } = new URL(url);
    const secure = protocol === 'smtps:';
    const host = hostname.replaceAll(/[[\]]/g, '');
    const server = { host, port: port === '' ? (secure ? 465 : 587) : Number(port) };
    const late = AbortSignal.timeout(options.timeoutMs);
    const signal = options.signal ? AbortSignal.any([options.signal, late]) : late;
    let socket: Socket | null = null;
    try {
      checkLiteral(hostname, this.#networks);
      socket = await this.#connect(server, signal);
      const transport = await transportOver(socket, {
        ...server,
        secure,
        requireTLS: !secure,
        maxResponseSize: MAX_ANSWER,
        // A machine's own name would tell the server what it is called within.
        name: mail.from.slice(mail.from.indexOf('@') + 1),
        ...(login && { auth: { user: login.user, pass: login.password } }),
      });
      const sent = await transport.sendMail({
        ...mail,
        signal,
        headers: { 'Auto-Submitted': 'auto-generated' },
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      const refused = sent.rejected.map((one) => masked(one));
      if (refused.length === 0) return null;
      const answer = shownAnswer(sent.rejectedErrors?.at(-1)?.response, mail.to);
      const params = { recipients: refused.join(', '), answer };
      return { fault: { code: 'mail_partly_refused', params }, final: true };
    } catch (error) {
      const at = port === '' ? hostname : `${hostname}:${port}`;
      return { fault: faultOf(error, { host: at, mail, late: late.aborted, ...options }), final: false };
    } finally {
      socket?.destroy();
    }
  }

  #connect(server: { host: string; port: number }, signal: AbortSignal): Promise<Socket> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const socket = connect({ ...server, lookup: guardedLookup(this.#networks) as never, signal });
      socket.once('error', reject);
      socket.once('connect', () => resolve(socket.removeListener('error', reject)));
    });
  }
}

interface TransportOptions {
  host: string;
  port: number;
  secure: boolean;
  requireTLS: boolean;
  maxResponseSize: number;
  name: string;
  auth?: { user: string; pass: string };
}

async function transportOver(connection: Socket, options: TransportOptions) {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    ...options,
    // The library's own connections look names up by themselves, past the check of addresses.
    getSocket: (_, done) => done(null, { connection }),
  });
}

/** What the library throws. */
interface MailError extends Error {
  code?: string;
  originalCode?: string;
  command?: string;
  response?: string;
}

interface Tried {
  host: string;
  mail: Mail;
  late: boolean;
  timeoutMs: number;
}

function faultOf(thrown: unknown, { host, mail, late, timeoutMs }: Tried): ChannelFault {
  const unreached = (fault: TransportFault): ChannelFault => ({ code: 'mail_unreached', params: { fault } });
  if (thrown instanceof AddressRefused) return { code: 'channel_outside', params: { fault: thrown.fault } };
  if (late) return unreached({ code: 'answer_late', params: { ms: timeoutMs } });
  const error = thrown as MailError;
  if (error.response === undefined || error.response === '') {
    if (error.code === 'EPROTOCOL') return { code: 'mail_no_smtp', params: { host } };
    if (error.code === 'EAUTH') return { code: 'mail_no_login', params: { host } };
    if (error.code === 'ECONNECTION') return unreached(transportFault(host, 'ECONNRESET', error.message));
    return unreached(transportFault(host, error.originalCode ?? error.code ?? '', error.message));
  }
  const answer = shownAnswer(error.response, mail.to);
  if (error.code === 'EAUTH') return { code: 'mail_login_refused', params: { host, answer } };
  if (error.command === 'STARTTLS') return { code: 'mail_no_starttls', params: { host, answer } };
  if (error.command === 'MAIL FROM')
    return { code: 'mail_sender_refused', params: { from: mail.from, answer } };
  if (error.command === 'RCPT TO') {
    const recipients = mail.to.map((one) => masked(one)).join(', ');
    return { code: 'mail_recipients_refused', params: { recipients, answer } };
  }
  return { code: 'mail_answered', params: { host, answer } };
}

/** The server's own words: in one line, no longer than is read, and without whole addresses. */
function shownAnswer(response: string | undefined, to: readonly string[]): string {
  const line = (response ?? '-').replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').slice(0, MAX_ANSWER);
  return to.reduce((text, one) => text.replaceAll(one, masked(one)), line).slice(0, SHOWN_ANSWER);
}
