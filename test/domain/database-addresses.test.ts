// What DATABASE_URL may name: one server, or several as libpq has it.
import { expect, test } from 'vitest';
import { ConfigError } from '../../common/config.ts';
import { readHubConfig } from '../../hq/config.ts';
import { addressesOf } from '../../hq/store/engine/addresses.ts';

test.each([
  ['postgres://db/x', ['postgres://db/x']],
  ['postgresql:///fieldline-hq?host=/run/postgresql', ['postgresql:///fieldline-hq?host=/run/postgresql']],
  [
    'postgres://a:5432,b:5433/x?target_session_attrs=read-write',
    ['postgres://a:5432/x', 'postgres://b:5433/x'],
  ],
  [
    'postgres://u:p%40ss@a,[::1]:5433/x?target_session_attrs=primary&sslmode=require',
    ['postgres://u:p%40ss@a/x?sslmode=require', 'postgres://u:p%40ss@[::1]:5433/x?sslmode=require'],
  ],
  ['postgres://u@a,b', ['postgres://u@a', 'postgres://u@b']],
])('%s', (url, addresses) => {
  expect(addressesOf(url)).toEqual(addresses);
});

test.each([
  ['mysql://a/x', 'must be a postgres:// address'],
  ['postgres://a,b/x?target_session_attrs=read-only', 'asks for a server that is not written to'],
  ['postgres://a,,b/x', 'names a server that cannot be read'],
  ['postgres://a:x,b/x', 'names a server that cannot be read'],
])('%s is a fault of the configuration', (url, message) => {
  expect(() => readHubConfig({ DATABASE_URL: url })).toThrow(ConfigError);
  expect(() => readHubConfig({ DATABASE_URL: url })).toThrow(message);
});

test('the standbys that are read are asked for as such', () => {
  expect(addressesOf('postgres://a,b/x?target_session_attrs=standby', 'reads')).toEqual([
    'postgres://a/x',
    'postgres://b/x',
  ]);
  expect(() =>
    readHubConfig({ DATABASE_READ_URL: 'postgres://a/x?target_session_attrs=read-write' }),
  ).toThrow('asks for a server that is written to');
});
