import { hash } from 'node:crypto';
import { type Clock, stampOf } from '../../common/clock.ts';
import { badRequest, conflict, notFound } from '../../common/http/error.ts';
import type { Fault } from '../../common/http/fault/fault.ts';
import type { CameraNamePort } from '../camera/port.ts';
import { tooManyNames } from '../camera/refusals.ts';
import { pinFaults, planPictureType } from './decide.ts';
import { faultAt } from './plan-fault-messages.ts';
import type { PlanFilter, PlanPort } from './port.ts';
import { MAX_PICTURE, MOST_PLANS, type NamedPlan, type Pin, type Plan, type PlanPicture } from './record.ts';
import type { PlanChange, PlanInput } from './schema.ts';

export interface PlanServiceOptions {
  plans: PlanPort;
  names: CameraNamePort;
  /** Whose events a site brings; null: there is no such site. */
  tenantsOf: (instance: string) => Promise<readonly string[] | null>;
  clock: Clock;
}

/** Plans of sites. To a caller who is limited to a tenant those of others do not exist. */
export class PlanService {
  #options: PlanServiceOptions;

  constructor(options: PlanServiceOptions) {
    this.#options = options;
  }

  /** @param cameraRef a camera that stands on them; null: whichever do */
  async list({ cameraRef, ...wanted }: PlanFilter & { cameraRef: string | null }): Promise<Plan[]> {
    const plans = await this.#options.plans.list(wanted);
    if (cameraRef === null) return plans;
    return plans.filter(({ pins }) => pins.some((pin) => pin.cameraRef === cameraRef));
  }

  /** @param bound the tenant that the caller is limited to; null: none @throws AppError 404 */
  async get(id: string, bound: string | null): Promise<NamedPlan> {
    return this.#named(await this.#plan(id, bound));
  }

  /** @throws AppError 404 */
  async picture(id: string, bound: string | null): Promise<{ plan: Plan; bytes: Buffer }> {
    const plan = await this.#plan(id, bound);
    const bytes = await this.#options.plans.bytes(id, bound);
    if (!bytes) throw notFound(`The plan ${id}`);
    return { plan, bytes };
  }

  /** @throws AppError 400 naming every fault, 409 plan_exists, too_many_plans */
  async create(input: PlanInput, actor: string): Promise<NamedPlan> {
    const { plans, tenantsOf, clock } = this.#options;
    const { tenant_code: tenantCode, instance, name } = input;
    const tenants = (await tenantsOf(instance)) ?? [];
    const [pins, drawn] = [pinsOf(input.pins), pictureOf(input.picture)];
    const faults = [
      ...(tenants.includes(tenantCode) ? [] : [faultAt('instance', 'plan_site', { tenant: tenantCode })]),
      ...pictureFaults(drawn),
      ...pinFaults(pins),
    ];
    if (faults.length > 0 || drawn === null) throw badRequest(faults);
    const stamp = stampOf(clock);
    const times = { createdAt: stamp.now, updatedAt: stamp.now };
    const plan = { id: stamp.newId(), tenantCode, instance, name, picture: drawn.picture, pins, ...times };
    const outcome = await plans.create(plan, drawn.bytes, actor, stamp);
    if (outcome === 'name_taken') throw taken(name);
    if (outcome === 'too_many')
      throw conflict(
        'too_many_plans',
        `This site has ${MOST_PLANS} plans, the most there can be. Remove one.`,
      );
    return this.#withNames(plan, input.pins, actor);
  }

  /**
   * Tenant and site stay.
   * @param seenAt when it was changed last, as the caller has read it; null: the caller does not say
   * @throws AppError 400, 404, 409 plan_exists, plan_changed
   */
  async change(id: string, input: PlanChange, seenAt: number | null, actor: string): Promise<NamedPlan> {
    const { plans, clock } = this.#options;
    const prior = await this.#plan(id, null);
    const stamp = stampOf(clock);
    const pins = pinsOf(input.pins);
    const drawn = input.picture === undefined ? undefined : pictureOf(input.picture);
    const faults = [...(drawn === undefined ? [] : pictureFaults(drawn)), ...pinFaults(pins)];
    if (faults.length > 0) throw badRequest(faults);
    const plan = {
      ...prior,
      name: input.name,
      pins,
      picture: drawn?.picture ?? prior.picture,
      updatedAt: Math.max(stamp.now, prior.updatedAt + 1),
    };
    const outcome = await plans.change(plan, drawn?.bytes ?? null, seenAt ?? prior.updatedAt, actor, stamp);
    if (outcome === 'name_taken') throw taken(plan.name);
    if (outcome === 'changed')
      throw conflict('plan_changed', 'The plan was changed since you have read it. Read it again.');
    return this.#withNames(plan, input.pins, actor);
  }

  /** @throws AppError 404 */
  async remove(id: string, actor: string): Promise<void> {
    const { tenantCode } = await this.#plan(id, null);
    const removed = await this.#options.plans.remove(id, tenantCode, actor, stampOf(this.#options.clock));
    if (!removed) throw notFound(`The plan ${id}`);
  }

  async #plan(id: string, bound: string | null): Promise<Plan> {
    const plan = await this.#options.plans.get(id, bound);
    if (!plan) throw notFound(`The plan ${id}`);
    return plan;
  }

  /** Gives the cameras the names that came with their pins. */
  async #withNames(plan: Plan, pins: PlanInput['pins'], actor: string): Promise<NamedPlan> {
    const { names, clock } = this.#options;
    const { tenantCode, instance } = plan;
    for (const { camera_ref: cameraRef, name } of pins) {
      if (name === undefined) continue;
      const camera = { tenantCode, instance, cameraRef, name };
      if (!(await names.give(camera, actor, stampOf(clock)))) throw tooManyNames();
    }
    return this.#named(plan);
  }

  async #named(plan: Plan): Promise<NamedPlan> {
    const given = await this.#options.names.list(plan.tenantCode);
    const here = given.filter(({ instance }) => instance === plan.instance);
    const names = new Map(here.map(({ cameraRef, name }) => [cameraRef, name]));
    return { ...plan, pins: plan.pins.map((pin) => ({ ...pin, name: names.get(pin.cameraRef) ?? null })) };
  }
}

const pinsOf = (pins: PlanInput['pins']): Pin[] =>
  pins.map(({ camera_ref: cameraRef, x, y }) => ({ cameraRef, x, y }));

interface Drawn {
  picture: PlanPicture;
  bytes: Buffer;
}

/** @param base64 as the caller gives it @returns null where it is no picture that a plan may have */
function pictureOf(base64: string): Drawn | null {
  const bytes = Buffer.from(base64, 'base64');
  const contentType = planPictureType(bytes);
  if (contentType === null || bytes.length > MAX_PICTURE) return null;
  return { picture: { contentType, size: bytes.length, sha256: hash('sha256', bytes) }, bytes };
}

const pictureFaults = (drawn: Drawn | null): Fault[] =>
  drawn ? [] : [faultAt('picture', 'plan_picture', { bytes: MAX_PICTURE })];

const taken = (name: string) =>
  conflict('plan_exists', `There is a plan ${name} of this site already. Choose another name.`);
