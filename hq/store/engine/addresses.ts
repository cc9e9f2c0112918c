export class AddressFault extends Error {}

/** What the servers are for: those of `DATABASE_URL` or those of `DATABASE_READ_URL`. */
export type Use = 'writes' | 'reads';

/** Of libpq's attributes those that go with a use. */
const ATTRIBUTES = {
  writes: new Set(['any', 'read-write', 'primary', 'prefer-standby']),
  reads: new Set(['any', 'read-only', 'standby', 'prefer-standby']),
};

/**
 * One address for each server of
 * `postgres://user:password@a:5432,b:5433/database?target_session_attrs=read-write`, in its order.
 * Whatever the attribute, the hub writes to the server that takes writes and reads from one that follows it.
 * @throws AddressFault
 */
export function addressesOf(url: string, use: Use = 'writes'): string[] {
  const parts = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/s.exec(url);
  const [, begin = '', hosts = '', rest = ''] = parts ?? [];
  if (begin === '') throw new AddressFault('must be a postgres:// address');
  const [path = '', search] = rest.split('?');
  const parameters = new URLSearchParams(search);
  const wanted = parameters.get('target_session_attrs');
  if (wanted !== null && !ATTRIBUTES[use].has(wanted)) {
    throw new AddressFault(
      use === 'writes'
        ? `asks for a server that is not written to (target_session_attrs=${wanted}); use read-write`
        : `asks for a server that is written to (target_session_attrs=${wanted}); use standby`,
    );
  }
  if (wanted === null && !hosts.includes(',')) return [url];
  parameters.delete('target_session_attrs');
  const after = `${path}${parameters.size > 0 ? `?${parameters.toString()}` : ''}`;
  const addresses = hosts.split(',').map((host) => `${begin}${host}${after}`);
  const whole = (address: string) => URL.canParse(address) && new URL(address).hostname !== '';
  if (hosts.includes(',') && !addresses.every(whole))
    throw new AddressFault('names a server that cannot be read');
  return addresses;
}
