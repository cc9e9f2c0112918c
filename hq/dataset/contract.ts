// What a source declares, compared with the contract that was accepted (pure).
import type { DatasetDescriptor, FieldType } from '../../common/dataset/schema.ts';
import type { Processor } from './record.ts';

/** The source does not keep to what was agreed: a person must look. `code` is stable. */
export class ContractBroken extends Error {
  readonly code: string;
  readonly details: Record<string, unknown>;
  constructor(code: string, message: string, details: Record<string, unknown> = {}) {
    super(message);
    this.name = 'ContractBroken';
    this.code = code;
    this.details = details;
  }
}

/** Datasets that a message names. */
const NAMED_DATASETS = 20;

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
      `The dataset ${contract.key} does not declare what ${processor} needs: ${missing.join(', ')}.`,
      { missing },
    );
  }
}

/** What the source declares for a dataset. @throws ContractBroken when it does not list it */
export function declared(listed: ReadonlyMap<string, DatasetDescriptor>, dataset: string): DatasetDescriptor {
  const offered = listed.get(dataset);
  if (offered) return offered;
  const names = [...listed.keys()].slice(0, NAMED_DATASETS).join(', ') || 'none';
  throw new ContractBroken(
    'dataset_missing',
    `The source does not list the dataset ${dataset}; it lists: ${names}.`,
  );
}

/** @param changes of `differences`, at least one */
export const contractChanged = (dataset: string, changes: readonly string[]): ContractBroken =>
  new ContractBroken(
    'contract_changed',
    `The source declares ${dataset} otherwise: ${changes.join(', ')}. Take the new contract ` +
      'with POST /api/dataset/sources/{id}/accept, or have the source corrected.',
    { changes },
  );

/** What differs between two contracts, in words; empty when they are the same to who reads rows. */
export function differences(pinned: DatasetDescriptor, offered: DatasetDescriptor): string[] {
  const before = new Map(pinned.fields.map(({ name, type }) => [name, type]));
  const after = new Map(offered.fields.map(({ name, type }) => [name, type]));
  const found =
    pinned.schemaVersion === offered.schemaVersion
      ? []
      : [`schema version ${pinned.schemaVersion} → ${offered.schemaVersion}`];
  for (const [name, type] of after) {
    const was = before.get(name);
    if (was === undefined) found.push(`new field ${name} (${type})`);
    else if (was !== type) found.push(`field ${name} ${was} → ${type}`);
  }
  for (const name of before.keys()) if (!after.has(name)) found.push(`field ${name} is gone`);
  return found;
}
