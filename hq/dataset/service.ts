import { type Clock, stampOf } from '../../common/clock.ts';
import type { AlarmPort } from '../../common/core/alarm/port.ts';
import { hostOf } from '../../common/core/secret/decide.ts';
import type { SecretResolver } from '../../common/core/secret/resolver.ts';
import { msOfTime } from '../../common/dataset/position.ts';
import type { DatasetDescriptor } from '../../common/dataset/schema.ts';
import { badRequest, conflict, notFound } from '../../common/http/error.ts';
import { faultOf } from '../../common/http/fault/fault.ts';
import { clearAlarms, sourceAlarmKey } from './alarm.ts';
import { ContractBroken, requireFields } from './contract.ts';
import type { SourcePort } from './port.ts';
import type { DatasetState, Processor, Source } from './record.ts';
import { nextRun } from './schedule.ts';
import type { SourceChangeInput, SourceInput } from './schema.ts';

export interface SourceServiceOptions {
  sources: SourcePort;
  alarms: AlarmPort;
  /** Judges the references that people give. */
  secretResolver: Pick<SecretResolver, 'refusal'>;
  clock: Clock;
  /** Called when a source may have become due. */
  onDue: () => void;
}

/** Sources of datasets as people manage them. `tenant` null: those of every tenant. */
export class SourceService {
  readonly #options: SourceServiceOptions;

  constructor(options: SourceServiceOptions) {
    this.#options = options;
  }

  /** @throws AppError 400 where the secret is for something else, 409 source_exists, processor_taken */
  async create(input: SourceInput, actor: string): Promise<Source> {
    await this.#checkSecret(input.secret_ref, input.tenant_code, input.base_url);
    const stamp = stampOf(this.#options.clock);
    const made = await this.#options.sources.create(
      {
        id: stamp.newId(),
        tenantCode: input.tenant_code,
        name: input.name,
        baseUrl: trimmed(input.base_url),
        keyId: input.key_id,
        secretRef: input.secret_ref,
        schedule: input.schedule,
        enabled: input.enabled,
        pageRows: input.page_rows,
        overlapMs: input.overlap_seconds * 1000,
        createdAt: stamp.now,
        updatedAt: stamp.now,
        nextRunAt: input.enabled ? stamp.now : null,
      },
      input.datasets,
      { actor, stamp },
    );
    this.#options.onDue();
    return made;
  }

  list(tenant: string | null): Promise<Source[]> {
    return this.#options.sources.list(tenant);
  }

  /** @throws AppError 404 */
  async get(id: string, tenant: string | null): Promise<Source> {
    return found(await this.#options.sources.get(id, tenant), id);
  }

  /** @throws AppError 404, 400 and 409 as `create` */
  async change(id: string, tenant: string | null, input: SourceChangeInput, actor: string): Promise<Source> {
    const stamp = stampOf(this.#options.clock);
    const before = await this.get(id, tenant);
    const {
      datasets,
      base_url: baseUrl,
      key_id: keyId,
      secret_ref: secretRef,
      page_rows: pageRows,
      overlap_seconds: overlap,
      ...same
    } = input;
    // Also where only the address changes: what was given for another host does not go there.
    if (baseUrl !== undefined || secretRef !== undefined)
      await this.#checkSecret(secretRef ?? before.secretRef, before.tenantCode, baseUrl ?? before.baseUrl);
    const enabled = input.enabled ?? before.enabled;
    const set = {
      ...same,
      ...(baseUrl === undefined ? {} : { baseUrl: trimmed(baseUrl) }),
      ...(keyId === undefined ? {} : { keyId }),
      ...(secretRef === undefined ? {} : { secretRef }),
      ...(pageRows === undefined ? {} : { pageRows }),
      ...(overlap === undefined ? {} : { overlapMs: overlap * 1000 }),
      nextRunAt: enabled ? nextRun(input.schedule ?? before.schedule, stamp.now) : null,
    };
    const after = found(
      await this.#options.sources.change(id, tenant, { set, datasets }, { actor, stamp }),
      id,
    );
    await this.#clear(before, after.datasets);
    this.#options.onDue();
    return after;
  }

  /** @throws AppError 404 */
  async remove(id: string, tenant: string | null, actor: string): Promise<void> {
    const before = await this.get(id, tenant);
    if (!(await this.#options.sources.remove(id, tenant, { actor, stamp: stampOf(this.#options.clock) })))
      throw noSource(id);
    await this.#clear(before, []);
  }

  /** Runs it at once. @throws AppError 404, 409 source_disabled */
  sync(id: string, tenant: string | null, actor: string): Promise<Source> {
    return this.#request(id, tenant, null, actor);
  }

  /** Reads everything again, whatever the cursors are. @throws as `sync` */
  recompute(
    id: string,
    tenant: string | null,
    datasets: readonly string[] | undefined,
    actor: string,
  ): Promise<Source> {
    return this.#request(id, tenant, datasets ?? 'all', actor);
  }

  /** @throws AppError 404, 409 nothing_offered, other_version_offered, contract_unusable */
  async accept(
    id: string,
    tenant: string | null,
    wanted: { dataset: string; schemaVersion: string },
    actor: string,
  ): Promise<Source> {
    const { datasets } = await this.get(id, tenant);
    const state = datasets.find(({ dataset }) => dataset === wanted.dataset);
    if (state?.offered?.schemaVersion === wanted.schemaVersion) requireUsable(state.offered, state.processor);
    const source = found(
      await this.#options.sources.accept(id, tenant, wanted, { actor, stamp: stampOf(this.#options.clock) }),
      id,
    );
    this.#options.onDue();
    return source;
  }

  /** @throws AppError 400 */
  async #checkSecret(ref: string, tenantCode: string, baseUrl: string): Promise<void> {
    const refusal = await this.#options.secretResolver.refusal(ref, {
      use: 'dataset',
      tenantCode,
      host: hostOf(baseUrl),
    });
    if (refusal !== null) throw badRequest([faultOf('secret_ref', refusal)]);
  }

  /** Clears the alarms of datasets that are no longer pulled. */
  async #clear({ id, datasets }: Source, left: readonly DatasetState[]): Promise<void> {
    const gone = datasets
      .map(({ dataset }) => dataset)
      .filter((name) => !left.some(({ dataset }) => dataset === name));
    await clearAlarms(this.#options.alarms, { sourceId: id, datasets: gone }, this.#options.clock.now());
    if (left.length === 0)
      await this.#options.alarms.clear(sourceAlarmKey(id), null, this.#options.clock.now());
  }

  async #request(
    id: string,
    tenant: string | null,
    recompute: readonly string[] | 'all' | null,
    actor: string,
  ): Promise<Source> {
    const source = found(
      await this.#options.sources.request(
        id,
        tenant,
        { recompute },
        { actor, stamp: stampOf(this.#options.clock) },
      ),
      id,
    );
    this.#options.onDue();
    return source;
  }
}

/**
 * Seconds that what has landed is behind the present, by the source's time at the last complete run; null
 * before there was one: how old the rows of a first pull are says nothing of how far behind it is.
 */
export const lagOf = ({ asOf }: DatasetState, now: number): number | null =>
  asOf === null ? null : Math.max(0, (now - msOfTime(asOf)) / 1000);

/** @throws AppError 409 contract_unusable */
function requireUsable(offered: DatasetDescriptor, processor: Processor): void {
  try {
    requireFields(offered, processor);
  } catch (error) {
    if (!(error instanceof ContractBroken)) throw error;
    throw conflict(
      'contract_unusable',
      `${error.message} Have the source declare them, or give the dataset another processor first.`,
    );
  }
}

const trimmed = (url: string): string => url.replace(/\/+$/, '');
const noSource = (id: string) => notFound(`The source ${id}`);

function found<T>(source: T | null, id: string): T {
  if (source === null) throw noSource(id);
  return source;
}
