import { backoffDelay } from '../../../common/backoff.ts';
import type { Clock } from '../../../common/clock.ts';
import { takeEach } from '../../../common/core/left-out/row-by-row.ts';
import type { Logger } from '../../../common/log.ts';
import { Loop, type RoundResult } from '../../../common/loop.ts';
import { type Language, type MessageOf, say } from '../../../common/message.ts';
import { sendingMessages } from '../duty-messages.ts';
import type { Person } from '../person/record.ts';
import type { DutyStore, SentOf } from '../port.ts';
import type { PushClient, Pushed } from '../push/client.ts';
import type { CallLinks } from './link.ts';
import { mailTextOf, pathOf, pushTextOf, type Telling } from './text.ts';

/** Longer than any try, so that a claimed row is not tried twice at once. */
const LEASE_MS = 30_000;
const INTERVAL_MS = 1_000;
const CLAIM = 32;
const BACKOFF = { first: 2_000, cap: 60_000, jitter: 0.2 };
/** The last try is made some minutes after the first: the next person is called by then. */
const MAX_ATTEMPTS = 7;

export type SendingFault = MessageOf<typeof sendingMessages>;

/** E-mail, by whatever server the operators' channel of that format names. */
export interface CallMail {
  /** Whether there is a server to send by. */
  ready(): Promise<boolean>;
  /** @returns why it was not taken; null when it was. `final`: there must be no other try */
  send(
    message: { id: string; to: string; text: string },
    signal?: AbortSignal,
  ): Promise<{ fault: SendingFault; final: boolean } | null>;
}

export interface CallSenderOptions {
  store: DutyStore;
  push: PushClient;
  mail: CallMail;
  links: CallLinks;
  /** What is known of a site beside its name; null: headquarters itself. */
  siteOf: (instance: string | null) => Promise<Pick<Telling, 'zone' | 'site'>>;
  /** Of the console, for who never told another one; null: not said. */
  publicUrl: string | null;
  clock: Clock;
  log: Logger;
}

type Outcome = { error: SendingFault | null; again: boolean };

/** Sends what waits to be sent of calls. One device that hangs delays only its own messages of a round. */
export class CallSender {
  readonly loop: Loop;
  readonly counts = { sent: 0, failedTries: 0, givenUp: 0 };
  readonly #options: CallSenderOptions;

  constructor(options: CallSenderOptions) {
    this.#options = options;
    this.loop = new Loop({
      name: 'call messages',
      interval: INTERVAL_MS,
      log: options.log,
      monotonic: () => options.clock.monotonic(),
      round: (signal) => this.round(signal),
    });
  }

  async round(signal: AbortSignal): Promise<RoundResult> {
    const { store, clock } = this.#options;
    const due = await store.calls.claim(clock.now(), LEASE_MS, CLAIM);
    const perDevice = Map.groupBy(due, ({ deviceId, userName }) => deviceId ?? userName);
    await Promise.all(
      [...perDevice.values()].map((rows) =>
        takeEach(rows, async (row) => {
          if (!signal.aborted) await this.#attempt(row, signal);
        }),
      ),
    );
    return { again: due.length === CLAIM && !signal.aborted };
  }

  async #attempt(row: SentOf, signal: AbortSignal): Promise<void> {
    const { store, clock } = this.#options;
    const person = await store.persons.person(row.userName);
    const { error, again } = person
      ? await (row.way === 'push' ? this.#push(row, person) : this.#mail(row, person, signal))
      : { error: { code: 'device_gone', params: {} } as const, again: false };
    if (signal.aborted && error !== null && again) return;
    const now = clock.now();
    const tries = row.attempts + 1;
    const nextAt =
      error === null || !again || tries >= MAX_ATTEMPTS
        ? null
        : now + backoffDelay(tries, BACKOFF, Math.random());
    if (error === null) this.counts.sent += 1;
    else if (nextAt === null) this.counts.givenUp += 1;
    else this.counts.failedTries += 1;
    const said = error && say(sendingMessages, error, 'en');
    await store.calls.settle({ id: row.id, error: said, nextAt }, now);
  }

  async #push(row: SentOf, person: Person): Promise<Outcome> {
    const { store, links } = this.#options;
    const gone: SendingFault = { code: 'device_gone', params: {} };
    const device = row.deviceId === null ? null : await store.persons.device(row.deviceId);
    if (device?.userName !== person.name) return { error: gone, again: false };
    const text = pushTextOf(
      { sending: row, call: row.call, token: links.issue(row.id) },
      await this.#telling(row, person.choice.language),
    );
    const pushed = await this.pushTo(device, text, {
      topic: row.callId.replaceAll('-', '').slice(0, 32),
      urgent: row.reason !== 'taken',
      consoleUrl: person.consoleUrl ?? this.#options.publicUrl,
    });
    return pushed.taken ? { error: null, again: false } : { error: pushed.fault, again: pushed.again };
  }

  /** One message to one device; one that its service knows no more is removed. */
  async pushTo(
    device: { id: string; sealed: string },
    text: string,
    { topic, urgent, consoleUrl }: { topic: string; urgent: boolean; consoleUrl: string | null },
  ): Promise<Pushed> {
    const { store, push, clock } = this.#options;
    const pushed = await push.send(device, { text, topic, urgent, contact: contactOf(consoleUrl) });
    if (pushed.taken) await store.persons.deviceTried(device.id, null, clock.now());
    else if (pushed.gone) await store.persons.dropDevice(device.id);
    else await store.persons.deviceTried(device.id, say(sendingMessages, pushed.fault, 'en'), clock.now());
    return pushed;
  }

  async #mail(row: SentOf, person: Person, signal: AbortSignal): Promise<Outcome> {
    const { store, mail, links } = this.#options;
    const { email, language } = person.choice;
    if (email === null) return { error: { code: 'no_way', params: {} }, again: false };
    const rota = row.call.rotaId === null ? null : await store.rotas.get(row.call.rotaId);
    const base = person.consoleUrl ?? this.#options.publicUrl;
    const text = mailTextOf({ sending: row, call: row.call }, await this.#telling(row, language), {
      links:
        base === null
          ? null
          : { take: `${base}/take#${links.issue(row.id)}`, event: `${base}${pathOf(row.call)}` },
      minutes: rota?.nextAfterMinutes ?? null,
    });
    const failed = await mail.send({ id: row.id, to: email, text }, signal);
    return failed ? { error: failed.fault, again: !failed.final } : { error: null, again: false };
  }

  async #telling({ call }: SentOf, language: Language): Promise<Telling> {
    return { language, ...(await this.#options.siteOf(call.instance)) };
  }
}

/** Push services ask whom they may write to. */
function contactOf(consoleUrl: string | null): string {
  const host = consoleUrl === null ? 'fieldline.invalid' : new URL(consoleUrl).hostname;
  return consoleUrl?.startsWith('https:') ? consoleUrl : `mailto:fieldline@${host}`;
}
