import { hash } from 'node:crypto';
import { type Clock, stampOf } from '../../common/clock.ts';
import { badRequest, conflict, notFound } from '../../common/http/error.ts';
import { pictureTypeOf, pinFaults } from './decide.ts';
import { faultAt } from './plan-fault-messages.ts';
import type { PlanFilter, PlanPort } from './port.ts';
import { MAX_PICTURE, MOST_PLANS, type Pin, type Plan, type PlanPicture } from './record.ts';
import type { PlanChange, PlanInput } from './schema.ts';

export interface PlanServiceOptions {
  plans: PlanPort;
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
  async get(id: string, bound: string | null): Promise<Plan> {
    const plan = await this.#options.plans.get(id, bound);
    if (!plan) throw notFound(`The plan ${id}`);
    return plan;
  }

  /** @throws AppError 404 */
  async picture(id: string, bound: string | null): Promise<{ plan: Plan; bytes: Buffer }> {
    const plan = await this.get(id, bound);
    const bytes = await this.#options.plans.bytes(id, bound);
    if (!bytes) throw notFound(`The plan ${id}`);
    return { plan, bytes };
  }

  /** @throws AppError 400 naming every fault, 409 plan_exists, too_many_plans */
  async create(input: PlanInput, actor: string): Promise<Plan> {
    const { plans, tenantsOf, clock } = this.#options;
    const { tenant_code: tenantCode, instance, name } = input;
    const tenants = (await tenantsOf(instance)) ?? [];
    const site = tenants.includes(tenantCode)
      ? []
      : [faultAt('instance', 'plan_site', { tenant: tenantCode })];
    const { picture, bytes, pins } = drawingOf(input, site);
    const stamp = stampOf(clock);
    const times = { createdAt: stamp.now, updatedAt: stamp.now };
    const plan = { id: stamp.newId(), tenantCode, instance, name, picture, pins, ...times };
    const outcome = await plans.create(plan, bytes, actor, stamp);
    if (outcome === 'name_taken') throw taken(name);
    if (outcome === 'too_many')
      throw conflict(
        'too_many_plans',
        `This site has ${MOST_PLANS} plans, the most there can be. Remove one.`,
      );
    return plan;
  }

  /**
   * Tenant and site stay.
   * @param seenAt when it was changed last, as the caller has read it; null: the caller does not say
   * @throws AppError 400, 404, 409 plan_exists, plan_changed
   */
  async change(id: string, input: PlanChange, seenAt: number | null, actor: string): Promise<Plan> {
    const { plans, clock } = this.#options;
    const prior = await this.get(id, null);
    const stamp = stampOf(clock);
    const drawn =
      input.picture === undefined ? null : drawingOf({ picture: input.picture, pins: input.pins }, []);
    const plan = {
      ...prior,
      name: input.name,
      pins: drawn?.pins ?? pinsOf(input.pins),
      picture: drawn?.picture ?? prior.picture,
      updatedAt: Math.max(stamp.now, prior.updatedAt + 1),
    };
    const outcome = await plans.change(plan, drawn?.bytes ?? null, seenAt ?? prior.updatedAt, actor, stamp);
    if (outcome === 'name_taken') throw taken(plan.name);
    if (outcome === 'changed')
      throw conflict('plan_changed', 'The plan was changed since you have read it. Read it again.');
    return plan;
  }

  /** @throws AppError 404 */
  async remove(id: string, actor: string): Promise<void> {
    const { tenantCode } = await this.get(id, null);
    const removed = await this.#options.plans.remove(id, tenantCode, actor, stampOf(this.#options.clock));
    if (!removed) throw notFound(`The plan ${id}`);
  }
}

type PinInput = PlanInput['pins'][number];

/** @throws AppError 400 where a camera is named twice */
function pinsOf(pins: readonly PinInput[]): Pin[] {
  const found = pins.map(({ camera_ref: cameraRef, name, x, y }) => ({ cameraRef, name, x, y }));
  const faults = pinFaults(found);
  if (faults.length > 0) throw badRequest(faults);
  return found;
}

/** @param before faults that were found already @throws AppError 400 naming every fault */
function drawingOf(
  { picture, pins }: Pick<PlanInput, 'picture' | 'pins'>,
  before: Parameters<typeof badRequest>[0],
): { picture: PlanPicture; bytes: Buffer; pins: Pin[] } {
  const found = pins.map(({ camera_ref: cameraRef, name, x, y }) => ({ cameraRef, name, x, y }));
  const bytes = Buffer.from(picture, 'base64');
  const contentType = pictureTypeOf(bytes);
  const fits = contentType !== null && bytes.length <= MAX_PICTURE;
  const faults = [
    ...before,
    ...(fits ? [] : [faultAt('picture', 'plan_picture', { bytes: MAX_PICTURE })]),
    ...pinFaults(found),
  ];
  if (faults.length > 0 || contentType === null) throw badRequest(faults);
  const told = { contentType, size: bytes.length, sha256: hash('sha256', bytes) };
  return { picture: told, bytes, pins: found };
}

const taken = (name: string) =>
  conflict('plan_exists', `There is a plan ${name} of this site already. Choose another name.`);
