import type { Actor } from '../../../common/http/actor.ts';
import type { Device } from '../record.ts';

/** Who a device is to intake: the node that it is listed as. */
export const actorOf = ({ keyId, tenantCode, name: subject }: Device): Actor & { kind: 'key' } => ({
  kind: 'key',
  scopes: [],
  purpose: 'node',
  name: `node:${subject}`,
  keyId,
  tenantCode,
  subject,
});
