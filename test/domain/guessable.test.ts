import { describe, expect, test } from 'vitest';
import { adminKeyFault } from '../../common/core/admin-key/decide.ts';
import { guessableLength } from '../../common/core/session/guessable.ts';
import { newSecret } from '../../common/secret/secret.ts';
import { passwordFaults } from '../../hq/auth/decide.ts';
import { range } from '../contract/samples.ts';

const faults = (password: string, names = ['li.wei', 'acme']) =>
  passwordFaults(password, names, 'password').map(({ path }) => path);

describe('a password', () => {
  test.each([
    'aaaaaaaaaaaa',
    'passwordpassword',
    '123456789012',
    'abcdefghijkl',
    '987654321098',
    'qwertyuiop12',
    'QWERTYUIOP!!',
    '1qaz2wsx3edc',
    'abcabcabcabc',
    'Password2024!',
    'P@ssw0rd123!',
    'admin123456',
    'iloveyou1234',
    'woaini1314520',
    '我爱你我爱你我爱你我爱',
    'changeme123',
    'fieldline2026',
    '1990-01-01x',
    '19900101abc',
    'LiWei123456',
    'li.wei.2026',
    'acme-acme-acme',
    'Acme123456',
    '5201314520',
    '密码密码密码密码密码',
    '!!!!!!!!!!',
    'zxcvbnm,./1',
    'letmein!!1',
    'Welcome2025',
  ])('%s is refused', (password) => {
    expect(faults(password)).toEqual(['password']);
  });

  test.each([
    'correct horse battery',
    'another long one',
    'long enough 1',
    'mine from now on',
    'tunnel gate 7 north',
    'Xk3-vq9-PLm',
    'kd82hs91xk',
    '隧道北门今天下雨了吗',
    'b7!Rw_0zQe',
    'the password is a longer sentence',
    'Sommer am See im Zelt',
    '🐎🔋🧷🎏🪜🧭🛶🪁🧦🪣',
  ])('%s is taken', (password) => {
    expect(faults(password)).toEqual([]);
  });

  test('is refused in both languages, and each fault is named', () => {
    expect(passwordFaults('short', ['li'], 'password')).toMatchObject([
      { path: 'password', message: 'must have at least 10 characters', messageZh: '至少 10 个字符' },
    ]);
    expect(passwordFaults('passwordpassword', ['li'], 'new_password')).toMatchObject([
      {
        path: 'new_password',
        message: expect.stringContaining('easy to guess') as string,
        messageZh: expect.stringContaining('容易被猜到') as string,
      },
    ]);
    expect(passwordFaults('Longer-Name', ['longer-name'], 'password')).toHaveLength(1);
  });

  test('of every length is measured in no time, and never counts more than it has', () => {
    for (const text of [
      'a'.repeat(256),
      'ab'.repeat(128),
      'password'.repeat(32),
      '12'.repeat(128),
      'あ'.repeat(256),
    ]) {
      expect(guessableLength(text, [text.slice(0, 40)])).toBeLessThanOrEqual(3 + text.length / 64);
    }
    expect(guessableLength('', [])).toBe(0);
  });
});

describe('an admin key', () => {
  test.each([
    '1',
    'fieldline',
    'x'.repeat(40),
    'password'.repeat(5),
    '1234567890'.repeat(4),
    'changeme'.repeat(4),
    'fla_short',
  ])('%s is too weak', (key) => {
    expect(adminKeyFault(key)).not.toBeNull();
  });

  test('as this program or openssl makes it is strong enough', () => {
    for (const fault of range(200, () => adminKeyFault(newSecret('fla_')))) expect(fault).toBeNull();
    expect(adminKeyFault('0mJ4b3ZcVp8m1uGf2wPqk3dXo0m5u9aTqC7hY1sRk2E=')).toBeNull();
    expect(adminKeyFault('6f1d0a4b7c2e9385d0b1f6e2a7c94d13')).toBeNull();
    expect(adminKeyFault('0f8fad5b-d9cb-469f-a165-70867728950e')).toBeNull();
  });
});
