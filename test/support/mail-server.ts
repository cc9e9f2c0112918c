// A mail server that is played by smtp-server: real SMTP with STARTTLS, log-in and refusals.
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { SMTPServer } from 'smtp-server';
import { until } from './request.ts';

export const pem = (name: string): string =>
  readFileSync(path.resolve(import.meta.dirname, 'tls', `${name}.pem`), 'utf8');

/** A message as it came. */
export interface Received {
  from: string;
  to: string[];
  /** Who had logged in; null: nobody. */
  user: string | null;
  /** Head and body as they went over the wire. */
  raw: string;
}

export interface MailServerOptions {
  /** TLS from the start; otherwise by STARTTLS. */
  secure?: boolean;
  /** STARTTLS is not offered. */
  plain?: boolean;
}

const refusal = (code: number, text: string): Error => Object.assign(new Error(text), { responseCode: code });

export class MailServer {
  readonly received: Received[] = [];
  /** Recipients that are refused. */
  readonly refused = new Set<string>();
  password = 'right';
  #server: SMTPServer;
  #secure: boolean;

  constructor({ secure = false, plain = false }: MailServerOptions = {}) {
    this.#secure = secure;
    this.#server = new SMTPServer({
      secure,
      key: pem('receiver-key'),
      cert: pem('receiver'),
      authOptional: true,
      disabledCommands: plain ? ['STARTTLS'] : [],
      onAuth: ({ username, password }, _session, done) =>
        password === this.password
          ? done(null, { user: username })
          : done(refusal(535, '5.7.8 Authentication credentials invalid')),
      onRcptTo: ({ address }, _session, done) =>
        this.refused.has(address) ? done(refusal(550, `5.1.1 <${address}> no such user`)) : done(),
      onData: (stream, { envelope, user }, done) => {
        const parts: Buffer[] = [];
        stream.on('data', (part: Buffer) => parts.push(part));
        stream.on('end', () => {
          this.received.push({
            from: envelope.mailFrom ? envelope.mailFrom.address : '',
            to: envelope.rcptTo.map(({ address }) => address),
            user: user ?? null,
            raw: Buffer.concat(parts).toString('utf8'),
          });
          done();
        });
      },
    });
    // A client that breaks off is a case of these tests.
    this.#server.on('error', () => undefined);
  }

  async open(): Promise<this> {
    await new Promise<void>((resolve) => void this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get url(): string {
    const { port } = this.#server.server.address() as AddressInfo;
    return `${this.#secure ? 'smtps' : 'smtp'}://127.0.0.1:${port}`;
  }

  async receives(count: number): Promise<Received[]> {
    await until(`${count} messages came`, () => Promise.resolve(this.received.length >= count));
    return this.received;
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#server.close(resolve));
  }
}
