import type { Dataset } from './queries.ts';

type Field = NonNullable<Dataset['contract']>['fields'][number];

/** What a source declares otherwise than the contract has it. */
export interface FieldChange {
  kind: 'added' | 'gone' | 'changed';
  name: string;
  /** As `integer · sum`. */
  before: string | null;
  after: string | null;
}

const textOf = ({ type, measure }: Field): string => (measure === null ? type : `${type} · ${measure}`);

/** Field by field, in the order of the contract and then of what is new. */
export function changesOf({ contract, offered }: Pick<Dataset, 'contract' | 'offered'>): FieldChange[] {
  const before = new Map(contract?.fields.map((field) => [field.name, textOf(field)]));
  const after = new Map(offered?.fields.map((field) => [field.name, textOf(field)]));
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name): FieldChange[] => {
    const [was, is] = [before.get(name) ?? null, after.get(name) ?? null];
    if (was === is) return [];
    const kind = was === null ? 'added' : is === null ? 'gone' : 'changed';
    return [{ kind, name, before: was, after: is }];
  });
}
