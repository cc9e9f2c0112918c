import { type Clock, stampOf } from '../../../common/clock.ts';
import type { GroupReader } from '../../../common/core/instance/record.ts';
import { badRequest, conflict, notFound } from '../../../common/http/error.ts';
import type { Fault } from '../../../common/http/fault/fault.ts';
import { faultAt } from '../duty-fault-messages.ts';
import type { Person } from '../person/record.ts';
import type { DutyStore } from '../port.ts';
import { spansOf } from './decide.ts';
import { OPERATORS, type Rota, type Span } from './record.ts';
import type { RotaInput } from './schema.ts';

const MINUTE_MS = 60_000;

/** The groups of sites that there are for whoever names one. */
export type RotaGroups = (reader: GroupReader) => Promise<readonly { name: string }[]>;

/** The rotas. To a caller who is limited to a tenant those of others do not exist. */
export class RotaService {
  #store: DutyStore;
  #groups: RotaGroups;
  #clock: Clock;

  constructor(store: DutyStore, groups: RotaGroups, clock: Clock) {
    this.#store = store;
    this.#groups = groups;
    this.#clock = clock;
  }

  list(tenantCode: string | null): Promise<Rota[]> {
    return this.#store.rotas.list(tenantCode);
  }

  /** @param bound the tenant that the caller is limited to; null: none @throws AppError 404 */
  async get(id: string, bound: string | null): Promise<Rota> {
    const rota = await this.#store.rotas.get(id);
    if (!rota || (bound !== null && rota.tenantCode !== bound)) throw notFound(`The rota ${id}`);
    return rota;
  }

  /** @throws AppError 400 naming every fault, 409 rota_exists */
  async create(input: RotaInput, bound: string | null, actor: string): Promise<Rota> {
    const stamp = stampOf(this.#clock);
    const rota = {
      ...(await this.#rotaOf(input, bound)),
      id: stamp.newId(),
      createdAt: stamp.now,
      updatedAt: stamp.now,
    };
    if (!(await this.#store.rotas.create(rota, actor, stamp))) throw taken(rota.name);
    return rota;
  }

  /** The tenant of a rota stays. @throws AppError 400, 404, 409 rota_exists, rota_changed */
  async change(id: string, input: RotaInput, { bound, seenAt }: Seen, actor: string): Promise<Rota> {
    const prior = await this.get(id, bound);
    const stamp = stampOf(this.#clock);
    const own = { ...input, tenant_code: prior.tenantCode === OPERATORS ? null : prior.tenantCode };
    const rota = {
      ...(await this.#rotaOf(own, bound)),
      id,
      createdAt: prior.createdAt,
      updatedAt: Math.max(stamp.now, prior.updatedAt + 1),
    };
    const outcome = await this.#store.rotas.change(rota, seenAt ?? prior.updatedAt, actor, stamp);
    if (outcome === 'name_taken') throw taken(rota.name);
    if (outcome === 'changed')
      throw conflict('rota_changed', 'The rota was changed since you have read it. Read it again.');
    return rota;
  }

  /** @throws AppError 404 */
  async remove(id: string, bound: string | null, actor: string): Promise<void> {
    await this.get(id, bound);
    if (!(await this.#store.rotas.remove(id, actor, stampOf(this.#clock)))) throw notFound(`The rota ${id}`);
  }

  spans(rota: Rota, days: number): Span[] {
    const now = Math.floor(this.#clock.now() / MINUTE_MS) * MINUTE_MS;
    return spansOf(rota, now, now + days * 1440 * MINUTE_MS);
  }

  /** Whom a rota of this tenant can name: to its own people those of other tenants do not exist. */
  async people(tenantCode: string | null, bound: string | null): Promise<Person[]> {
    const all = await this.#store.persons.people();
    return all.filter((one) => callable(one, tenantCode) && (bound === null || one.tenantCode === bound));
  }

  async #rotaOf(
    input: RotaInput,
    bound: string | null,
  ): Promise<Omit<Rota, 'id' | 'createdAt' | 'updatedAt'>> {
    const { tenant_code, first_week, next_after_minutes, site_groups: siteGroups, ...rest } = input;
    const tenantCode = bound ?? tenant_code;
    const known = new Set((await this.people(tenantCode, bound)).map(({ name }) => name));
    const groups = await this.#groups({ tenantCode, bound: bound !== null });
    const faults = [
      ...shiftFaults(input, known),
      ...exceptionFaults(input, known),
      ...groupFaults(siteGroups, new Set(groups.map(({ name }) => name))),
    ];
    if (faults.length > 0) throw badRequest(faults);
    return {
      ...rest,
      siteGroups,
      tenantCode: tenantCode ?? OPERATORS,
      firstWeek: first_week,
      nextAfterMinutes: next_after_minutes,
    };
  }
}

interface Seen {
  bound: string | null;
  /** When the rota was changed last, as the caller has read it; null: it does not say. */
  seenAt: number | null;
}

const callable = ({ tenantCode, mayTake }: Person, wanted: string | null): boolean =>
  mayTake && (tenantCode === null || tenantCode === wanted);

const taken = (name: string) =>
  conflict('rota_exists', `There is a rota ${name} of this tenant already. Choose another name.`);

const shiftFaults = ({ shifts }: RotaInput, known: ReadonlySet<string>): Fault[] =>
  shifts.flatMap(({ people }, at) =>
    people.flatMap((name, index) =>
      known.has(name) ? [] : [faultAt(`shifts[${at}].people[${index}]`, 'duty_person', { name })],
    ),
  );

const groupFaults = (named: readonly string[], known: ReadonlySet<string>): Fault[] =>
  named.flatMap((name, at) =>
    known.has(name) ? [] : [faultAt(`site_groups[${at}]`, 'duty_group', { name })],
  );

const exceptionFaults = ({ exceptions }: RotaInput, known: ReadonlySet<string>): Fault[] =>
  exceptions.flatMap(({ from, to, away, instead }, at) => [
    ...(to > from ? [] : [faultAt(`exceptions[${at}].to`, 'duty_order')]),
    ...(away !== null && away === instead ? [faultAt(`exceptions[${at}].instead`, 'duty_change')] : []),
    // Somebody who left may still be named as away.
    ...(instead === null || known.has(instead)
      ? []
      : [faultAt(`exceptions[${at}].instead`, 'duty_person', { name: instead })]),
  ]);
