export class AddressFault extends Error {}

/** Of libpq's attributes those under which a server is written to. */
const WRITABLE = new Set(['any', 'read-write', 'primary', 'prefer-standby']);

/**
 * One address for each server of
 * `postgres://user:password@a:5432,b:5433/database?target_session_attrs=read-write`, in its order.
 * Whatever the attribute, the hub works with the server that takes writes. @throws AddressFault
 */
export function addressesOf(url: string): string[] {
  const parts = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/s.exec(url);
  const [, begin = '', hosts = '', rest = ''] = parts ?? [];
  if (begin === '') throw new AddressFault('must be a postgres:// address');
  const [path = '', search] = rest.split('?');
  const parameters = new URLSearchParams(search);
  const wanted = parameters.get('target_session_attrs');
  if (wanted !== null && !WRITABLE.has(wanted)) {
    throw new AddressFault(
      `asks for a server that is not written to (target_session_attrs=${wanted}); use read-write`,
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
