import { hash } from 'node:crypto';
import { type Clock, stampOf } from '../../../common/clock.ts';
import type { SessionActor } from '../../../common/http/actor.ts';
import { badRequest, notFound } from '../../../common/http/error.ts';
import type { CallMail, CallSender } from '../call/sender.ts';
import { testTextOf } from '../call/text.ts';
import { faultAt } from '../duty-fault-messages.ts';
import type { DutyStore } from '../port.ts';
import type { PushClient, Pushed } from '../push/client.ts';
import { everybodyIn, onDutyAt } from '../rota/decide.ts';
import { type CallChoice, type PushDevice, STANDARD_CHOICE } from './record.ts';
import type { ChoiceInput, DeviceInput } from './schema.ts';

/** Devices of one user. */
const MOST_DEVICES = 10;

export interface PersonServiceOptions {
  store: DutyStore;
  push: PushClient;
  sender: Pick<CallSender, 'pushTo'>;
  mail: Pick<CallMail, 'ready'>;
  clock: Clock;
}

export interface MyCalls {
  choice: CallChoice;
  devices: PushDevice[];
  pushKey: string;
  mail: boolean;
  onDuty: boolean;
  rotas: string[];
}

/** What each person chooses to be called for, and on what. */
export class PersonService {
  readonly #options: PersonServiceOptions;

  constructor(options: PersonServiceOptions) {
    this.#options = options;
  }

  async mine(session: SessionActor): Promise<MyCalls> {
    const { store, push, mail, clock } = this.#options;
    const { userName, tenantCode } = session;
    const [person, devices, rotas, ready] = await Promise.all([
      store.persons.person(userName),
      store.persons.devices(userName),
      store.rotas.list(null),
      mail.ready(),
    ]);
    // Of rotas of others a customer learns nothing, not even that they name him.
    const own = rotas.filter(
      (rota) =>
        rota.enabled &&
        (tenantCode === null || rota.tenantCode === tenantCode) &&
        everybodyIn(rota).includes(userName),
    );
    return {
      choice: person?.choice ?? STANDARD_CHOICE,
      devices,
      pushKey: push.publicKey,
      mail: ready,
      onDuty: own.some((rota) => onDutyAt(rota, clock.now())[0] === userName),
      rotas: own.map(({ name }) => name),
    };
  }

  /** @param consoleUrl where the browser found the console @throws AppError 400 */
  async choose(session: SessionActor, input: ChoiceInput, consoleUrl: string | null): Promise<MyCalls> {
    const { store, clock } = this.#options;
    const faults = (input.tenants ?? []).flatMap((name, index) =>
      session.tenantCode === null || session.tenantCode === name
        ? []
        : [faultAt(`tenants[${index}]`, 'duty_tenant', { name })],
    );
    if (faults.length > 0) throw badRequest(faults);
    const { quiet, ...rest } = input;
    const choice: CallChoice = { ...rest, quiet: quiet && quietOf(quiet) };
    await store.persons.choose(session.userName, choice, consoleUrl, clock.now());
    return this.mine(session);
  }

  async addDevice(
    session: SessionActor,
    { endpoint, keys, label }: DeviceInput,
    consoleUrl: string | null,
    actor: string,
  ): Promise<PushDevice> {
    const { store, push, clock } = this.#options;
    const id = clock.newId();
    const device: PushDevice = {
      id,
      userName: session.userName,
      endpointHash: hash('sha256', endpoint, 'hex'),
      host: new URL(endpoint).host,
      sealed: push.seal({ endpoint, keys }, id),
      label,
      createdAt: clock.now(),
      lastSentAt: null,
      lastError: null,
    };
    await store.persons.addDevice(device, MOST_DEVICES, actor);
    const person = await store.persons.person(session.userName);
    // Links in mails lead where the person uses the console.
    if (person && consoleUrl !== null)
      await store.persons.choose(person.name, person.choice, consoleUrl, clock.now());
    return device;
  }

  /** @throws AppError 404, also for another's device */
  async removeDevice(session: SessionActor, id: string, actor: string): Promise<void> {
    const { store, clock } = this.#options;
    if (!(await store.persons.removeDevice(id, session.userName, actor, stampOf(clock))))
      throw notFound(`The device ${id}`);
  }

  /** Sends a test message to a device now. @throws AppError 404 */
  async tryDevice(session: SessionActor, id: string): Promise<Pushed> {
    const { store, sender } = this.#options;
    const device = await store.persons.device(id);
    const person = await store.persons.person(session.userName);
    if (!person || device?.userName !== person.name) throw notFound(`The device ${id}`);
    return sender.pushTo(device, testTextOf(person.choice.language), {
      topic: 'test',
      urgent: true,
      consoleUrl: person.consoleUrl,
    });
  }
}

const quietOf = ({ critical_through: criticalThrough, ...hours }: NonNullable<ChoiceInput['quiet']>) => ({
  ...hours,
  criticalThrough,
});
