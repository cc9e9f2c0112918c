// What a source declares, compared with the contract that was accepted (pure).
import type { DatasetDescriptor, FieldType } from '../../common/dataset/schema.ts';
import { say } from '../../common/message.ts';
import type { Processor } from './record.ts';
import { type SourceMessage, sourceMessages, sourceReasons } from './source-messages.ts';

/** The source does not keep to what was agreed: a person must look. `code` is stable. */
export class ContractBroken extends Error {
  readonly code: string;
  readonly told: SourceMessage;
  readonly details: Record<string, unknown>;
  constructor(code: string, told: SourceMessage, details: Record<string, unknown> = {}) {
    super(say(sourceReasons, told, 'en'));
    this.name = 'ContractBroken';
    this.code = code;
    this.told = told;
    this.details = details;
  }
}

/** Datasets that a message names. */
const NAMED_DATASETS = 20;
/** Changes that a message names. */
const NAMED_CHANGES = 20;

/** Fields that a processor needs, and of which type. */
const NEEDED: Record<Processor, Record<string, FieldType>> = {
  projects: { code: 'string', name: 'string', status: 'integer', health_score: 'integer' },
  wbs_nodes: {
    project_id: 'integer',
    parent_id: 'integer',
    plan_progress: 'decimal',
    actual_progress: 'decimal',
  },
  milestones: { project_id: 'integer', code: 'string', name: 'string', status: 'integer' },
  ncrs: { project_id: 'integer', code: 'string', title: 'string', level: 'integer', closed: 'boolean' },
  hazards: {
    project_id: 'integer',
    title: 'string',
    level: 'integer',
    major: 'boolean',
    site_ref: 'string',
    event_id: 'integer',
    occurred_at: 'time',
  },
  purchase_orders: {
    project_id: 'integer',
    milestone_id: 'integer',
    critical_path: 'boolean',
    required_on: 'date',
    expected_on: 'date',
    received: 'boolean',
  },
  none: {},
};

/** @throws ContractBroken when the declared fields are not enough for the processor */
export function requireFields(contract: DatasetDescriptor, processor: Processor): void {
  const declared = new Map(contract.fields.map(({ name, type }) => [name, type]));
  const missing = Object.entries(NEEDED[processor])
    .filter(([name, type]) => declared.get(name) !== type)
    .map(([name, type]) => `${name} (${type})`);
  if (missing.length > 0) {
    throw new ContractBroken(
      'fields_missing',
      {
        code: 'dataset_fields_missing',
        params: { dataset: contract.key, processor, fields: missing.join(', ') },
      },
      { missing },
    );
  }
}

/** What the source declares for a dataset. @throws ContractBroken when it does not list it */
export function declared(listed: ReadonlyMap<string, DatasetDescriptor>, dataset: string): DatasetDescriptor {
  const offered = listed.get(dataset);
  if (offered) return offered;
  const names = [...listed.keys()].slice(0, NAMED_DATASETS).join(', ');
  throw new ContractBroken('dataset_missing', {
    code: 'dataset_not_listed',
    params: { dataset, listed: names || { code: 'lists_nothing', params: {} } },
  });
}

/** @param changes of `differences`, at least one */
export function contractChanged(dataset: string, changes: readonly SourceMessage[]): ContractBroken {
  const more = changes.length - NAMED_CHANGES;
  const named: SourceMessage[] = [
    ...changes.slice(0, NAMED_CHANGES),
    ...(more > 0 ? [{ code: 'change_more', params: { count: more } } as const] : []),
  ];
  return new ContractBroken(
    'contract_changed',
    {
      code: 'contract_changed',
      params: { dataset, changes: named, call: 'POST /api/dataset/sources/{id}/accept' },
    },
    { changes: changes.map((one) => say(sourceMessages, one, 'en')) },
  );
}

/** What differs between two contracts, in words; empty when they are the same to who reads rows. */
export function differences(pinned: DatasetDescriptor, offered: DatasetDescriptor): SourceMessage[] {
  const before = new Map(pinned.fields.map(({ name, type }) => [name, type]));
  const after = new Map(offered.fields.map(({ name, type }) => [name, type]));
  const found: SourceMessage[] = [];
  if (pinned.schemaVersion !== offered.schemaVersion)
    found.push({
      code: 'change_version',
      params: { before: pinned.schemaVersion, after: offered.schemaVersion },
    });
  for (const [name, type] of after) {
    const was = before.get(name);
    if (was === undefined) found.push({ code: 'change_new', params: { name, type } });
    else if (was !== type) found.push({ code: 'change_type', params: { name, before: was, after: type } });
  }
  for (const name of before.keys())
    if (!after.has(name)) found.push({ code: 'change_gone', params: { name } });
  return found;
}
