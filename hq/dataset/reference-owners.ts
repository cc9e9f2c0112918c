import type { ReferenceOwner } from '../../common/core/secret/old-reference.ts';
import type { Source } from './record.ts';

/** Dataset sources, as what holds references to secrets. */
export const sourceOwners = (sources: readonly Source[]): ReferenceOwner[] =>
  sources.map(({ id, name, tenantCode, secretRef }) => ({
    kind: 'source',
    id,
    name,
    tenantCode,
    refs: [secretRef],
  }));
